// The configuration as people read it: --help, --version, the log.
#include <string>

#include "absl/flags/reflection.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"
#include "service/config.h"
#include "service/flag_names.h"
#include "service/revision.h"

namespace reductor {
namespace {

// One flag of the help: its names and default, then what it does.
std::string HelpOf(absl::string_view name, absl::string_view help) {
  const std::string value = absl::FindCommandLineFlag(name)->DefaultValue();
  return absl::StrCat("  ", DashedName(name), value.empty() ? "" : "=", value,
                      "  (", TwinName(name), ")\n      ", help, "\n");
}

template <class T>
const T& JsonOf(const T& value) {
  return value;
}
std::string JsonOf(LogLevel level) { return AbslUnparseFlag(level); }
std::string JsonOf(absl::Duration time) { return absl::FormatDuration(time); }
int64_t JsonOf(OptionalBytes bytes) { return bytes.value(); }

}  // namespace

std::string HelpText() {
  std::string text =
      "reductord: reduces tensors over gRPC, as ONNX and OpenVINO do.\n\n"
      "Each flag has a twin in the environment; the flag wins.\n";
  absl::string_view last_group;
  const auto add = [&](absl::string_view group, absl::string_view name,
                       absl::string_view help) {
    if (group != last_group) absl::StrAppend(&text, "\n", group, ":\n");
    last_group = group;
    absl::StrAppend(&text, HelpOf(name, help));
  };
#define X(group, type, name, value, help) add(group, #name, help);
  REDUCTOR_FLAGS(X)
#undef X
  absl::StrAppend(&text,
                  "\nInformation:\n"
                  "  -h, --help  this text\n"
                  "  --version   the version and revision\n");
  return text;
}

std::string VersionText() {
  return "reductord " REDUCTOR_VERSION " (" REDUCTOR_REVISION ")\n";
}

nlohmann::ordered_json ToJson(const Config& config) {
  nlohmann::ordered_json fields;
#define X(group, type, name, value, help) fields[#name] = JsonOf(config.name);
  REDUCTOR_FLAGS(X)
#undef X
  return fields;
}

}  // namespace reductor
