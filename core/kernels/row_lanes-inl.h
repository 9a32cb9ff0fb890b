// One row folded into lanes. Compiled once per instruction set.
//
// The elements at a row's end that are too few to fill the lanes are not taken
// one by one: the row's last elements are loaded as lanes, of which those that
// were there before join as nothing. It costs one step, and reads nothing
// beyond the row.
#if defined(REDUCTOR_CORE_KERNELS_ROW_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_ROW_LANES_INL_H_
#undef REDUCTOR_CORE_KERNELS_ROW_LANES_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_ROW_LANES_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/kernels/lane_groups-inl.h"
#include "core/kernels/lanes_of-inl.h"
#include "core/kernels/limb_lanes-inl.h"
#include "core/kernels/prefetch-inl.h"
#include "core/kernels/quarters-inl.h"
#include "core/kernels/read_ahead-inl.h"
#include "core/kernels/row_at_once-inl.h"
#include "core/kernels/widening-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// Folds rows of `n` elements into kWidth lanes, a group at most.
template <Monoid M, int64_t kWidth>
class RowLanes {
 public:
  // REQUIRES: n >= kWidth.
  explicit HWY_INLINE RowLanes(int64_t n)
      : n_(n), tail_((kWidth - n % kWidth) % kWidth) {}

  // Folds row r of `rows`, which lie one after the other; joins its lanes by
  // halves to kKept, which become states [r * kKept, (r + 1) * kKept) of `to`.
  // Prefetches what is `ahead` of them.
  template <int64_t kKept, class L>
  HWY_INLINE void Fold(const std::byte* HWY_RESTRICT x, int64_t rows,
                       ReadAhead& ahead, L& to) const {
    // A copy, which stays in registers: for all the compiler knows, a store to
    // `to` may change `ahead` itself.
    ReadAhead in_registers = ahead;
    FoldRows<kKept>(x, rows, in_registers, to);
    ahead = in_registers;
  }

 private:
  using Group = RowGroupOf<M, kWidth>;
  static constexpr int64_t kTurn = kRowTurn<M, kWidth>;
  static constexpr int64_t kSize = sizeof(typename M::Input);
  static constexpr int64_t kFill = kElementsOfLanes<M>;

  template <int64_t kKept, class L>
  HWY_INLINE void FoldRows(const std::byte* HWY_RESTRICT x, int64_t rows,
                           ReadAhead& ahead, L& to) const {
    if constexpr (LimbsOf<M>::kAreThere) {
      for (int64_t r = 0; r < rows; ++r) {
        FoldLimbs<kKept>(x + r * n_ * kSize, ahead, to, r * kKept);
      }
    } else if constexpr (kIsRowAtOnce<M, kWidth>) {
      const RowAtOnce<M, kWidth> row(n_, tail_);
      for (int64_t r = 0; r < rows; ++r) {
        StreamFirstTurn(x + r * n_ * kSize, ahead);
        row.template Fold<kKept>(x + r * n_ * kSize, ahead, to, r * kKept);
      }
    } else {
      if constexpr (kTurn > kWidth) {
        if constexpr (kFill != kEndless) {
          if (n_ > kFill) {
            return FoldByGroups<Filled::kAnew, kKept>(x, rows, ahead, to);
          }
        }
        if constexpr (kIsExact<M>) {
          if (ReadsQuarters(n_ * kSize)) {
            return FoldByGroups<Filled::kByQuarters, kKept>(x, rows, ahead, to);
          }
        }
        if (n_ >= kTurn) {
          return FoldByGroups<Filled::kSideBySide, kKept>(x, rows, ahead, to);
        }
      }
      FoldByGroups<Filled::kInTurn, kKept>(x, rows, ahead, to);
    }
  }

  // Where memory is read as streams, asks them for as much as the first turn of
  // the row from x on; later turns do so as they are folded, and the next row
  // for what is left of this one. Rows of a few bytes take longer to fold than
  // to come, as elements of 32 bits that are widened do (sums of rows
  // of 5 and 17 float32 from memory, Zen 3: 4 and 8 GB/s prefetched, 6 and 11
  // so).
  HWY_INLINE void StreamFirstTurn(const std::byte* x, ReadAhead& ahead) const {
    constexpr bool kTakeLonger =
        kWidth * kSize < 32 || (VectorsWiden<M>() && kSize == 4);
    if constexpr (!kTakeLonger) {
      ahead.PrefetchStreamsUpTo(x + std::min(n_, kTurn) * kSize);
    }
  }

  // Folds a row of what is added in limbs, by one group. Its turns prefetch, as
  // those of long rows do (means and L2 of all int64 from memory, Intel,
  // AVX-512: 13 and 8 GB/s unprefetched, 16 and 13 so), in one of two ways:
  // both in one loop would cost a fifth in cache (means of all, AVX2: 59 and 49
  // GB/s).
  template <int64_t kKept, class L>
  HWY_INLINE void FoldLimbs(const std::byte* HWY_RESTRICT x, ReadAhead& ahead,
                            L& to, int64_t at) const {
    StreamFirstTurn(x, ahead);
    Group group(x, 0);
    int64_t i = 0;
    if (ahead.in_order()) {
      i = FillLimbs(x, group, [](const std::byte* turn) {
        PrefetchAfter<kRowCacheFor<M>>(turn, kWidth * kSize);
      });
    } else if (ahead.as_streams()) {
      i = FillLimbs(x, group, [&ahead](const std::byte* turn) {
        ahead.PrefetchStreamsUpTo(turn + kWidth * kSize);
      });
    } else {
      i = FillLimbs(x, group, PrefetchNothing());
    }
    FoldLast<kKept>(x, i, group, to, at);
  }

