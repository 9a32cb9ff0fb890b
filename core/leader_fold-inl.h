// The columns of ArgMax and ArgMin: each folds its best key so far with the
// place of that. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_LEADER_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_LEADER_FOLD_INL_H_
#undef REDUCTOR_CORE_LEADER_FOLD_INL_H_
#else
#define REDUCTOR_CORE_LEADER_FOLD_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/column_fold-inl.h"
#include "core/cpu.h"
#include "core/kernels.h"
#include "core/lanes.h"
#include "core/narrow_of-inl.h"
#include "core/ordered.h"
#include "core/plain_lanes-inl.h"
#include "core/prefetch-inl.h"
#include "core/reducers/extremes.h"
#include "core/row_search-inl.h"
#include "core/slab_fold-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// Of the position P.
template <class P>
class LeaderFolder;

template <template <class> class Extreme, class T, Tie kTie>
class LeaderFolder<Position<Extreme, T, kTie>> {
  using P = Position<Extreme, T, kTie>;
  using State = typename P::State;

 public:
  // states[s * cols + c] = Combine(it, column c of slab s).
  static void Slabs(const std::byte* HWY_RESTRICT x, int64_t slabs,
                    int64_t rows, int64_t cols, State* HWY_RESTRICT states,
                    Into into) {
    using Tile = SlabFolder<Leader, LeaderElements,
                            std::min<int64_t>(kGroup<Leader>, 16)>;
    const int64_t slab = rows * cols;
    // Slabs that continue others are rare: a position's axis is one.
    if (slab > kMaxSlab || cols > kMaxSlabStates || into == Into::kHeld) {
      return FoldEachSlab<LeaderFolder, kSize>(x, slabs, rows, cols, states,
                                               into);
    }
    for (int64_t count; slabs > 0; slabs -= count) {
      count = std::min(slabs, Tile::MaxSlabs(rows, cols));
      const Tile folded(x, count, rows, cols, slabs - count);
      PutStates<P>(states, count * cols, Into::kNew, [&](int64_t i) {
        const auto [key, place] = folded.Get(i);
        return P::StateOf(key, place, rows);
      });
      x += count * slab * kSize;
      states += count * cols;
    }
  }

  // states[c] = Combine(states[c], x[r * stride + c]) for every row in order.
  static void Columns(const std::byte* HWY_RESTRICT x, int64_t rows,
                      int64_t stride, int64_t cols, State* HWY_RESTRICT states,
                      Into into) {
    // As many rows as fit are walked side by side, as one row of more columns,
    // but not so many that to join them takes as long (float32 of 64 x 12: 5.0
    // GB/s and 17).
    const int64_t side_by_side =
        stride == cols
            ? std::max<int64_t>(1, std::min(kNarrowStrip / cols, rows / 16))
            : 1;
    const int64_t at_once = kMaxPlace * side_by_side;
    for (; rows > 0; rows -= at_once, x += at_once * stride * kSize) {
      const int64_t count = std::min(rows, at_once);
      for (int64_t c = 0; c < cols; c += kStrip) {
        const int64_t width = std::min(kStrip, cols - c);
        StripLanes lanes;
        FoldStrip(x + c * kSize, count, stride, width, side_by_side, lanes);
        PutStates<P>(states + c, width, into, [&](int64_t l) {
          return BestOfColumn(lanes, l, width, side_by_side, count);
        });
      }
      into = Into::kHeld;
    }
  }

  // The positions in columns of slabs of few rows.
  static void ReduceFewRows(const std::byte* HWY_RESTRICT x, int64_t slabs,
                            int64_t rows, int64_t stride, int64_t cols,
                            int64_t* HWY_RESTRICT out) {
    if (rows == 1) {
      std::fill_n(out, slabs * cols, 0);
      return;
    }
    for (int64_t s = 0; s < slabs;
         ++s, x += rows * stride * kSize, out += cols) {
      for (int64_t c = 0; c < cols; c += kNarrowStrip) {
        const int64_t width = std::min(kNarrowStrip, cols - c);
        StripLanes lanes;
        FoldStrip(x + c * kSize, rows, stride, width, 1, lanes);
        for (int64_t l = 0; l < width; ++l) out[c + l] = lanes.Get(l).place;
      }
    }
  }

 private:
  static constexpr int64_t kSize = sizeof(T);
  // A page of each row: less of it the CPU does not follow (float32 from
  // memory, Intel, AVX-512: 4,096 columns by 256 10 GB/s, 14 so).
  static constexpr int64_t kStrip = kPageBytes / kSize;
  // The most lanes of rows that are walked side by side; and of few rows, whose
  // lanes are not met again (two rows of 65,536 float32, in cache: 19 GB/s by
  // pages, 26 so).
  static constexpr int64_t kNarrowStrip = 256;

  // What Extreme computes, by the keys that Position compares.
  struct BestKey : Extreme<T> {
    static constexpr Key<T> Map(T x) { return P::KeyAt(x); }
  };

  using Place = PlaceFor<T>;
  static constexpr int64_t kMaxPlace = 1 << 14;

  // The best key so far and its place. Combines successive elements.
  struct Leader {
    using Input = T;
    struct State {
      Key<T> key;
      Place place;
    };
    static constexpr State Identity() { return {BestKey::Identity(), 0}; }
    static constexpr State Map(T x) { return {BestKey::Map(x), 0}; }
    static constexpr State Combine(State a, State b) {
      const bool takes_b = P::IsBetter(b.key, a.key);
      return {takes_b ? b.key : a.key, takes_b ? b.place : a.place};
    }
  };

