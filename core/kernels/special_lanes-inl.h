// Lanes that some CPUs fill faster than VectorLanes, with the same bits, and
// which loops choose once they run. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_SPECIAL_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_SPECIAL_LANES_INL_H_
#undef REDUCTOR_CORE_KERNELS_SPECIAL_LANES_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_SPECIAL_LANES_INL_H_
#endif

#include <cstdint>
#include <type_traits>

#include "core/cpu.h"
#include "core/kernels/added_lanes-inl.h"
#include "core/kernels/isa-inl.h"
#include "core/kernels/magnitude_lanes-inl.h"
#include "core/kernels/monoid_traits.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// Whether the states of M have such lanes, for Intel's CPUs that have adders of
// their own: AMD's widen by fewer steps, and what adds where it multiplies
// gains nothing. Cascade Lake, in cache, GB/s by these and by VectorLanes of
// AVX-512:
//   sums of all            33  39
//   sums of 16 columns     30  44
//   L1 of rows of 400      29  39
//   L1 of 1,000 columns    30  34
template <Monoid M>
inline constexpr bool kHasSpecialLanes = (std::is_same_v<M, ReduceL1<float>> &&
                                          kHasAvx512) ||
                                         (std::is_same_v<M, ReduceSum<float>> &&
                                          kIsAvx2);

// Whether these fold in a scale and an order of their own.
template <Monoid M>
inline constexpr bool kHasScaledLanes =
    std::is_same_v<M, ReduceL1<float>>&& kHasSpecialLanes<M>;

// Whether this is such a CPU, or one that is taken for it (cpu.h).
inline const bool kWantsSpecialLanes = kCpuKind == CpuKind::kGoldenCove;

// REQUIRES: kHasSpecialLanes<M>.
template <Monoid M, int64_t kWidth>
using SpecialLanes =
    std::conditional_t<kIsL1<M>, MagnitudeLanes<kWidth>, AddedLanes<kWidth>>;

// Makes kWidth states of M, of columns of `rows` rows, by walk(lanes), if that
// is faster and right; says whether it did.
template <Monoid M, int64_t kWidth, class Walk>
HWY_INLINE bool FoldSpecial(int64_t rows, double* HWY_RESTRICT states,
                            const Walk& walk) {
  using Special = SpecialLanes<M, kWidth>;
  if (!kWantsSpecialLanes || rows < Special::kFewestRows) return false;
  Special lanes;
  walk(lanes);
  return lanes.StoreStates(states);
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_SPECIAL_LANES_INL_H_
