// What an operator can set: by flag, else by environment variable, else by
// default.
//
// To add one: a row in REDUCTOR_FLAGS, and a check in config.cc if not every
// value of its type will do. The flag (--drain-delay), its twin in the
// environment (REDUCTOR_DRAIN_DELAY), the help and the field of Config follow.
#ifndef REDUCTOR_SERVICE_CONFIG_H_
#define REDUCTOR_SERVICE_CONFIG_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "nlohmann/json_fwd.hpp"
#include "service/log.h"

namespace reductor {

using Addresses = std::vector<std::string>;
using OptionalBytes = std::optional<int64_t>;

//  group, type, name, default, help
#define REDUCTOR_FLAGS(X)                                                  \
  X("Listening", reductor::Addresses, listen,                              \
    reductor::Addresses({"127.0.0.1:50051"}),                              \
    "addresses to listen on, separated by commas: host:port (port 0: any " \
    "free one) or unix:path")                                              \
  X("Listening", bool, reflection, true,                                   \
    "whether tools may ask for the protos (gRPC server reflection)")       \
  X("Limits", reductor::OptionalBytes, memory_budget, std::nullopt,        \
    "bytes of all messages, results and calls in the server at a time, "   \
    "1048576 to 2^50 (default: half of the control group's memory, else "  \
    "of the machine's)")                                                   \
  X("Limits", reductor::OptionalBytes, max_message_bytes, std::nullopt,    \
    "largest request message, 1 to 2147483647 and at most "                \
    "--memory-budget (default: 268435456, or a quarter of the budget if "  \
    "that is less)")                                                       \
  X("Limits", reductor::OptionalBytes, max_output_bytes, std::nullopt,     \
    "most bytes of all results of a request together, of a stream of "     \
    "those that are open at once; 1 to 2147483647 (default: as "           \
    "--max-message-bytes)")                                                \
  X("Limits", absl::Duration, admission_wait, absl::Milliseconds(50),      \
    "how long a call may wait for room in the budget before the server "   \
    "is busy; at most 24h")                                                \
  X("Limits", absl::Duration, upload_grace, absl::Seconds(1),              \
    "while others wait for room, messages that did not declare their "     \
    "size and take longer than this lose theirs; others and slow "         \
    "streams after ten times as long; at most 24h")                        \
  X("Limits", absl::Duration, upload_timeout, absl::Minutes(5),            \
    "how long a request message may take to come, and an answer to be "    \
    "taken; 1ms to 24h")                                                   \
  X("Limits", absl::Duration, idle_timeout, absl::Seconds(60),             \
    "how long the client of a stream, of ListOperators, health or "        \
    "reflection may neither send nor take a message; 1ms to 24h")          \
  X("Limits", bool, allow_compression, false,                              \
    "whether requests may come by gzip or deflate; gRPC inflates a "       \
    "message whole before it checks any limit, so that a few hundred KiB " \
    "may take all the memory that there is")                               \
  X("Computing", int32_t, threads, 0,                                      \
    "threads to compute with, at most 1024 (0: the CPU quota rounded up, " \
    "else the cores)")                                                     \
  X("Computing", std::string, isa, "auto",                                 \
    "use no instruction set above this one: auto, sse4, avx2, avx3")       \
  X("Operating", reductor::LogLevel, log_level, reductor::LogLevel::kInfo, \
    "least level to log: debug, info, warning, error")                     \
  X("Operating", absl::Duration, drain_delay, absl::ZeroDuration(),        \
    "how long to go on serving after SIGTERM, so that balancers notice; "  \
    "at most 24h")                                                         \
  X("Operating", absl::Duration, drain_timeout, absl::Seconds(10),         \
    "how long calls in flight may take to finish after that; at most 24h")

struct Config {
#define X(group, type, name, value, help) type name = value;
  REDUCTOR_FLAGS(X)
#undef X

  // --help and --version: say so and exit, whatever else is set.
  bool help = false;
  bool version = false;
  // REDUCTOR_ variables that mean nothing to the server: misspelt, perhaps.
  std::vector<std::string> unknown_variables;
};

// Reads the arguments after the program's name, and "NAME=value" variables.
// INVALID_ARGUMENT with one line for people: an unknown flag, a stray argument,
// a bad value. Every optional value is set.
absl::StatusOr<Config> ParseConfig(const std::vector<std::string>& arguments,
                                   const std::vector<std::string>& environment);

// What --help prints: every flag with its default and its twin.
std::string HelpText();

// What --version prints: "reductord 0.1.0 (revision)".
std::string VersionText();

// The configuration in effect: an object of flag names and values.
// REQUIRES: ParseConfig() made it.
nlohmann::ordered_json ToJson(const Config& config);

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_CONFIG_H_
