// What the loops ask of the instructions that they are compiled for. Compiled
// once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_ISA_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_ISA_INL_H_
#undef REDUCTOR_CORE_KERNELS_ISA_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_ISA_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// Of Highway's numbers the better instruction set has the lower one, and other
// architectures have higher ones than x86.
inline constexpr bool kHasAvx512 = HWY_TARGET <= HWY_AVX3;
inline constexpr bool kHasAvx2 = HWY_TARGET <= HWY_AVX2;
inline constexpr bool kIsAvx2 = kHasAvx2 && !kHasAvx512;
inline constexpr bool kIsSse4 = HWY_ARCH_X86 && !kHasAvx2;

// Whether loops are compiled that only save time: without them others fold the
// same. Not for SSE4: a CPU without AVX2 is older than 2013, small, or a
// virtual machine that hides it.
inline constexpr bool kHasExtraLoops = !kIsSse4;

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_ISA_INL_H_
