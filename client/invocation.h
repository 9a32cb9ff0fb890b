// One run of the command line: what its commands share.
#ifndef REDUCTOR_CLIENT_INVOCATION_H_
#define REDUCTOR_CLIENT_INVOCATION_H_

#include <istream>
#include <optional>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace reductor {

// `reductor health` has its own, those of its kind.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;  // Refused, unreachable, unreadable.
inline constexpr int kExitUsage = 2;

// Where a run reads and writes.
struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool is_err_terminal = false;
};

// The commands write their exit code here when they run.
struct Invocation {
  Streams streams;
  std::string server = "127.0.0.1:50051";
  std::optional<absl::Duration> timeout;
  int exit_code = kExitOk;
};

// For one call and its answer.
inline absl::Duration CallTimeout(const Invocation& invocation) {
  return invocation.timeout.value_or(absl::Seconds(60));
}

// Says on `err` what went wrong with a call: the violations, one a line, the
// field first; without any, the server and its message. The answer is
// kExitFailed.
int ReportFailedCall(const Invocation& invocation, const absl::Status& status);

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_INVOCATION_H_
