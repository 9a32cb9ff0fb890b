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
  using Search = RowSearch<P, T, kTie>;
  using State = typename P::State;

  static void Rows(const std::byte* HWY_RESTRICT x, int64_t rows, int64_t n,
                   State* HWY_RESTRICT states, Into into) {
    const Search search(n, x + rows * n * kSize);
    EachTile(x, rows, n, [&](int64_t first, int64_t count, const T* values) {
      const std::byte* const tile = x + first * n * kSize;
      State* const to = states + first;
      PlaceFor<T> places[kTile];
      if (into == Into::kNew) {
        search.FindPlaces(values, tile, count, places);
      } else {
        // Most blocks of a long row hold nothing better than those before.
        for (int64_t r = 0; r < count; ++r) {
          const bool counts =
              P::TakesSecond(to[r], {P::KeyAt(values[r]), 0, n});
          places[r] =
              counts ? search.PlaceOf(values[r], tile + r * n * kSize) : 0;
        }
      }
      PutStates<P>(to, count, into, [&](int64_t r) -> State {
        return {P::KeyAt(values[r]), places[r], n};
      });
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
      Key<T> keys[kTile];
      T values[kTile];
      Folder<Extreme<T>>::Rows(x + first * n * kSize, count, n, keys,
                               Into::kNew);
      for (int64_t r = 0; r < count; ++r) {
        values[r] = Extreme<T>::Finish(keys[r], n);
      }
      take(first, count, values);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_POSITION_FOLD_INL_H_
