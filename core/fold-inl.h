// The loops that all reducers share: rows, each folded into one state; slabs of
// few short rows, folded into a state per column; and columns, folded side by
// side. Compiled once per instruction set.
//
// The order of every Combine is fixed here, by element index alone, so that the
// compiler may vectorise without reassociating and every instruction set gives
// the same bits:
//   - a row of up to four elements, and one of eight, joins by halves: the
//     first n / 2 with the others;
//   - another row fills lanes in turn: element i joins lane i % L, after all
//     earlier ones of that lane, while whole turns are left. L is the largest
//     power of two up to n, and to a group (row_lanes-inl.h); but of a row that
//     has several groups these are filled side by side as long as all are, and
//     then lane l joins lane l + half of them, and so on by halves. The rest,
//     fewer than L, joins the last lanes, of which there are as many. Then lane
//     l joins lane l + L/2 and so on down to eight lanes, which join as a row
//     of eight does. Rows too short for a register of lanes join by halves as
//     if elements that are nothing made them 8 or 16 (row_tile-inl.h);
//   - each column of a slab of more than 16 rows is cut into runs of as many
//     elements as the bits of n say, the shortest run first (11 = 1 + 2 + 8); a
//     run is the join of its halves, and the runs join in order
//     (slab_fold-inl.h);
//   - another column takes its elements one after the other.
// Elements lie at any address: they are loaded by memcpy, which costs nothing.
#if defined(REDUCTOR_CORE_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_FOLD_INL_H_
#undef REDUCTOR_CORE_FOLD_INL_H_
#else
#define REDUCTOR_CORE_FOLD_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/kernels.h"
#include "core/lanes.h"
#include "core/reducers.h"
#include "core/row_lanes-inl.h"
#include "core/row_tile-inl.h"
#include "core/slab_fold-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// The narrow monoid of a reducer that has one, or itself: within a block and a
// call it is folded by that.
template <class M>
struct NarrowOf {
  using type = M;
  static typename M::State Widen(typename M::State s) { return s; }
};
template <class M>
requires requires { typename M::Narrow; }
struct NarrowOf<M> {
  using type = typename M::Narrow;
  static typename M::State Widen(typename type::State s) {
    return M::FromNarrow(s);
  }
};

// Whether long rows are folded by their bits first (float32, in cache, AVX-512:
// 72 GB/s by keys).
template <Monoid M>
constexpr bool IsFoldedByBits() {
  if constexpr (std::is_floating_point_v<typename M::Input>) {
    return requires(typename BitExtremes<typename M::Input>::State s) {
      M::FromBits(s);
    };
  } else {
    return false;
  }
}

// From how many elements on a row is folded by its bits: to join their lanes
// takes as long as some hundred elements.
template <Monoid M>
constexpr int64_t kFewestFoldedByBits =
    8 * 2 * kGroup<BitExtremes<typename M::Input>>;

// The state of one row. REQUIRES: n >= kGroup<M>.
template <Monoid M>
HWY_INLINE typename M::State FoldRow(const std::byte* HWY_RESTRICT x,
                                     int64_t n) {
  Lanes<typename M::State, 1> lanes;
  RowLanes<M, kGroup<M>>::template Fold<1>(x, n, lanes, 0);
  return lanes.Get(0);
}

// The state of a row by its bits. REQUIRES: n >= kFewestFoldedByBits<M>.
template <Monoid M>
HWY_INLINE typename M::State FoldRowByBits(const std::byte* HWY_RESTRICT x,
                                           int64_t n) {
  using T = typename M::Input;
  const auto found = M::FromBits(FoldRow<BitExtremes<T>>(x, n));
  if (found.has_value()) return *found;
  // All have the one sign: now the value nearest to 0 is looked for.
  return M::Map(std::bit_cast<T>(FoldRow<ReduceMin<Key<T>>>(x, n)));
}

// Specialised where the order of the elements counts (position_fold-inl.h).
template <Monoid M>
struct Folder {
  using State = typename M::State;
  using Narrow = typename NarrowOf<M>::type;

  // states[r] = Combine(states[r], row r), each row `n` elements.
  static void Rows(const std::byte* HWY_RESTRICT x, int64_t rows, int64_t n,
                   State* HWY_RESTRICT states) {
    constexpr int64_t kSize = sizeof(typename M::Input);
    if constexpr (IsFoldedByBits<M>()) {
      if (n >= kFewestFoldedByBits<M>) {
        for (int64_t r = 0; r < rows; ++r) {
          states[r] =
              M::Combine(states[r], FoldRowByBits<M>(x + r * n * kSize, n));
        }
        return;
      }
    }
    for (int64_t count; rows > 0; rows -= count) {
      count = std::min(rows, RowTile<Narrow>::MaxRows(n));
      const RowTile<Narrow> tile(x, count, n);
      for (int64_t r = 0; r < count; ++r) {
        states[r] = M::Combine(states[r], NarrowOf<M>::Widen(tile.Get(r)));
      }
      x += count * n * kSize;
      states += count;
    }
  }

