// A unary call served through gRPC's generic service: to that it is a
// bidirectional call with one message each way, and the server decides when the
// message is read.
#ifndef REDUCTOR_SERVICE_GENERIC_CALL_H_
#define REDUCTOR_SERVICE_GENERIC_CALL_H_

#include <functional>
#include <optional>

#include "absl/status/statusor.h"
#include "core/reduce.h"
#include "grpcpp/support/byte_buffer.h"
#include "service/admission.h"
#include "service/async_call.h"
#include "service/calls.h"
#include "service/request_log.h"
#include "service/workers.h"

namespace reductor {

// Computes the bytes of the response from those of the request, and notes for
// the log what it did; CANCELLED once that is in vain. Absent: it would take
// long, which it may not; nothing has been done. The room's ticket has the
// request's size, and grows by what the answer takes. May throw: the call then
// ends with INTERNAL, alone.
using MethodHandler =
    std::function<absl::StatusOr<std::optional<grpc::ByteBuffer>>(
        const grpc::ByteBuffer& request, bool may_take_long,
        IsCancelled is_cancelled, Admission::Ticket* room, RequestLog* log)>;

// Reads the call's message, of at most `max_message_bytes`, once there is room
// for it, and answers it with `handler`, on the thread that read it or, where
// that takes long, on one of the workers. Without a ticket the answer is
// DRAINING and nothing is read. The reactor deletes itself; all that it is
// given outlives it.
AsyncReactor* ServeGenericCall(AsyncCall* call, const MethodHandler& handler,
                               int64_t max_message_bytes, Admission* admission,
                               Workers* workers, Calls::Ticket ticket);

// Answers UNIMPLEMENTED: the generic service sees every unregistered method.
AsyncReactor* RefuseUnknownMethod(AsyncCall* call);

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_GENERIC_CALL_H_
