// A few rows of a slab, folded side by side into a state per column. Compiled
// once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_SLAB_CHAIN_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_SLAB_CHAIN_INL_H_
#undef REDUCTOR_CORE_KERNELS_SLAB_CHAIN_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_SLAB_CHAIN_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/kernels.h"
#include "core/kernels/lanes.h"
#include "core/kernels/lanes_of-inl.h"
#include "core/kernels/limb_lanes-inl.h"
#include "core/kernels/plain_lanes-inl.h"
#include "core/kernels/widening-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// How lanes take elements from i of x on, each the k'th of its column.
template <Monoid M>
struct ElementsOf {
  template <Into kInto, int64_t kCount, class L>
  static HWY_INLINE void Take(L& lanes, const std::byte* HWY_RESTRICT x,
                              int64_t i, int64_t /*k*/) {
    HWY_NAMESPACE::Take<M, kInto, kCount>(lanes, x, i);
  }
};

// Folds rows of kWidth columns each, `stride` elements apart, from element i of
// x on, into states [at, at + kWidth) of `to`. Where `first_row` rows of the
// slab came before, these states hold them, and are joined.
template <Monoid M, int64_t kWidth, class Elements, class L>
HWY_INLINE void FoldChain(const std::byte* HWY_RESTRICT x, int64_t i,
                          int64_t rows, int64_t stride, int64_t first_row,
                          L& to, int64_t at) {
  if constexpr (HasVectors<M>() || LimbsOf<M>::kAreThere) {
    static_assert(std::is_same_v<Elements, ElementsOf<M>>);
    // What is added in limbs stays in registers as well (L2 of slabs of 172 x
    // 17 int64, in cache, Intel: 11 GB/s by lanes in memory, 14 so).
    using Group = GroupOf<M, kWidth>;
    Group lanes(x, i);
    int64_t r = 1;
    // Four at a time, whose order does not count (L2 of int32 slabs of 70 x 16,
    // products of slabs of 691 x 8, in cache, AVX-512: 16 and 9 GB/s by one, 46
    // and 31 so).
    if constexpr (HasLongLatency<M>()) {
      if (rows >= 4) {
        Group second(x, i + stride);
        Group third(x, i + 2 * stride);
        Group fourth(x, i + 3 * stride);
        for (r = 4; r + 4 <= rows; r += 4) {
          lanes.Append(x, i + r * stride);
          second.Append(x, i + (r + 1) * stride);
          third.Append(x, i + (r + 2) * stride);
          fourth.Append(x, i + (r + 3) * stride);
        }
        lanes.Combine(third);
        second.Combine(fourth);
        lanes.Combine(second);
      }
    }
    for (; r < rows; ++r) lanes.Append(x, i + r * stride);
    if (first_row > 0) {
      lanes.CombineInto(to, at);
    } else {
      lanes.Store(to, at);
    }
  } else {
    Lanes<typename M::State, kWidth> lanes;
    Elements::template Take<Into::kNew, kWidth>(lanes, x, i, first_row);
    for (int64_t r = 1; r < rows; ++r) {
      Elements::template Take<Into::kHeld, kWidth>(lanes, x, i + r * stride,
                                                   first_row + r);
    }
    if (first_row > 0) {
#pragma GCC unroll 1
      for (int64_t l = 0; l < kWidth; ++l) {
        lanes.Set(l, M::Combine(to.Get(at + l), lanes.Get(l)));
      }
    }
    CopyLanes<kWidth>(lanes, to, at);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_SLAB_CHAIN_INL_H_