  // states[s * cols + c] = Combine(it, column c of slab s).
  static void Slabs(const std::byte* HWY_RESTRICT x, int64_t slabs,
                    int64_t rows, int64_t cols, State* HWY_RESTRICT states) {
    const int64_t slab = rows * cols;
    if (rows <= kMaxChainRows) {
      const auto map = [](const std::byte* at, int64_t i, int64_t) {
        return MapAt<Narrow>(at, i);
      };
      for (int64_t s = 0; s < slabs; ++s) {
        FoldChains<Narrow>(
            map, x, rows, cols, [states](int64_t c, typename Narrow::State s) {
              states[c] = M::Combine(states[c], NarrowOf<M>::Widen(s));
            });
        x += slab * static_cast<int64_t>(sizeof(typename M::Input));
        states += cols;
      }
      return;
    }
    while (slabs > 0) {
      const int64_t n = std::min(slabs, kMaxSlab / slab);
      const SlabFolder<Narrow> folded(
          [x](int64_t i) { return MapAt<Narrow>(x, i); }, n, rows, cols);
      for (int64_t i = 0; i < n * cols; ++i) {
        states[i] = M::Combine(states[i], NarrowOf<M>::Widen(folded.Get(i)));
      }
      x += n * slab * static_cast<int64_t>(sizeof(typename M::Input));
      states += n * cols;
      slabs -= n;
    }
  }

  // states[c] = Combine(states[c], x[r * stride + c]) for every row in order.
  static void Columns(const std::byte* HWY_RESTRICT x, int64_t rows,
                      int64_t stride, int64_t cols,
                      State* HWY_RESTRICT states) {
    for (int64_t c = 0; c < cols; c += kStrip) {
      const int64_t width = std::min(kStrip, cols - c);
      if constexpr (kInPlace) {
        Strip<M>(x, rows, stride, c, width, InPlace{states + c});
      } else if constexpr (std::is_same_v<M, Narrow>) {
        Lanes<State, kStrip> lanes;
        for (int64_t l = 0; l < width; ++l) lanes.Set(l, states[c + l]);
        Strip<M>(x, rows, stride, c, width, lanes);
        for (int64_t l = 0; l < width; ++l) states[c + l] = lanes.Get(l);
      } else {
        NarrowStrip(x, rows, stride, c, width, states + c);
      }
    }
  }

 private:
  // Plain states are folded where they are; a quarter of a 32 KiB L1 cache, so
  // that they stay there. Others in lanes.
  static constexpr bool kInPlace =
      std::is_same_v<M, Narrow> && !std::is_class_v<State>;
  static constexpr int64_t kStrip = kInPlace ? 8192 / sizeof(State) : 128;

  struct InPlace {
    State Get(int64_t l) const { return states[l]; }
    void Set(int64_t l, State s) const { states[l] = s; }
    State* HWY_RESTRICT states;
  };

  // Folds columns [c, c + width) of x into lanes.
  template <Monoid N, class L>
  static HWY_INLINE void Strip(const std::byte* HWY_RESTRICT x, int64_t rows,
                               int64_t stride, int64_t c, int64_t width,
                               L&& lanes) {
    int64_t r = 0;
    // Four rows a pass walk the states a quarter as often.
    if constexpr (kInPlace) {
      for (; r + 4 <= rows; r += 4) {
        const int64_t i = r * stride + c;
        for (int64_t l = 0; l < width; ++l) {
          State s = lanes.Get(l);
          s = Append<N>(s, x, i + l);
          s = Append<N>(s, x, i + stride + l);
          s = Append<N>(s, x, i + 2 * stride + l);
          s = Append<N>(s, x, i + 3 * stride + l);
          lanes.Set(l, s);
        }
      }
    }
    for (; r < rows; ++r) {
      for (int64_t l = 0; l < width; ++l) {
        AppendTo<N>(lanes, l, x, r * stride + c + l);
      }
    }
  }

  // As many rows at a time as narrow states can take.
  static void NarrowStrip(const std::byte* HWY_RESTRICT x, int64_t rows,
                          int64_t stride, int64_t c, int64_t width,
                          State* HWY_RESTRICT states) {
    while (rows > 0) {
      const int64_t n = std::min(rows, kBlockBytes);
      Lanes<typename Narrow::State, kStrip> lanes;
      for (int64_t l = 0; l < width; ++l) lanes.Set(l, Narrow::Identity());
      Strip<Narrow>(x, n, stride, c, width, lanes);
      for (int64_t l = 0; l < width; ++l) {
        states[l] = M::Combine(states[l], NarrowOf<M>::Widen(lanes.Get(l)));
      }
      x += n * stride * static_cast<int64_t>(sizeof(typename M::Input));
      rows -= n;
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_FOLD_INL_H_
