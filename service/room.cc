#include "service/room.h"

#include "service/status.h"

namespace reductor {

absl::Status MakeRoom(int64_t result_bytes, int64_t working_bytes,
                      int64_t max_output_bytes, Admission::Ticket* ticket) {
  if (result_bytes > max_output_bytes) {
    return OutputTooLargeError("the results", "--max-output-bytes",
                               max_output_bytes, result_bytes);
  }
  if (working_bytes > ticket->headroom()) {
    return OutputTooLargeError(
        "the results and what is held on the way to them",
        "what the call's messages leave of --memory-budget", ticket->headroom(),
        working_bytes);
  }
  return ticket->Grow(working_bytes);
}

}  // namespace reductor
