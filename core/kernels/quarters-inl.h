// Where loops whose order does not count walk an array as its four quarters,
// side by side. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_QUARTERS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_QUARTERS_INL_H_
#undef REDUCTOR_CORE_KERNELS_QUARTERS_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_QUARTERS_INL_H_
#endif

#include <cstdint>

#include "core/cpu.h"
#include "core/kernels/prefetch-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// Whether so many bytes are walked so. Quarters shorter than a page, where the
// CPU's own prefetching ends, are read no faster. Zen 3, GB/s in order and by
// quarters, from memory and in cache:
//   the largest of all int32                  16  20   74  80
//   sums of all int32                         16  20   63  68
//   the largest of 1,024 columns of float32   17  22   57  70
HWY_INLINE bool ReadsQuarters(int64_t bytes) {
  return ReadsSeveral() && bytes >= 4 * kPageBytes;
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_QUARTERS_INL_H_
