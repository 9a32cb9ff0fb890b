// How long a reduction takes, without running it: for who decides whether to
// share it among threads, or on which thread to begin.
#ifndef REDUCTOR_CORE_WORK_H_
#define REDUCTOR_CORE_WORK_H_

#include <cstdint>

#include "core/plan.h"

namespace reductor {

// As many bytes as a sum of float32 takes the time for that this takes for one:
// at least 1, or 0 of an identity, which reads none.
int64_t WorkPerByte(const Plan& plan);

}  // namespace reductor

#endif  // REDUCTOR_CORE_WORK_H_
