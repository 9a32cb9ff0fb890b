// The loops of ArgMax and ArgMin: lanes would lose the order of the elements,
// so a row is searched for its best key, by the loop that finds it fast, and
// then for where that stands; short rows and columns fold the best key so far
// with its place. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_POSITION_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_POSITION_FOLD_INL_H_
#undef REDUCTOR_CORE_POSITION_FOLD_INL_H_
#else
#define REDUCTOR_CORE_POSITION_FOLD_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/fold-inl.h"
#include "core/reducers/extremes.h"
#include "core/row_search-inl.h"
#include "core/turned_slabs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

template <template <class> class Extreme, class T, Tie kTie>
struct Folder<Position<Extreme, T, kTie>> {
  using P = Position<Extreme, T, kTie>;
  using State = typename P::State;

  static void Rows(const std::byte* HWY_RESTRICT x, int64_t rows, int64_t n,
                   State* HWY_RESTRICT states, Into into) {
    if (n < kFewestSearched) return FoldShortRows(x, rows, n, states, into);
    const int64_t stride = n * static_cast<int64_t>(sizeof(T));
    for (int64_t r = 0; r < rows; ++r, x += stride) {
      // Its element's key, of which -0 has that of +0.
      const Key<T> best =
          P::KeyAt(Extreme<T>::Finish(FoldRow<Extreme<T>>(x, n), n));
      // Most blocks of a long row hold nothing better than those before.
      State block = {best, 0, n};
      const State before = into == Into::kNew ? P::Identity() : states[r];
      if (P::TakesSecond(before, block)) {
        block.index = RowSearch<P, T, kTie>::PlaceOf(best, x, n);
      }
      states[r] = P::Combine(before, block);
    }
  }

  static void Slabs(const std::byte* HWY_RESTRICT x, int64_t slabs,
                    int64_t rows, int64_t cols, State* HWY_RESTRICT states,
                    Into into) {
    using Tile = SlabFolder<Leader, LeaderElements<Leader>,
                            std::min<int64_t>(kGroup<Leader>, 16)>;
    const int64_t slab = rows * cols;
    if (cols < kFewestLanes) {
      return FoldTurnedSlabs<Folder, kSize>(x, slabs, rows, cols, states, into);
    }
    if (slab > kMaxSlab) {
      for (int64_t s = 0; s < slabs; ++s) {
        Columns(x + s * slab * kSize, rows, cols, cols, states + s * cols,
                into);
      }
      return;
    }
    for (int64_t count; slabs > 0; slabs -= count) {
      count = std::min(slabs, Tile::MaxSlabs(rows, cols));
      const Tile folded(x, count, rows, cols);
      PutStates<P>(states, count * cols, into, [&](int64_t i) -> State {
        const auto [key, place] = folded.Get(i);
        return {key, place, rows};
      });
      x += count * slab * kSize;
      states += count * cols;
    }
  }

  static void Columns(const std::byte* HWY_RESTRICT x, int64_t rows,
                      int64_t stride, int64_t cols, State* HWY_RESTRICT states,
                      Into into) {
    if (into == Into::kNew) std::fill_n(states, cols, P::Identity());
    // As many rows as fit are walked side by side, as one row of more columns,
    // but not so many that to join them takes as long (float32 of 64 x 12: 5.0
    // GB/s and 17).
    const int64_t side_by_side =
        stride == cols
            ? std::max<int64_t>(1, std::min(kStrip / cols, rows / 16))
            : 1;
    const int64_t at_once = kMaxPlace * side_by_side;
    for (; rows > 0; rows -= at_once, x += at_once * stride * kSize) {
      const int64_t count = std::min(rows, at_once);
      for (int64_t c = 0; c < cols; c += kStrip) {
        const int64_t width = std::min(kStrip, cols - c);
        FoldStrip(x + c * kSize, count, stride, width, side_by_side,
                  states + c);
      }
    }
  }

