// The kernels of the operators that sum elements or their absolute values.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/sums.cc"
#undef REDUCTOR_KERNEL_GROUP
#define REDUCTOR_KERNEL_GROUP(X) \
  X(ReduceSum)                   \
  X(ReduceL1)                    \
  X(ReduceMean)                  \
  X(ReduceLogSum)

// foreach_target.h re-includes this file once per instruction set, and must
// precede all that is compiled per set.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "core/kernels/tables-inl.h"
// clang-format on
