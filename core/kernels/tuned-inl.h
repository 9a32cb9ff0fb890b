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

// Whether loops are compiled that save only a little time, as others fold the
// same. Not for SSE4: what has no AVX2 is older than 2013, small, or a virtual
// machine that hides it.
inline constexpr bool kIsTuned = !HWY_ARCH_X86 || HWY_TARGET <= HWY_AVX2;

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_TUNED_INL_H_
