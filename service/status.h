// Every error that the service answers: each is made here, and one translator
// turns it into what goes over the wire. A request at fault comes from core as
// Violations; all else has a function below.
//
// To add an error: a function here that names its code and reason.
#ifndef REDUCTOR_SERVICE_STATUS_H_
#define REDUCTOR_SERVICE_STATUS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "grpcpp/support/status.h"

namespace reductor {

// INVALID_ARGUMENT MALFORMED_MESSAGE: the bytes are not the message; `what`
// says why.
absl::Status MalformedMessageError(absl::string_view what);

// RESOURCE_EXHAUSTED: `what` has `size_bytes`, more than this server ever
// takes; both numbers are metadata too. The limit on the output is set by
// `limit`.
absl::Status MessageTooLargeError(absl::string_view what, int64_t limit_bytes,
                                  int64_t size_bytes);
absl::Status OutputTooLargeError(absl::string_view what,
                                 absl::string_view limit, int64_t limit_bytes,
                                 int64_t size_bytes);

// RESOURCE_EXHAUSTED BUSY: `what` says what there was no room for; the caller
// is told to come back after `retry_delay`.
absl::Status BusyError(absl::string_view what, absl::Duration retry_delay);

// INVALID_ARGUMENT DECLARED_SIZE_INVALID: the metadata `key` should be a number
// of bytes.
absl::Status DeclaredSizeInvalidError(absl::string_view key,
                                      absl::string_view value);

// UNAVAILABLE DRAINING: another server, or this one's successor, will take it.
absl::Status DrainingError();

// UNKNOWN REFUSED_BY_GRPC: gRPC has ended the call by itself, because its
// message was compressed or too large; it does not say which. For the log: the
// caller has gRPC's own status.
absl::Status RefusedByGrpcError();

// INTERNAL: a bug of ours or memory that ran out. `detail` is for our log; the
// caller never sees it.
absl::Status InternalError(absl::string_view detail);

// The stable reason of an error, as its ErrorInfo carries it: the first
// violation's, or the one above. Empty where there is none.
std::string ReasonOf(const absl::Status& status);

// After what time the caller should come back; absent where it should not.
std::optional<absl::Duration> RetryDelayOf(const absl::Status& status);

// What goes over the wire: code, text, and the details in a google.rpc.Status
// (ErrorInfo with the domain "reductor", BadRequest for violations, RetryInfo).
grpc::Status ToGrpcStatus(const absl::Status& status);

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_STATUS_H_
