// The loops of ArgMax and ArgMin: lanes would lose the order of the elements,
// so rows are searched for their best elements, by the loops of ReduceMax or
// ReduceMin, and then for where these stand (row_search-inl.h); columns are
// folded in order (leader_fold-inl.h). Compiled once per instruction set.
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
#include "core/kernels.h"
#include "core/kernels_here-inl.h"
#include "core/leader_fold-inl.h"
#include "core/narrow_of-inl.h"
#include "core/ordered.h"
#include "core/reducers/extremes.h"
#include "core/row_search-inl.h"
#include "core/turned_slabs-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

template <template <class> class Extreme, class T, Tie kTie>
struct Folder<Position<Extreme, T, kTie>> {
  using P = Position<Extreme, T, kTie>;
  using Search = RowSearch<T, kTie>;
  using State = typename P::State;

  static HWY_NOINLINE void Rows(const std::byte* HWY_RESTRICT x, int64_t rows,
                                int64_t n, State* HWY_RESTRICT states,
                                Into into) {
    const Search search(n, x + rows * n * kSize);
    EachTile(x, rows, n, [&](int64_t first, int64_t count, const T* values) {
      const std::byte* const tile = x + first * n * kSize;
      State* const to = states + first;
      if (into == Into::kNew) {
        PlaceFor<T> places[kTile];
        search.FindPlaces(values, tile, count, places);
        for (int64_t r = 0; r < count; ++r) {
          to[r] = P::StateOf(P::KeyAt(values[r]), places[r], n);
        }
        return;
      }
      for (int64_t r = 0; r < count; ++r) {
        State s = P::StateOf(P::KeyAt(values[r]), 0, n);
        // Most blocks of a long row hold nothing better than those before.
        if (P::TakesSecond(to[r], s)) {
          s.index = search.PlaceOf(values[r], tile + r * n * kSize);
        }
        to[r] = P::Combine(to[r], s);
      }
    });
  }

  template <class /*R*/>
  static void ReduceRows(const std::byte* HWY_RESTRICT x, int64_t rows,
                         int64_t n, int64_t* HWY_RESTRICT out) {
    const Search search(n, x + rows * n * kSize);
    EachTile(x, rows, n, [&](int64_t first, int64_t count, const T* values) {
      PlaceFor<T> places[kTile];
      search.FindPlaces(values, x + first * n * kSize, count, places);
      std::copy_n(places, count, out + first);
    });
  }

  static void Slabs(const std::byte* HWY_RESTRICT x, int64_t slabs,
                    int64_t rows, int64_t cols, State* HWY_RESTRICT states,
                    Into into) {
    if (cols < kFewestLanes) {
      return FoldTurnedSlabs<Folder, kSize>(x, slabs, rows, cols, states, into);
    }
    LeaderFolder<P>::Slabs(x, slabs, rows, cols, states, into);
  }

  static void Columns(const std::byte* HWY_RESTRICT x, int64_t rows,
                      int64_t stride, int64_t cols, State* HWY_RESTRICT states,
                      Into into) {
    LeaderFolder<P>::Columns(x, rows, stride, cols, states, into);
  }

  static void ReduceFewRows(const std::byte* HWY_RESTRICT x, int64_t rows,
                            int64_t stride, int64_t cols,
                            int64_t* HWY_RESTRICT out) {
    LeaderFolder<P>::ReduceFewRows(x, rows, stride, cols, out);
  }

 private:
  static constexpr int64_t kSize = sizeof(T);
  // As many rows stay in half of a 32 KiB L1 cache until they are searched, and
  // what is known of so many beside them.
  static constexpr int64_t kTileBytes = 16 * 1024;
  static constexpr int64_t kTile = 256;
  // Fewer columns fill no lanes that are worth it.
  static constexpr int64_t kFewestLanes = 8;

  // Calls take(first, count, values) for some rows at a time, whose best
  // elements are the values.
  template <class Take>
  static HWY_INLINE void EachTile(const std::byte* HWY_RESTRICT x, int64_t rows,
                                  int64_t n, const Take& take) {
    const int64_t at_once =
        std::clamp<int64_t>(kTileBytes / (n * kSize), 1, kTile);
    for (int64_t first = 0, count = 0; first < rows; first += count) {
      count = std::min(rows - first, at_once);
      T values[kTile];
      KernelHere<Extreme, T>().reduce_rows(
          x + first * n * kSize, count, n,
          reinterpret_cast<std::byte*>(values));
      take(first, count, values);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_POSITION_FOLD_INL_H_
