// The kernels of ReduceMax and ReduceMin, and of the logical operators, which
// are these of bool.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/extremes.cc"
#undef REDUCTOR_KERNEL_GROUP
#define REDUCTOR_KERNEL_GROUP(X) \
  X(ReduceMax)                   \
  X(ReduceMin)                   \
  X(ReduceLogicalAnd)            \
  X(ReduceLogicalOr)

// foreach_target.h re-includes this file once per instruction set, and must
// precede all that is compiled per set.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "core/kernels/tables-inl.h"
// clang-format on
