// The flags are Abseil's, but the command line is walked here:
// absl::ParseCommandLine() exits by itself, with the wrong code.
#include "service/config.h"

#include <algorithm>
#include <climits>
#include <functional>
#include <map>
#include <utility>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/flag.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/kernels.h"
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
constexpr int64_t kMostBudget = int64_t{1} << 50;
constexpr int64_t kMostDefaultMessage = 256 << 20;

// What the user wrote a flag's value to, by the flag's dashed name: the flag or
// its twin.
using Origins = std::map<std::string, std::string, std::less<>>;

absl::Status Set(absl::CommandLineFlag* flag, absl::string_view value,
                 absl::string_view origin, Origins* origins) {
  (*origins)[DashedName(flag->Name())] = std::string(origin);
  std::string error;
  if (flag->ParseFrom(value, &error)) return absl::OkStatus();
  const bool is_duration = flag->IsOfType<absl::Duration>();
  return absl::InvalidArgumentError(
      absl::StrCat(origin, ": bad value '", value, "' (", flag->Help(),
                   is_duration ? "; with its unit, such as 5s" : "", ")"));
}

absl::Status UnknownFlag(absl::string_view argument) {
  return absl::InvalidArgumentError(
      absl::StrCat("unknown flag ", argument, "; see --help"));
}

// "--drain-delay=1s"; `equals` is where the value's sign stands.
absl::Status SetJoined(absl::string_view argument, size_t equals,
                       Origins* origins) {
  const absl::string_view name = argument.substr(0, equals);
  if (name == "--help" || name == "--version") {
    return absl::InvalidArgumentError(absl::StrCat(name, ": takes no value"));
  }
  absl::CommandLineFlag* const flag = FindFlag(name);
  if (flag == nullptr) return UnknownFlag(name);
  return Set(flag, argument.substr(equals + 1), name, origins);
}

// "--reflection" or "--noreflection".
absl::Status SetBool(absl::CommandLineFlag* flag, absl::string_view argument,
                     Origins* origins) {
  return Set(flag, FindFlag(argument) == flag ? "true" : "false", argument,
             origins);
}

// Sets the flag at the front of `arguments` and removes what belongs to it.
absl::Status TakeFlag(Arguments* arguments, Origins* origins) {
  const absl::string_view argument = arguments->front();
  arguments->remove_prefix(1);
  if (!absl::StartsWith(argument, "-") || argument == "-" || argument == "--") {
    return absl::InvalidArgumentError(
        absl::StrCat("unexpected argument '", argument, "'; see --help"));
  }
  const size_t equals = argument.find('=');
  if (equals != argument.npos) return SetJoined(argument, equals, origins);
  if (absl::CommandLineFlag* const flag = FindBoolFlag(argument)) {
    return SetBool(flag, argument, origins);
  }
  absl::CommandLineFlag* const flag = FindFlag(argument);
  if (flag == nullptr) return UnknownFlag(argument);
  if (arguments->empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(argument, ": needs a value (", flag->Help(), ")"));
  }
  const absl::string_view value = arguments->front();
  arguments->remove_prefix(1);
  return Set(flag, value, argument, origins);
}

absl::Status SetFromEnvironment(const std::vector<std::string>& environment,
                                Origins* origins,
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
    const absl::Status set = Set(flag, value, name, origins);
    if (!set.ok()) return set;
  }
  return absl::OkStatus();
}

// `what_most_is`: where the largest value comes from, if not from here.
absl::Status CheckRange(absl::string_view flag, int64_t value, int64_t least,
                        int64_t most, absl::string_view what_most_is = "") {
  if (least <= value && value <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      flag, ": ", value, " is not in ", least, " to ", most, what_most_is));
}

absl::Status CheckDuration(absl::string_view flag, absl::Duration duration,
                           absl::Duration least = absl::ZeroDuration()) {
  if (least <= duration && duration <= absl::Hours(24)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      flag, ": ", absl::FormatDuration(duration), " is not in ",
      least > absl::ZeroDuration() ? absl::FormatDuration(least) : "0s",
      " to 24h"));
}

// What was found wrong with a flag's value, which does not know the flag.
absl::Status Naming(absl::string_view flag, const absl::Status& checked) {
  if (checked.ok()) return checked;
  return absl::InvalidArgumentError(
      absl::StrCat(flag, ": ", checked.message()));
}

absl::Status CheckAddresses(absl::string_view flag,
                            const Addresses& addresses) {
  if (addresses.empty()) return CheckAddresses(flag, {""});
  for (const std::string& address : addresses) {
    const absl::Status checked = Naming(flag, CheckListenAddress(address));
    if (!checked.ok()) return checked;
  }
  return absl::OkStatus();
}

absl::Status CheckMessageBytes(absl::string_view flag, int64_t bytes,
                               int64_t budget) {
  if (budget > INT_MAX) return CheckRange(flag, bytes, 1, INT_MAX);
  return CheckRange(flag, bytes, 1, budget, ", the --memory-budget");
}

// What the types of the flags do not say.
absl::Status Check(const Config& config, const Origins& origins) {
  const auto of = [&](absl::string_view flag) {
    const auto origin = origins.find(flag);
    return origin == origins.end() ? flag : absl::string_view(origin->second);
  };
  for (const absl::Status& checked : {
           CheckAddresses(of("--listen"), config.listen),
           CheckRange(of("--memory-budget"), *config.memory_budget,
                      kLeastBudget, kMostBudget),
           CheckMessageBytes(of("--max-message-bytes"),
                             *config.max_message_bytes, *config.memory_budget),
           CheckRange(of("--max-output-bytes"), *config.max_output_bytes, 1,
                      INT_MAX),
           CheckDuration(of("--admission-wait"), config.admission_wait),
           CheckDuration(of("--upload-grace"), config.upload_grace),
           // Nobody could meet none; who means "no limit" is told.
           CheckDuration(of("--upload-timeout"), config.upload_timeout,
                         absl::Milliseconds(1)),
           CheckDuration(of("--idle-timeout"), config.idle_timeout,
                         absl::Milliseconds(1)),
           CheckRange(of("--threads"), config.threads, 0, 1024),
           Naming(of("--isa"), CheckIsa(config.isa)),
           CheckDuration(of("--drain-delay"), config.drain_delay),
           CheckDuration(of("--drain-timeout"), config.drain_timeout),
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
    if (argument == "-h" || argument == "--help") return Config{.help = true};
    if (argument == "--version") return Config{.version = true};
  }
  ResetFlags();
  std::vector<std::string> unknown_variables;
  Origins origins;
  absl::Status status =
      SetFromEnvironment(environment, &origins, &unknown_variables);
  Arguments rest = arguments;
  while (status.ok() && !rest.empty()) status = TakeFlag(&rest, &origins);
  if (!status.ok()) return status;

  Config config = ReadFlags();
  config.unknown_variables = std::move(unknown_variables);
  SetSizes(&config);
  if (status = Check(config, origins); !status.ok()) return status;
  return config;
}

}  // namespace reductor
