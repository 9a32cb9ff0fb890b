// The loops of ReduceLogSumExp over rows and slabs, which are at hand whole:
// their largest elements are found first, by the loops of ReduceMax; what the
// exponentials of the differences from these add up to, by those of ReduceSum.
// So an element costs one exponential and little else, and the rows of a tile
// are one array of them, however short they are. Of integers a step of elements
// that are too far below the largest to count costs but a look, and slabs of
// few columns are transposed. In cache, AVX-512, GB/s by a state that grows
// with each element, then by this:
//   all float32                      3.8  6.8
//   all float64                      1.1   13
//   all int32, of any value          7.7   24
//   rows of 18 float32               0.3  3.1
//   slabs of 1,000 x 3 float32       3.7  4.2
//   slabs of 1,000 x 3 int32         3.2   14
//
// Columns come a few rows at a time, as many as lie in memory together, which
// the bits must not depend on: so each element joins the state, at the larger
// of both. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_LOG_SUM_EXP_FOLD_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_LOG_SUM_EXP_FOLD_INL_H_
#undef REDUCTOR_CORE_KERNELS_LOG_SUM_EXP_FOLD_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_LOG_SUM_EXP_FOLD_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/kernels.h"
#include "core/kernels/column_fold-inl.h"
#include "core/kernels/exponential_tile-inl.h"
#include "core/kernels/fold-inl.h"
#include "core/kernels/kernels_here-inl.h"
#include "core/kernels/put_results-inl.h"
#include "core/kernels/transposed_slabs-inl.h"
#include "core/order.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

template <HighPrecision T>
struct Folder<ReduceLogSumExp<T>> {
  using M = ReduceLogSumExp<T>;
  using State = typename M::State;

  static constexpr bool kJoinsSlowly = true;

  static void Rows(const std::byte* HWY_RESTRICT x, int64_t rows, int64_t n,
                   State* HWY_RESTRICT states, Into into, Source source) {
    EachTile(x, rows, n, source, [=](Tile& tile, int64_t first, int64_t count) {
      tile.Put(count, states + first, into);
    });
  }

  // out[r] = the result of row r: of short ones without states between. Of
  // longer ones a tile has too few for the vectors of results. In cache,
  // AVX-512, GB/s with states, or of longer rows by tiles, then by this:
  //   rows of 3 float32      1.7  2.4
  //   rows of 3 float16      0.6  1.0
  //   rows of 3 int64        4.1  5.8
  //   rows of 150 int32       11   13
  template <Reducer R>
  static void ReduceRows(const std::byte* HWY_RESTRICT x, int64_t rows,
                         int64_t n, T* HWY_RESTRICT out, Source source) {
    if (n <= kLongestShort) {
      return EachTile(x, rows, n, source,
                      [=](Tile& tile, int64_t first, int64_t count) {
                        tile.PutResultsOf(n, count, out + first);
                      });
    }
    State states[kMostHeld];
    for (int64_t r = 0; r < rows; r += kMostHeld) {
      const int64_t count = std::min(rows - r, kMostHeld);
      Rows(x + r * n * kSize, count, n, states, Into::kNew, source);
      Finish<R>(states, count, n, out + r);
    }
  }

  static void Slabs(const std::byte* HWY_RESTRICT x, int64_t slabs,
                    int64_t rows, int64_t cols, State* HWY_RESTRICT states,
                    Into into, Source /*source*/) {
    const int64_t slab = rows * cols;
    if (IsExponentiatedAsRows(rows, cols)) {
      return FoldTransposedSlabs<Folder, kSize, kBlockBytes / kSize>(
          x, slabs, rows, cols, states, into);
    }
    Tile tile;
    if (slab > kTile) {
      if (kIsFloat<T> && rows < kFewestExponentialRows) {
        return FoldEachSlab<Folder, kSize>(x, slabs, rows, cols, states, into);
      }
      for (int64_t s = 0; s < slabs; ++s) {
        FoldLargeSlab(tile, x + s * slab * kSize, rows, cols, states + s * cols,
                      into);
      }
      return;
    }
    for (int64_t count; slabs > 0; slabs -= count) {
      count = std::min(slabs, kTile / slab);
      Max().fold_slabs(x, count, rows, cols, tile.largest(), Into::kNew,
                       Source::kSharedCache);
      tile.SetOffsets(count * cols);
      tile.SubtractSlabs(x, count, rows, cols);
      tile.Exponentiate(count * slab);
      Sum().fold_slabs(tile.exponentials(), count, rows, cols, tile.sums(),
                       Into::kNew, Source::kOwnCache);
      tile.Put(count * cols, states, into);
      x += count * slab * kSize;
      states += count * cols;
    }
  }

