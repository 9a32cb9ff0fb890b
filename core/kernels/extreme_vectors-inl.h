// What the loops for the largest and the smallest share: vectors of elements.
//
// Floats are compared as the CPU does. That knows no NaNs: so the elements are
// added up too, which gives a NaN if there is one, and where there may be the
// caller compares keys instead (ordered.h). Nor does it know the sign of a
// zero, but for one instruction of AVX-512: elsewhere keys are compared too
// where the result of a row is a zero, and columns compare zeros in both
// orders. Of a row this is two operations an element, where keys take three
// operations for the largest, four for the smallest, a comparison included (the
// largest of float32 rows of 128 and 2,048, in cache, AVX-512: 122 and 198 GB/s
// by keys, 186 and 231 so). Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_EXTREME_VECTORS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_EXTREME_VECTORS_INL_H_
#undef REDUCTOR_CORE_KERNELS_EXTREME_VECTORS_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_EXTREME_VECTORS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/cpu.h"
#include "core/kernels/combine_vectors-inl.h"
#include "core/kernels/elements-inl.h"
#include "core/kernels/isa-inl.h"
#include "core/kernels/monoid_traits.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <Monoid M>
inline constexpr bool kHasFloatExtremes =
    IsExtreme<M>() && std::is_floating_point_v<typename M::Input>;

// Whether no element of this sum is a NaN. May be false without one: infinities
// of both signs, also those that finite elements of two lanes overflow to, add
// up to a NaN. Keys then find the same.
template <class V>
HWY_INLINE bool HasNoNan(V sum) {
  return hn::AllTrue(hn::DFromV<V>(), hn::Eq(sum, sum));
}

#if HWY_TARGET <= HWY_AVX3  // kHasAvx512
// Of each two floats the larger or the smaller one, where 0 is larger than -0;
// anything of a NaN. On Intel's CPUs it takes no longer than a comparison that
// does not know the signs of zeros (the largest of zeros, in cache, Intel: all
// float32 40 GB/s by a comparison and then by keys, 118 so; slabs of 642 x 8
// float64 42 in both orders, 97 so).
template <bool kIsMax, class V>
HWY_INLINE V BetterBySign(V a, V b) {
  // Bits 0 and 1: the smaller or the larger; 2 and 3: with its own sign.
  constexpr int kWhich = kIsMax ? 0b0101 : 0b0100;
  if constexpr (std::is_same_v<hn::TFromV<V>, float>) {
    if constexpr (sizeof(V) == 64) {
      return V{_mm512_range_ps(a.raw, b.raw, kWhich)};
    } else if constexpr (sizeof(V) == 32) {
      return V{_mm256_range_ps(a.raw, b.raw, kWhich)};
    } else {
      return V{_mm_range_ps(a.raw, b.raw, kWhich)};
    }
  } else {
    if constexpr (sizeof(V) == 64) {
      return V{_mm512_range_pd(a.raw, b.raw, kWhich)};
    } else if constexpr (sizeof(V) == 32) {
      return V{_mm256_range_pd(a.raw, b.raw, kWhich)};
    } else {
      return V{_mm_range_pd(a.raw, b.raw, kWhich)};
    }
  }
}
#endif

template <Monoid M>
requires(IsExtreme<M>()) struct ExtremeVectors {
  using T = typename M::Input;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr bool kIsMax = std::is_same_v<M, ReduceMax<T>>;
  static constexpr int64_t kSize = sizeof(T);
  static constexpr int64_t kWidth = hn::MaxLanes(D());

  // Of each two elements the larger or the smaller one; anything of a NaN. Of 0
  // and -0 the larger one is 0 if kKnowsZeros, else whichever comes second.
  static constexpr bool kKnowsZeros = kHasAvx512 && std::is_floating_point_v<T>;
  template <class Some>
  static HWY_INLINE Some Better(Some a, Some b) {
    if constexpr (kKnowsZeros) {
      return BetterBySign<kIsMax>(a, b);
    } else {
      return CombineVectors<M>(a, b);
    }
  }

  // Joins elements to the best ones and, of floats, to their sums.
  static HWY_INLINE void Take(V value, V& best, V& sum) {
    best = Better(value, best);
    if constexpr (std::is_floating_point_v<T>) sum = hn::Add(sum, value);
  }

  // Elements from i on.
  static HWY_INLINE V At(const std::byte* HWY_RESTRICT x, int64_t i) {
    return LoadElements(D(), x, i);
  }

  // How many elements x is past the begin of its line; 0 where none begins
  // there.
  static HWY_INLINE int64_t PastLine(const std::byte* HWY_RESTRICT x) {
    const auto past = static_cast<int64_t>(reinterpret_cast<uintptr_t>(x) %
                                           static_cast<uintptr_t>(kLineBytes));
    return past % kSize == 0 ? past / kSize : 0;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_EXTREME_VECTORS_INL_H_
