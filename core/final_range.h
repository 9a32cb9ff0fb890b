// Folds a range whose states are final, to its results.
#ifndef REDUCTOR_CORE_FINAL_RANGE_H_
#define REDUCTOR_CORE_FINAL_RANGE_H_

#include <cstddef>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "core/kernels.h"
#include "core/nest.h"
#include "core/plan.h"
#include "core/range_fold.h"

namespace reductor {

// Folds `steps` steps of the level `cut` and writes their results. Each call of
// fold_of(kernel), whose kernel is the plan's or its trial, gives a new fold
// that begins with the first of them. REQUIRES: the level and those below have
// all elements of each result.
void ReduceFinalRange(const Plan& plan, const Level& cut, int64_t steps,
                      std::byte* results,
                      absl::FunctionRef<RangeFold(const Kernel&)> fold_of);

}  // namespace reductor

#endif  // REDUCTOR_CORE_FINAL_RANGE_H_
