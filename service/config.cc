// The flags are Abseil's, but the command line is walked here:
// absl::ParseCommandLine() exits by itself, with the wrong code.
#include "service/config.h"

#include <algorithm>
#include <climits>
#include <limits>
#include <utility>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/flag.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "service/flag_names.h"
#include "service/listen_address.h"
#include "service/process.h"

#define X(group, type, name, value, help) ABSL_FLAG(type, name, value, help);
REDUCTOR_FLAGS(X)
#undef X

namespace reductor {
namespace {

using Arguments = absl::Span<const std::string>;

constexpr int64_t kLeastBudget = 1 << 20;
constexpr int64_t kMostDefaultMessage = 256 << 20;

// `origin` is what the user wrote the value to: a flag or a variable.
absl::Status Set(absl::CommandLineFlag* flag, absl::string_view value,
                 absl::string_view origin) {
  std::string error;
  if (flag->ParseFrom(value, &error)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(origin, ": bad value '", value, "' (", flag->Help(), ")"));
}

absl::Status UnknownFlag(absl::string_view argument) {
  return absl::InvalidArgumentError(
      absl::StrCat("unknown flag ", argument, "; see --help"));
}

// "--drain-delay=1s"; `equals` is where the value's sign stands.
absl::Status SetJoined(absl::string_view argument, size_t equals) {
  const absl::string_view name = argument.substr(0, equals);
  absl::CommandLineFlag* const flag = FindFlag(name);
  if (flag == nullptr) return UnknownFlag(name);
  return Set(flag, argument.substr(equals + 1), name);
}

// "--reflection" or "--noreflection".
absl::Status SetBool(absl::CommandLineFlag* flag, absl::string_view argument) {
  return Set(flag, FindFlag(argument) == flag ? "true" : "false", argument);
}

// Sets the flag at the front of `arguments` and removes what belongs to it.
absl::Status TakeFlag(Arguments* arguments) {
  const absl::string_view argument = arguments->front();
  arguments->remove_prefix(1);
  if (!absl::StartsWith(argument, "--")) {
    return absl::InvalidArgumentError(
        absl::StrCat("unexpected argument '", argument, "'; see --help"));
  }
  const size_t equals = argument.find('=');
  if (equals != argument.npos) return SetJoined(argument, equals);
  if (absl::CommandLineFlag* const flag = FindBoolFlag(argument)) {
    return SetBool(flag, argument);
  }
  absl::CommandLineFlag* const flag = FindFlag(argument);
  if (flag == nullptr) return UnknownFlag(argument);
  if (arguments->empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(argument, ": needs a value (", flag->Help(), ")"));
  }
  const absl::string_view value = arguments->front();
  arguments->remove_prefix(1);
  return Set(flag, value, argument);
}

absl::Status SetFromEnvironment(const std::vector<std::string>& environment,
                                std::vector<std::string>* unknown) {
  for (const std::string& variable : environment) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(variable, absl::MaxSplits('=', 1));
    const auto& [name, value] = parts;
    if (!absl::StartsWith(name, kVariablePrefix)) continue;
    if (name == kClientVariable) continue;
    absl::CommandLineFlag* const flag = FindTwin(name);
    if (flag == nullptr) {
      unknown->emplace_back(name);
      continue;
    }
    const absl::Status set = Set(flag, value, name);
    if (!set.ok()) return set;
  }
  return absl::OkStatus();
}

absl::Status CheckRange(absl::string_view flag, int64_t value, int64_t least,
                        int64_t most) {
  if (least <= value && value <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(flag, ": ", value, " is not in ", least, " to ", most));
}

absl::Status CheckDuration(absl::string_view flag, absl::Duration duration) {
  if (absl::ZeroDuration() <= duration && duration <= absl::Hours(24)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      flag, ": ", absl::FormatDuration(duration), " is not in 0s to 24h"));
}

absl::Status CheckAddresses(absl::string_view flag,
                            const Addresses& addresses) {
  if (addresses.empty()) return CheckAddresses(flag, {""});
  for (const std::string& address : addresses) {
    const absl::Status checked = CheckListenAddress(address);
    if (checked.ok()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(flag, ": ", checked.message()));
  }
  return absl::OkStatus();
}

// What the types of the flags do not say.
absl::Status Check(const Config& config) {
  for (const absl::Status& checked : {
           CheckAddresses("--listen", config.listen),
           CheckRange("--memory-budget", *config.memory_budget, kLeastBudget,
                      std::numeric_limits<int64_t>::max()),
           CheckRange("--max-message-bytes", *config.max_message_bytes, 1,
                      std::min<int64_t>(INT_MAX, *config.memory_budget)),
           CheckRange("--max-output-bytes", *config.max_output_bytes, 1,
                      INT_MAX),
           CheckDuration("--admission-wait", config.admission_wait),
           CheckDuration("--upload-grace", config.upload_grace),
           CheckDuration("--upload-timeout", config.upload_timeout),
           CheckDuration("--idle-timeout", config.idle_timeout),
           CheckRange("--threads", config.threads, 0, 1024),
           CheckDuration("--drain-delay", config.drain_delay),
           CheckDuration("--drain-timeout", config.drain_timeout),
       }) {
    if (!checked.ok()) return checked;
  }
  return absl::OkStatus();
}

// Abseil's flags are global: without this one parse would see another's.
void ResetFlags() {
  const Config defaults;
#define X(group, type, name, value, help) \
  absl::SetFlag(&FLAGS_##name, defaults.name);
  REDUCTOR_FLAGS(X)
#undef X
}

Config ReadFlags() {
  Config config;
#define X(group, type, name, value, help) \
  config.name = absl::GetFlag(FLAGS_##name);
  REDUCTOR_FLAGS(X)
#undef X
  return config;
}

// Gives each size that was not set the default that follows from the others.
void SetSizes(Config* config) {
  if (!config->memory_budget.has_value()) {
    config->memory_budget = std::max(kLeastBudget, AvailableMemory() / 2);
  }
  if (!config->max_message_bytes.has_value()) {
    // A quarter: a call that does not declare its size takes the largest one.
    config->max_message_bytes =
        std::min(kMostDefaultMessage, *config->memory_budget / 4);
  }
  if (!config->max_output_bytes.has_value()) {
    config->max_output_bytes = config->max_message_bytes;
  }
}

}  // namespace

absl::StatusOr<Config> ParseConfig(
    const std::vector<std::string>& arguments,
    const std::vector<std::string>& environment) {
  for (const std::string& argument : arguments) {
    if (argument == "--help") return Config{.help = true};
    if (argument == "--version") return Config{.version = true};
  }
  ResetFlags();
  std::vector<std::string> unknown_variables;
  absl::Status status = SetFromEnvironment(environment, &unknown_variables);
  Arguments rest = arguments;
  while (status.ok() && !rest.empty()) status = TakeFlag(&rest);
  if (!status.ok()) return status;

  Config config = ReadFlags();
  config.unknown_variables = std::move(unknown_variables);
  SetSizes(&config);
  if (status = Check(config); !status.ok()) return status;
  return config;
}

}  // namespace reductor