  // The group, which has the first elements of the row, takes the turns after
  // them, each after prefetch(turn); says where the rest begins.
  template <class Prefetch>
  HWY_INLINE int64_t FillLimbs(const std::byte* HWY_RESTRICT x, Group& group,
                               const Prefetch& prefetch) const {
    int64_t i = kWidth;
#pragma GCC unroll 2
    for (; i + kWidth <= n_; i += kWidth) {
      prefetch(x + i * kSize);
      group.Append(x, i);
    }
    return i;
  }

  // How a row fills groups of lanes: one, again and again; several side by side
  // while it fills all; these by a quarter of it each; or anew after every
  // kFill elements.
  enum class Filled { kInTurn, kSideBySide, kByQuarters, kAnew };

  // A loop for each of these, which is short enough to keep all it needs in
  // registers (sums of rows of 17 and 23 float32, in cache, AVX-512: 23 and 30
  // GB/s in one with longer rows, 29 and 39 so).
  template <Filled kFilled, int64_t kKept, class L>
  HWY_INLINE void FoldByGroups(const std::byte* HWY_RESTRICT x, int64_t rows,
                               ReadAhead& ahead, L& to) const {
    for (int64_t r = 0; r < rows; ++r) {
      FoldRow<kFilled, kKept>(x + r * n_ * kSize, ahead, to, r * kKept);
    }
  }

  template <Filled kFilled, int64_t kKept, class L>
  HWY_INLINE void FoldRow(const std::byte* HWY_RESTRICT x, ReadAhead& ahead,
                          L& to, int64_t at) const {
    const int64_t n = n_;
    // Quarters are streams themselves.
    if constexpr (kFilled != Filled::kByQuarters) StreamFirstTurn(x, ahead);
    Group group = kFilled == Filled::kAnew ? Group() : Group(x, 0);
    int64_t i = kWidth;
    if constexpr (kFilled == Filled::kInTurn) {
      // Float32 sums of rows of 17 and 30 from memory, Intel, AVX-512: 8 and 9
      // GB/s unprefetched, 11 and 12 so.
      ahead.PrefetchInOrder<kRowCacheFor<M>>(x, n * kSize);
    } else if constexpr (kFilled == Filled::kSideBySide) {
      LaneGroups<M, kWidth> groups(group, x, 0, ahead);
      i = groups.Fill(x, kTurn, n, ahead);
      groups.CombineByHalves();
    } else if constexpr (kFilled == Filled::kByQuarters) {
      i = n / kTurn * kTurn;
      using Groups = LaneGroups<M, kWidth>;
      Groups groups(group, x, typename Groups::Apart{i / 4});
      groups.FillQuarters(x, i / 4);
      groups.CombineByHalves();
    } else {
      // The first ones join what nothing has filled: if they had a loop of
      // their own, the CPU would not see that it and the other walk one array
      // (sums of rows of 2,048 float64, in cache, AMD, AVX-512: 112 GB/s, 186
      // so).
      LaneGroups<M, kWidth> groups(group);
      for (i = 0; i + kTurn <= n;) {
        Group first(x, i);
        LaneGroups<M, kWidth> anew(first, x, i, ahead);
        i = anew.Fill(x, i + kTurn, std::min(n, i + kFill), ahead);
        groups.Combine(anew);
      }
      groups.CombineByHalves();
    }
    FoldRest<kKept>(x, i, group, to, at);
  }

  // Ends the row whose elements before the i'th the group has.
  template <int64_t kKept, class L>
  HWY_INLINE void FoldRest(const std::byte* HWY_RESTRICT x, int64_t i,
                           Group& group, L& to, int64_t at) const {
    for (; i + kWidth <= n_; i += kWidth) group.Append(x, i);
    FoldLast<kKept>(x, i, group, to, at);
  }

  // The same where fewer than kWidth are left, as of most rows some are: told
  // so, g++ keeps this step in the loop over rows (products of rows of 5
  // uint64, in cache, Zen 4: 22 GB/s by two jumps, 42 so).
  template <int64_t kKept, class L>
  HWY_INLINE void FoldLast(const std::byte* HWY_RESTRICT x, int64_t i,
                           Group& group, L& to, int64_t at) const {
    if (HWY_LIKELY(i < n_)) group.AppendTo(tail_, x, n_ - kWidth);
    group.template StoreHalved<kKept>(to, at);
  }

  int64_t n_;
  // The lanes that take elements in the last step.
  typename Group::Tail tail_;
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_ROW_LANES_INL_H_
