// How many ranges are folded before what was folded is joined: a wave.
#ifndef REDUCTOR_CORE_WAVES_H_
#define REDUCTOR_CORE_WAVES_H_

#include <cstdint>

#include "core/nest.h"
#include "core/plan.h"

namespace reductor {

// Enough for every thread, few enough to bound the states; at least 1.
// REQUIRES: `nest` is of `plan`.
int64_t RangesPerWave(const Plan& plan, const Nest& nest);

// The bytes of a range's results, and of its states unless they are final: then
// a thread has those of a few steps at a time.
double StateAndResultBytes(const Plan& plan, const Nest& nest);

}  // namespace reductor

#endif  // REDUCTOR_CORE_WAVES_H_
