// Room for the answer to a request, beside that for its message.
#ifndef REDUCTOR_SERVICE_ROOM_H_
#define REDUCTOR_SERVICE_ROOM_H_

#include <cstdint>

#include "absl/status/status.h"
#include "service/admission.h"

namespace reductor {

// Lets the ticket grow by `working_bytes`, for results of `result_bytes` and
// all that is folded on the way to them. RESOURCE_EXHAUSTED: OUTPUT_TOO_LARGE
// where the results exceed `max_output_bytes` or the work could never fit the
// budget; BUSY where it does not fit now.
absl::Status MakeRoom(int64_t result_bytes, int64_t working_bytes,
                      int64_t max_output_bytes, Admission::Ticket* ticket);

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_ROOM_H_
