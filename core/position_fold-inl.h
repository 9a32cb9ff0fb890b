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
#include <cstring>
#include <type_traits>

#include "core/fold-inl.h"
#include "core/reducers/extremes.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

template <template <class> class Extreme, class T, Tie kTie>
struct Folder<Position<Extreme, T, kTie>> {
  using P = Position<Extreme, T, kTie>;
  using State = typename P::State;

  static void Rows(const std::byte* HWY_RESTRICT x, int64_t rows, int64_t n,
                   State* HWY_RESTRICT states) {
    if (n < kLanes<Extreme<T>>) return ShortRows(x, rows, n, states);
    const int64_t stride = n * static_cast<int64_t>(sizeof(T));
    for (int64_t r = 0; r < rows; ++r, x += stride) {
      // Its element's key, of which -0 has that of +0.
      const Key<T> best = P::KeyAt(FromKey<T>(RowState<Extreme<T>>(x, n)));
      // Most blocks of a long row hold nothing better than those before.
      State block = {best, 0, n};
      if (P::TakesSecond(states[r], block)) block.index = PlaceOf(best, x, n);
      states[r] = P::Combine(states[r], block);
    }
  }

  static void Slabs(const std::byte* HWY_RESTRICT x, int64_t slabs,
                    int64_t rows, int64_t cols, State* HWY_RESTRICT states) {
    const int64_t slab = rows * cols;
    if (rows <= kMaxChainRows) {
      for (int64_t s = 0; s < slabs; ++s, x += slab * kSize, states += cols) {
        FoldChains<Leader>(LeaderAt(), x, rows, cols,
                           [&](int64_t c, typename Leader::State leader) {
                             Take(states[c], leader.key, leader.place, rows);
                           });
      }
      return;
    }
    while (slabs > 0) {
      const int64_t n = std::min(slabs, kMaxSlab / slab);
      const SlabFolder<Leader> folded(
          [x](int64_t i) -> typename Leader::State {
            return {MapAt<BestKey>(x, i), static_cast<Place>(i)};
          },
          n, rows, cols);
      for (int64_t s = 0; s < n; ++s) {
        for (int64_t c = 0; c < cols; ++c) {
          const auto [key, place] = folded.Get(s * cols + c);
          Take(states[s * cols + c], key, (place - s * slab - c) / cols, rows);
        }
      }
      x += n * slab * kSize;
      states += n * cols;
      slabs -= n;
    }
  }

  static void Columns(const std::byte* HWY_RESTRICT x, int64_t rows,
                      int64_t stride, int64_t cols,
                      State* HWY_RESTRICT states) {
    // As many rows as fit are walked side by side, as one row of more columns.
    const int64_t side_by_side =
        stride == cols ? std::max<int64_t>(1, kStrip / cols) : 1;
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

  // What Extreme computes, by the keys that Position compares.
  struct BestKey : Extreme<T> {
    static constexpr Key<T> Map(T x) { return P::KeyAt(x); }
  };

  // As wide as the keys, so that both fill registers alike, though never
  // narrower than the rows of a call need.
  using Place =
      std::conditional_t<sizeof(T) == 8, int64_t,
                         std::conditional_t<sizeof(T) == 4, int32_t, int16_t>>;
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

  struct LeaderAt {
    HWY_INLINE typename Leader::State operator()(
        const std::byte* HWY_RESTRICT x, int64_t i, int64_t place) const {
      return {MapAt<BestKey>(x, i), static_cast<Place>(place)};
    }
  };

  // Joins the best of the next `count` elements to the state.
  static HWY_INLINE void Take(State& state, Key<T> key, int64_t place,
                              int64_t count) {
    state = P::Combine(state, {key, place, count});
  }

  static void ShortRows(const std::byte* HWY_RESTRICT x, int64_t rows,
                        int64_t n, State* HWY_RESTRICT states) {
    for (int64_t count; rows > 0; rows -= count) {
      count = std::min(rows, ShortRowFolder<Leader>::MaxRows(n));
      const ShortRowFolder<Leader> folded(LeaderAt(), x, count, n);
      for (int64_t r = 0; r < count; ++r) {
        Take(states[r], folded.Get(r).key, folded.Get(r).place, n);
      }
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

  // Where the key stands in a row that has it: the first place, or the last.
  static int64_t PlaceOf(Key<T> key, const std::byte* HWY_RESTRICT x,
                         int64_t n) {
    if constexpr (std::is_floating_point_v<T>) {
      // A comparison of floats takes one operation, and 0 is -0.
      const T value = FromKey<T>(key);
      if (value == value) {
        return FirstOrLast([value](T each) { return each == value; }, x, n);
      }
      return FirstOrLast([](T each) { return each != each; }, x, n);
    } else {
      return FirstOrLast([key](T each) { return P::KeyAt(each) == key; }, x, n);
    }
  }

  // Blocks of a fixed size are vectorised, as is what tells whether they have
  // it; most of a row is not looked at.
  template <class Is>
  static HWY_INLINE int64_t FirstOrLast(const Is& is,
                                        const std::byte* HWY_RESTRICT x,
                                        int64_t n) {
    constexpr int64_t kBlock = 256 / kSize;
    // To stop early in a short row costs more, by the branch that nobody
    // foresees.
    if (n <= 4 * kBlock) return PlaceIn(is, x, n);
    const int64_t rest = n % kBlock;
    if constexpr (kTie == Tie::kFirst) {
      for (int64_t i = 0; i + kBlock <= n; i += kBlock) {
        if (Has(is, x + i * kSize, kBlock)) {
          return i + PlaceIn(is, x + i * kSize, kBlock);
        }
      }
      return n - rest + PlaceIn(is, x + (n - rest) * kSize, rest);
    } else {
      if (rest > 0 && Has(is, x + (n - rest) * kSize, rest)) {
        return n - rest + PlaceIn(is, x + (n - rest) * kSize, rest);
      }
      int64_t i = n - rest - kBlock;
      while (!Has(is, x + i * kSize, kBlock)) i -= kBlock;
      return i + PlaceIn(is, x + i * kSize, kBlock);
    }
  }

  static HWY_INLINE T At(const std::byte* HWY_RESTRICT x, int64_t i) {
    T element;
    std::memcpy(&element, x + i * kSize, kSize);
    return element;
  }

  template <class Is>
  static HWY_INLINE bool Has(const Is& is, const std::byte* HWY_RESTRICT x,
                             int64_t n) {
    Key<T> found = 0;
    for (int64_t i = 0; i < n; ++i) {
      found |= is(At(x, i)) ? Key<T>{1} : Key<T>{0};
    }
    return found != 0;
  }

  // The place in a block that has it.
  template <class Is>
  static HWY_INLINE int64_t PlaceIn(const Is& is,
                                    const std::byte* HWY_RESTRICT x,
                                    int64_t n) {
    constexpr bool kForward = kTie == Tie::kFirst;
    Place best = kForward ? static_cast<Place>(n) : Place{-1};
    for (int64_t i = 0; i < n; ++i) {
      const auto place = static_cast<Place>(i);
      const Place here = is(At(x, i)) ? place
                         : kForward   ? static_cast<Place>(n)
                                      : Place{-1};
      best = kForward ? std::min(best, here) : std::max(best, here);
    }
    return best;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_POSITION_FOLD_INL_H_
