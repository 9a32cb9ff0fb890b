// What a server said was wrong, as a program can read it: the gRPC status
// becomes an absl::Status that carries the google.rpc details as payloads.
#ifndef REDUCTOR_CLIENT_ERRORS_H_
#define REDUCTOR_CLIENT_ERRORS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "grpcpp/support/status.h"

namespace reductor {

// One thing wrong with one field of a request.
struct FieldViolation {
  std::string field;        // A path: "reductions[0].axes[1]".
  std::string reason;       // Stable, to be compared: "AXIS_OUT_OF_RANGE".
  std::string description;  // For people.

  friend bool operator==(const FieldViolation&,
                         const FieldViolation&) = default;
};

// The same code and message; each detail is a payload under its type URL.
absl::Status FromGrpc(const grpc::Status& status);

// All that was wrong with the request, in the server's order. Empty when the
// server named no field.
std::vector<FieldViolation> ViolationsOf(const absl::Status& status);

// The reason of the error, such as "AXIS_OUT_OF_RANGE" or "OUTPUT_TOO_LARGE".
// Empty when the error does not come from reductor's own code.
std::string ReasonOf(const absl::Status& status);

// How long to wait before the same call is worth another try. Absent when the
// server did not say so: then it will not go better.
std::optional<absl::Duration> RetryDelayOf(const absl::Status& status);

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_ERRORS_H_