  static void Columns(const std::byte* HWY_RESTRICT x, int64_t rows,
                      int64_t stride, int64_t cols, State* HWY_RESTRICT states,
                      Into into, Source source) {
    ColumnFolder<M>::Fold(x, rows, stride, cols, states, into, source);
  }

 private:
  using Tile = ExponentialTile<T>;

  // Calls put(tile, first, count) for some rows at a time, whose states the
  // tile has.
  template <class Put>
  static HWY_INLINE void EachTile(const std::byte* HWY_RESTRICT x, int64_t rows,
                                  int64_t n, Source source, const Put& put) {
    Tile tile;
    int64_t at_once = kTile / n;
    // Whole steps, by which results are put.
    if (n <= kLongestShort) at_once = at_once / Tile::kStep * Tile::kStep;
    for (int64_t first = 0, count = 0; first < rows; first += count) {
      count = std::clamp<int64_t>(at_once, 1, rows - first);
      FillTile(tile, x + first * n * kSize, count, n, source);
      put(tile, first, count);
    }
  }

  // Makes the states of the tile those of `count` rows: of one, if it is longer
  // than a tile.
  static HWY_NOINLINE void FillTile(Tile& tile, const std::byte* HWY_RESTRICT x,
                                    int64_t count, int64_t n, Source source) {
    Max().fold_rows(x, count, n, tile.largest(), Into::kNew, source);
    tile.SetOffsets(count);
    // A row longer than a tile is summed piece by piece, unless the sum does
    // not count (all float32, each thousandth an infinity, in cache, Intel,
    // AVX-512: 4.6 GB/s summed, 94 so).
    if (n > kTile && !tile.HasNumber()) return tile.ClearSum();
    Into sums = Into::kNew;
    for (int64_t i = 0; i < n; i += kTile, sums = Into::kHeld) {
      const int64_t size = std::min(n - i, kTile);
      tile.SubtractRows(x + i * kSize, count, size);
      tile.Exponentiate(count * size);
      Sum().fold_rows(tile.exponentials(), count, size, tile.sums(), sums,
                      Source::kOwnCache);
    }
  }

  // One larger than a tile: some columns at a time, and some rows of these.
  static void FoldLargeSlab(Tile& tile, const std::byte* HWY_RESTRICT x,
                            int64_t rows, int64_t cols,
                            State* HWY_RESTRICT states, Into into) {
    for (int64_t c = 0; c < cols; c += kStripExponentials) {
      const int64_t width = std::min(cols - c, kStripExponentials);
      FindLargest(x + c * kSize, rows, cols, width, tile.largest());
      tile.SetOffsets(width);
      const int64_t at_once = kPieceExponentials / width;
      Into sums = Into::kNew;
      for (int64_t r = 0; r < rows; r += at_once, sums = Into::kHeld) {
        const int64_t count = std::min(rows - r, at_once);
        tile.SubtractColumns(x, r * cols + c, count, cols, width, rows * cols,
                             0, 0);
        tile.Exponentiate(count * width);
        Sum().fold_slabs(tile.exponentials(), 1, count, width, tile.sums(),
                         sums, Source::kOwnCache);
      }
      tile.Put(width, states + c, into);
    }
  }

  static void FindLargest(const std::byte* HWY_RESTRICT x, int64_t rows,
                          int64_t stride, int64_t cols, std::byte* states) {
    if (stride > cols) {
      return Max().fold_columns(x, rows, stride, cols, states, Into::kNew,
                                Source::kSharedCache);
    }
    const int64_t at_once = kMaxSlab / cols;
    for (int64_t r = 0; r < rows; r += at_once) {
      Max().fold_slabs(x + r * cols * kSize, 1, std::min(rows - r, at_once),
                       cols, states, r == 0 ? Into::kNew : Into::kHeld,
                       Source::kSharedCache);
    }
  }

  static constexpr int64_t kSize = sizeof(T);
  static constexpr int64_t kTile = kTileExponentials;
  // The longest rows of which a tile has two steps.
  static constexpr int64_t kLongestShort = kTile / (2 * Tile::kStep);
  // So many states are held between longer ones and their results.
  static constexpr int64_t kMostHeld = 128;

  static const Kernel& Max() { return KernelHere<ReduceMax, T>(); }
  static const Kernel& Sum() { return KernelHere<ReduceSum, double>(); }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_LOG_SUM_EXP_FOLD_INL_H_