  using StripLanes = Lanes<typename Leader::State, kStrip>;
  // Rows a pass over these (float32 in cache, AVX-512: 1,024 columns of 16 bits
  // 50 GB/s by one, 73 so).
  static constexpr int64_t kMostRows = 4;
  // Elements that the CPU loads at once.
  static constexpr int64_t kLine = kLineBytes / kSize;

  // Elements from i of x on as leaders, at their place.
  struct LeaderElements {
    template <Into kInto, int64_t kCount, class Many>
    static HWY_INLINE void Take(Many& lanes, const std::byte* HWY_RESTRICT x,
                                int64_t i, int64_t place) {
#pragma GCC unroll 1
      for (int64_t l = 0; l < kCount; ++l) {
        const auto leader = At(x, i + l, place);
        lanes.Set(l, kInto == Into::kNew
                         ? leader
                         : Leader::Combine(lanes.Get(l), leader));
      }
    }

   private:
    static HWY_INLINE typename Leader::State At(const std::byte* HWY_RESTRICT x,
                                                int64_t i, int64_t place) {
      return {MapAt<BestKey>(x, i), static_cast<Place>(place)};
    }
  };

  // Folds kRows rows of `n` columns, which begin `step` elements apart, into as
  // many lanes, from row `first` on; and asks for what follows.
  template <int64_t kRows>
  static HWY_INLINE void FoldWideRows(const std::byte* HWY_RESTRICT x,
                                      int64_t first, int64_t step, int64_t n,
                                      StripLanes& lanes) {
    const auto place = static_cast<Place>(first);
    x += first * step * kSize;
    // Of packed rows Intel's L1 cache cannot take as many lines as come (16 and
    // 100 columns of float32 from memory, AVX-512: 9 and 9 GB/s by it, 11 and
    // 12 so; Zen 4: 20 and 16 by it, 20 and 11 so); other rows lose by the L2
    // cache where they are in it.
    const bool wants_l2 =
        kCpuKind == CpuKind::kOther && step == n && n < kStrip;
    const Cache to = wants_l2 ? Cache::kL2 : Cache::kL1;
    const PassPrefetch<kRows, kSize> prefetch(to, x, step, n, kRows * step);
    int64_t c = 0;
    for (; c + kLine <= n; c += kLine) {
      for (int64_t r = 0; r < kRows; ++r) prefetch.At(r, c);
      FoldWideColumns<kRows, kLine>(x, place, step, c, lanes);
    }
    for (; c < n; ++c) FoldWideColumns<kRows, 1>(x, place, step, c, lanes);
  }

  // The same of columns [c, c + kCols).
  template <int64_t kRows, int64_t kCols>
  static HWY_INLINE void FoldWideColumns(const std::byte* HWY_RESTRICT x,
                                         Place first, int64_t step, int64_t c,
                                         StripLanes& lanes) {
#pragma GCC unroll 1
    for (int64_t l = c; l < c + kCols; ++l) {
      typename Leader::State s = lanes.Get(l);
#pragma GCC unroll 4
      for (int64_t r = 0; r < kRows; ++r) {
        const auto place = static_cast<Place>(first + r);
        s = Leader::Combine(s, {MapAt<BestKey>(x, r * step + l), place});
      }
      lanes.Set(l, s);
    }
  }

  // Folds `width` of the columns of `rows` rows that are `stride` apart, some
  // rows side by side.
  static HWY_NOINLINE void FoldStrip(const std::byte* HWY_RESTRICT x,
                                     int64_t rows, int64_t stride,
                                     int64_t width, int64_t side_by_side,
                                     StripLanes& lanes) {
    const int64_t lane_count = std::min(side_by_side, rows) * width;
    for (int64_t l = 0; l < lane_count; ++l) {
      lanes.Set(l, {MapAt<BestKey>(x, l), 0});
    }
    const int64_t step = side_by_side * stride;
    const int64_t whole = rows / side_by_side;
    int64_t r = 1;
    for (; r + kMostRows <= whole; r += kMostRows) {
      FoldWideRows<kMostRows>(x, r, step, lane_count, lanes);
    }
    for (; r <= whole; ++r) {
      const int64_t left = (rows - r * side_by_side) * width;
      FoldWideRows<1>(x, r, step, std::min(left, lane_count), lanes);
    }
  }

  // What its lanes, which are `width` apart, make of column c of these.
  static HWY_INLINE State BestOfColumn(const StripLanes& lanes, int64_t c,
                                       int64_t width, int64_t side_by_side,
                                       int64_t rows) {
    auto [best, first] = lanes.Get(c);
    int64_t index = first * side_by_side;
    for (int64_t side = 1; side < std::min(side_by_side, rows); ++side) {
      const auto [key, place] = lanes.Get(c + side * width);
      const int64_t row = place * side_by_side + side;
      const bool takes = key == best ? (row < index) == (kTie == Tie::kFirst)
                                     : P::IsBetter(key, best);
      if (takes) {
        best = key;
        index = row;
      }
    }
    return P::StateOf(best, index, rows);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_LEADER_FOLD_INL_H_
