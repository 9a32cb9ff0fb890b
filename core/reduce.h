// Runs plans over a tensor where it lies: in order, in pieces of any size, by
// ranges that depend on the plan alone, so that the same request gives the same
// bits however its bytes were cut and however many threads there are.
#ifndef REDUCTOR_CORE_REDUCE_H_
#define REDUCTOR_CORE_REDUCE_H_

#include <vector>

#include "absl/strings/cord.h"
#include "absl/types/span.h"
#include "core/plan.h"

namespace reductor {

// The results of `plans`, in order, each output_bytes() long, row-major. All
// plans are folded in one pass over `data`.
// REQUIRES: every plan came from one MakePlans() call, and `data` holds the
// tensor's bytes: plans[i].input_bytes() of them.
// An identity's result shares the memory of `data`; the others own theirs.
std::vector<absl::Cord> Reduce(absl::Span<const Plan> plans,
                               const absl::Cord& data);

}  // namespace reductor

#endif  // REDUCTOR_CORE_REDUCE_H_
