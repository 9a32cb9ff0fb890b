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
#include <limits>

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
    if (n > kLongest) {
      return PutStates<P>(states, rows, into, [&](int64_t r) {
        return FoldLongRow(x + r * n * kSize, n);
      });
    }
    EachTile(x, rows, n,
             [&](int64_t first, int64_t count, const T* values,
                 const PlaceFor<T>* places) {
               PutStates<P>(states + first, count, into, [&](int64_t r) {
                 return P::StateOf(P::KeyAt(values[r]), places[r], n);
               });
             });
  }

  template <class /*R*/>
  static void ReduceRows(const std::byte* HWY_RESTRICT x, int64_t rows,
                         int64_t n, int64_t* HWY_RESTRICT out) {
    if (n > kLongest) {
      for (int64_t r = 0; r < rows; ++r) {
        out[r] = FoldLongRow(x + r * n * kSize, n).index;
      }
      return;
    }
    EachTile(x, rows, n,
             [&](int64_t first, int64_t count, const T* /*values*/,
                 const PlaceFor<T>* places) {
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

  static void ReduceFewRows(const std::byte* HWY_RESTRICT x, int64_t slabs,
                            int64_t rows, int64_t stride, int64_t cols,
                            int64_t* HWY_RESTRICT out) {
    LeaderFolder<P>::ReduceFewRows(x, slabs, rows, stride, cols, out);
  }

 private:
  static constexpr int64_t kSize = sizeof(T);
  // As many rows stay in half of a 32 KiB L1 cache until they are searched, and
  // what is known of so many beside them.
  static constexpr int64_t kTileBytes = 16 * 1024;
  static constexpr int64_t kTile = 256;
  // Longer rows are cut into pieces, of which only the best one is searched
  // (rows of 2,400 int32, in cache, AVX-512: 48 GB/s block by block, 76 so).
  static constexpr int64_t kLongest = kBlockBytes / kSize;
  static_assert(kLongest <= std::numeric_limits<PlaceFor<T>>::max());
  static constexpr int64_t kPieceBytes = 4096;
  static constexpr int64_t kPiece = kPieceBytes / kSize;
  // Fewer columns fill no lanes that are worth it (slabs of 7 x 5 and 20 x 3
  // int32, in cache, AMD, AVX-512: 4.5 and 8.5 GB/s turned, 11 and 8.0 by
  // lanes).
  static constexpr int64_t kFewestLanes = 5;

  // Makes values[r] the best element of row r.
  static HWY_INLINE void FindBest(const std::byte* HWY_RESTRICT x, int64_t rows,
                                  int64_t n, T* values) {
    KernelHere<Extreme, T>().reduce_rows(x, rows, n,
                                         reinterpret_cast<std::byte*>(values));
  }

  // Calls take(first, count, values, places) for some rows at a time, of which
  // those are the best elements and where they stand.
  template <class Take>
  static HWY_INLINE void EachTile(const std::byte* HWY_RESTRICT x, int64_t rows,
                                  int64_t n, const Take& take) {
    const Search search(n, x + rows * n * kSize);
    const int64_t at_once =
        std::clamp<int64_t>(kTileBytes / (n * kSize), 1, kTile);
    for (int64_t first = 0, count = 0; first < rows; first += count) {
      count = std::min(rows - first, at_once);
      const std::byte* const tile = x + first * n * kSize;
      T values[kTile];
      PlaceFor<T> places[kTile];
      FindBest(tile, count, n, values);
      search.FindPlaces(values, tile, count, places);
      take(first, count, values, places);
    }
  }

  // REQUIRES: kPiece <= n, and a row has at most kLongRowBytes.
  static State FoldLongRow(const std::byte* HWY_RESTRICT x, int64_t n) {
    T values[kLongRowBytes / kPieceBytes];
    const int64_t whole = n / kPiece;
    const int64_t rest = n % kPiece;
    FindBest(x, whole, kPiece, values);
    if (rest > 0) FindBest(x + whole * kPieceBytes, 1, rest, values + whole);
    int64_t best = 0;
    Key<T> key = P::KeyAt(values[0]);
    for (int64_t p = 1; p < whole + (rest > 0 ? 1 : 0); ++p) {
      const Key<T> later = P::KeyAt(values[p]);
      if (P::IsBetter(later, key)) {
        best = p;
        key = later;
      }
    }
    const Search search(best < whole ? kPiece : rest, x + n * kSize);
    const int64_t first = best * kPiece;
    return P::StateOf(
        key, first + search.PlaceOf(values[best], x + first * kSize), n);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_POSITION_FOLD_INL_H_
