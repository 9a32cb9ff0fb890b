// A ReduceStream call: a tensor that arrives in messages, results that leave in
// messages. It reads no further while the client does not take its answers.
#ifndef REDUCTOR_SERVICE_STREAM_CALL_H_
#define REDUCTOR_SERVICE_STREAM_CALL_H_

#include <cstdint>

#include "service/admission.h"
#include "service/async_call.h"
#include "service/calls.h"
#include "service/workers.h"

namespace reductor {

// Serves the call once there is room for two messages of its client: of
// kStreamMessageBytes each, or of `max_message_bytes` or half the budget if
// that is less. What is long to take in is left to the workers. Without a
// ticket the answer is DRAINING and nothing is read. The reactor deletes
// itself; all that it is given outlives it.
AsyncReactor* ServeStreamCall(AsyncCall* call, int64_t max_message_bytes,
                              int64_t max_output_bytes, Admission* admission,
                              Workers* workers, Calls::Ticket ticket);

// Longer messages are taken, too, but room for them is counted only once they
// are there.
inline constexpr int64_t kStreamMessageBytes = 4 << 20;

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_STREAM_CALL_H_
