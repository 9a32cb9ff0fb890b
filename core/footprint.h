// How much memory reducing takes besides the tensor itself, so that a server
// can make room before it starts. Bounds, in bytes; int64's largest value where
// a bound is larger than int64 counts. What each thread keeps for the next
// reduction, Scratch::kMostKept at most, belongs to none and is not counted;
// nor is what a block takes to begin with a cache line (line_bytes.h).
#ifndef REDUCTOR_CORE_FOOTPRINT_H_
#define REDUCTOR_CORE_FOOTPRINT_H_

#include <cstdint>

#include "absl/types/span.h"
#include "core/plan.h"

namespace reductor {

// What Reduce() takes: the states on their way, and all results.
int64_t WorkingBytes(absl::Span<const Plan> plans);

// What PiecewiseReduce takes when its results are taken after every piece.
int64_t PiecewiseWorkingBytes(absl::Span<const Plan> plans);

// The results that are open at once: those below the outermost reduced axis,
// which become final together. None where nothing is reduced; all of them where
// the tensor has no elements.
int64_t OpenResultBytes(absl::Span<const Plan> plans);

}  // namespace reductor

#endif  // REDUCTOR_CORE_FOOTPRINT_H_
