// One row folded by loops over all its lanes, for what the compiler vectorises
// only so: states of several members, as of means and L2 of float64 that a
// trial did not suffice for, and rows of four lanes that are no named vectors,
// whose loop it would otherwise unroll first (the largest of float32 rows of 5,
// by SSE4, 3 GB/s by groups, 24 so). Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_ROW_AT_ONCE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_ROW_AT_ONCE_INL_H_
#undef REDUCTOR_CORE_KERNELS_ROW_AT_ONCE_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_ROW_AT_ONCE_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/kernels.h"
#include "core/kernels/lane_groups-inl.h"
#include "core/kernels/lanes.h"
#include "core/kernels/plain_lanes-inl.h"
#include "core/kernels/read_ahead-inl.h"
#include "core/kernels/widening-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Whether rows of M that have kWidth lanes are folded so.
template <Monoid M, int64_t kWidth>
inline constexpr bool kIsRowAtOnce = std::is_class_v<typename M::State> ||
                                     (kWidth <= 4 && !HasNamedVectors<M>());

// Folds rows of `n` elements into kWidth lanes.
template <Monoid M, int64_t kWidth>
class RowAtOnce {
 public:
  // REQUIRES: n >= kWidth, and `first` is the lane from which on the last
  // elements, loaded as lanes, are new.
  HWY_INLINE RowAtOnce(int64_t n, LaneNumber<M> first) : n_(n), first_(first) {}

  // Folds the row that begins with x; joins its lanes by halves to kKept, which
  // become states [at, at + kKept) of `to`. Prefetches what is `ahead` of it.
  template <int64_t kKept, class L>
  HWY_INLINE void Fold(const std::byte* HWY_RESTRICT x, ReadAhead& ahead, L& to,
                       int64_t at) const {
    const int64_t n = n_;
    Lanes<typename M::State, kTurn> lanes;
    int64_t i = 0;
    if constexpr (kTurn > kWidth) {
      if (n >= kTurn) {
        i = n / kTurn * kTurn;
        FoldFills(x, i, ahead, lanes);
        Halve<M, kTurn, kWidth>(lanes);
      }
    }
    if (i == 0) {
      Take<M, Into::kNew, kWidth>(lanes, x, 0);
      i = kWidth;
    }
    for (; i + kWidth <= n; i += kWidth) {
      Take<M, Into::kHeld, kWidth>(lanes, x, i);
    }
    if (HWY_LIKELY(i < n)) {
      AppendTail<M, kWidth>(lanes, 0, first_, x, n - kWidth);
    }
    HalveInto<M, kWidth, kKept>(lanes, to, at);
  }

 private:
  static constexpr int64_t kSize = sizeof(typename M::Input);
  static constexpr int64_t kTurn = kRowTurn<M, kWidth>;
  static constexpr int64_t kFill = kElementsOfLanes<M>;

  // So many lanes are folded at a time, through all turns: they stay in
  // registers, of which they fill eight at most (states of two float64,
  // AVX-512: 20 GB/s by all lanes, 75 so).
  static constexpr int64_t kLanesAtOnce = std::min<int64_t>(
      {kTurn, 2 * kWidth,
       std::bit_floor(8 * hn::MaxLanes(hn::ScalableTag<uint8_t>()) /
                      sizeof(typename M::State))});

  // Lanes [first, first + kLanesAtOnce) of the first `n` elements, whole turns
  // of all lanes, into those of `to`.
  template <class L>
  static HWY_INLINE void FoldTurns(const std::byte* HWY_RESTRICT x, int64_t n,
                                   int64_t first, ReadAhead& ahead, L& to) {
    Lanes<typename M::State, kLanesAtOnce> lanes;
    ahead.PrefetchInOrder<kCacheFor<M>>(x + first * kSize,
                                        kLanesAtOnce * kSize);
    Take<M, Into::kNew, kLanesAtOnce>(lanes, x, first);
    for (int64_t i = first + kTurn; i < n; i += kTurn) {
      ahead.PrefetchStreamsUpTo(x + i * kSize);
      ahead.PrefetchInOrder<kCacheFor<M>>(x + i * kSize, kLanesAtOnce * kSize);
      Take<M, Into::kHeld, kLanesAtOnce>(lanes, x, i);
    }
    CopyLanes<kLanesAtOnce>(lanes, to, first);
  }

  // All lanes of them, filled anew after kFill elements: in the order in which
  // groups are (row_lanes-inl.h), which fold the monoid's trial.
  template <class L>
  static HWY_INLINE void FoldFills(const std::byte* HWY_RESTRICT x, int64_t n,
                                   ReadAhead& ahead, L& to) {
    for (int64_t i = 0; i < n; i += kFill) {
      Lanes<typename M::State, kTurn> filled;
      for (int64_t l = 0; l < kTurn; l += kLanesAtOnce) {
        FoldTurns(x + i * kSize, std::min(n - i, kFill), l, ahead, filled);
      }
#pragma GCC unroll 1
      for (int64_t l = 0; l < kTurn; ++l) {
        to.Set(l, i > 0 ? M::Combine(to.Get(l), filled.Get(l)) : filled.Get(l));
      }
    }
  }

  int64_t n_;
  LaneNumber<M> first_;
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_ROW_AT_ONCE_INL_H_
