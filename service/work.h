// How much is too much for a thread that polls the sockets: what takes a
// millisecond and more is left to the workers.
#ifndef REDUCTOR_SERVICE_WORK_H_
#define REDUCTOR_SERVICE_WORK_H_

#include <cstdint>

#include "absl/types/span.h"
#include "core/plan.h"

namespace reductor {

// A message longer than this may take long. The pieces of most streams, 1 MiB
// and a few bytes each, are folded where they arrive: while they are in that
// thread's cache.
inline constexpr int64_t kLongMessageBytes = 2 << 20;

// Whether it takes long to fold `bytes` of a tensor by all of the plans, and to
// write `output_bytes`.
bool TakesLong(absl::Span<const Plan> plans, int64_t bytes,
               int64_t output_bytes);

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_WORK_H_
