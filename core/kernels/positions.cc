// The kernels of ArgMax and ArgMin; Last: with select_last_index. See
// tables-inl.h.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/positions.cc"
#undef REDUCTOR_KERNEL_GROUP
#define REDUCTOR_KERNEL_GROUP(X) \
  X(ArgMax)                      \
  X(ArgMaxLast)                  \
  X(ArgMin)                      \
  X(ArgMinLast)

// foreach_target.h re-includes this file once per instruction set, and must
// precede all that is compiled per set.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "core/kernels/tables-inl.h"
// clang-format on
