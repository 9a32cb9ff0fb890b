// Which instructions have all loops. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_TUNED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_TUNED_INL_H_
#undef REDUCTOR_CORE_KERNELS_TUNED_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_TUNED_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// Whether loops are compiled that are only faster than others, for all that
// those fold too. Not for SSE4: servers' CPUs have had AVX2 since 2013 and
// 2015, Intel's and AMD's, so that what has not is old, small or emulated. A
// fifth of SSE4's code is spared so, and a quarter of its time to compile
// (where it costs most, in two and three rows of 60,000 and 30,000 floats, sums
// have 16 and 14 GB/s with those loops and 4 and 6 so).
inline constexpr bool kIsTuned = !HWY_ARCH_X86 || HWY_TARGET <= HWY_AVX2;

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_TUNED_INL_H_