 private:
  static constexpr int64_t kSize = sizeof(T);
  static constexpr int64_t kStrip = 256;
  static constexpr int64_t kFewestSearched = 256 / kSize;
  // Fewer columns fill no lanes that are worth it.
  static constexpr int64_t kFewestLanes = 8;

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

  // The same in a short row, whose places fit the key's width. Combines states
  // in any order.
  struct RowLeader : Leader {
    struct State {
      Key<T> key;
      std::conditional_t<sizeof(T) == 1, uint8_t, Place> place;
    };
    static constexpr State Identity() { return {BestKey::Identity(), 0}; }
    static constexpr State Map(T x) { return {BestKey::Map(x), 0}; }
    static constexpr State Combine(State a, State b) {
      const Key<T> best = BestKey::Combine(a.key, b.key);
      const bool b_wins_ties =
          kTie == Tie::kFirst ? b.place < a.place : b.place > a.place;
      const bool takes_b = best != a.key || (best == b.key && b_wins_ties);
      return {best, takes_b ? b.place : a.place};
    }
  };

  // Element i of x as a leader, at its place.
  template <class L>
  struct LeaderElements {
    static HWY_INLINE typename L::State Map(const std::byte* HWY_RESTRICT x,
                                            int64_t i, int64_t place) {
      return {MapAt<BestKey>(x, i),
              static_cast<decltype(L::State::place)>(place)};
    }
    template <class Many>
    static HWY_INLINE void AppendTo(Many& lanes, int64_t l,
                                    const std::byte* HWY_RESTRICT x, int64_t i,
                                    int64_t place) {
      lanes.Set(l, L::Combine(lanes.Get(l), Map(x, i, place)));
    }
  };

  static void FoldShortRows(const std::byte* HWY_RESTRICT x, int64_t rows,
                            int64_t n, State* HWY_RESTRICT states, Into into) {
    using Tile = RowTile<RowLeader, LeaderElements<RowLeader>>;
    for (int64_t count; rows > 0; rows -= count) {
      count = std::min(rows, Tile::MaxRows(n));
      const Tile tile(x, count, n);
      PutStates<P>(states, count, into, [&tile, n](int64_t r) -> State {
        const auto [key, place] = tile.Get(r);
        return {key, place, n};
      });
      x += count * n * kSize;
      states += count;
    }
  }

  // Folds `width` of the columns of `rows` rows that are `stride` apart.
  static void FoldStrip(const std::byte* HWY_RESTRICT x, int64_t rows,
                        int64_t stride, int64_t width, int64_t side_by_side,
                        State* HWY_RESTRICT states) {
    Lanes<typename Leader::State, kStrip> lanes;
    const int64_t lane_count = std::min(side_by_side, rows) * width;
    for (int64_t l = 0; l < lane_count; ++l) {
      lanes.Set(l, {MapAt<BestKey>(x, l), 0});
    }
    for (int64_t r = side_by_side; r < rows; r += side_by_side) {
      const auto place = static_cast<Place>(r / side_by_side);
      const int64_t n = std::min(side_by_side, rows - r) * width;
      for (int64_t l = 0; l < n; ++l) {
        lanes.Set(l,
                  Leader::Combine(lanes.Get(l),
                                  {MapAt<BestKey>(x, r * stride + l), place}));
      }
    }
    for (int64_t c = 0; c < width; ++c) {
      State best = {lanes.Get(c).key, lanes.Get(c).place * side_by_side, rows};
      for (int64_t l = c + width; l < lane_count; l += width) {
        const auto [key, place] = lanes.Get(l);
        const int64_t row = place * side_by_side + l / width;
        const bool takes = key == best.key
                               ? (row < best.index) == (kTie == Tie::kFirst)
                               : P::IsBetter(key, best.key);
        if (takes) best = {key, row, rows};
      }
      states[c] = P::Combine(states[c], best);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_POSITION_FOLD_INL_H_
