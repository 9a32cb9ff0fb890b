// The loops of ReduceLogSumExp over rows and slabs, which are at hand whole:
// their largest elements are found first, by the loops of ReduceMax; what the
// exponentials of the differences from these add up to, by those of ReduceSum.
// So an element costs one exponential and little else, and the rows of a tile
// are one array of them, however short they are (in cache, AVX-512, GB/s by a
// state that grows with each element, and so: float32 as a whole 3.8 and 6.8,
// rows of 18 of it 0.3 and 3.1; float64 as a whole 1.1 and 13). Of integers a
// step of elements that are too far below the largest to count costs but a look
// (any int32 as a whole 7.7 and 24), and slabs of few columns are turned into
// rows (1,000 x 3 float32 3.7 and 4.2, int32 3.2 and 14).
//
// Columns come a few rows at a time, as many as lie in memory together, which
// the bits must not depend on: so each element joins the state, at the larger
// of both. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_LOG_SUM_EXP_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_LOG_SUM_EXP_FOLD_INL_H_
#undef REDUCTOR_CORE_LOG_SUM_EXP_FOLD_INL_H_
#else
#define REDUCTOR_CORE_LOG_SUM_EXP_FOLD_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/column_fold-inl.h"
#include "core/elementary.h"
#include "core/fold-inl.h"
#include "core/kernels.h"
#include "core/kernels_here-inl.h"
#include "core/reducers/extremes.h"
#include "core/reducers/log_sum_exp.h"
#include "core/reducers/sums.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <Numeric T>
struct Folder<ReduceLogSumExp<T>> {
  using M = ReduceLogSumExp<T>;
  using State = typename M::State;

  static constexpr bool kTakesAnySlab = true;

  static void Rows(const std::byte* HWY_RESTRICT x, int64_t rows, int64_t n,
                   State* HWY_RESTRICT states, Into into) {
    Tile tile(n);
    for (int64_t count; rows > 0; rows -= count) {
      count = std::clamp<int64_t>(kTile / n, 1, rows);
      Max().fold_rows(x, count, n, BytesOf(tile.keys), Into::kNew);
      tile.SetOffsets(count);
      // A row longer than a tile is summed piece by piece.
      Into sums = Into::kNew;
      for (int64_t i = 0; i < n; i += kTile, sums = Into::kHeld) {
        const int64_t size = std::min(n - i, kTile);
        for (int64_t r = 0; r < count; ++r) {
          const auto offset = tile.offsets[r];
          tile.Subtract(x, r * n + i, size, count * n, r * size,
                        [offset](int64_t /*l*/) { return offset; });
        }
        tile.Exponentiate(count * size);
        Sum().fold_rows(BytesOf(tile.exponentials), count, size,
                        BytesOf(tile.sums), sums);
      }
      tile.Put(count, states, into);
      x += count * n * kSize;
      states += count;
    }
  }

  static void Slabs(const std::byte* HWY_RESTRICT x, int64_t slabs,
                    int64_t rows, int64_t cols, State* HWY_RESTRICT states,
                    Into into) {
    const int64_t slab = rows * cols;
    if (cols < kStep && rows >= 8 * cols) {
      return FoldTurnedSlabs<Folder, kSize, kWideRowBytes / kSize>(
          x, slabs, rows, cols, states, into);
    }
    Tile tile(rows);
    if (slab > kTile) {
      if (kIsFloat<T> && rows < kFewestRows) {
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
      Max().fold_slabs(x, count, rows, cols, BytesOf(tile.keys), Into::kNew);
      tile.SetOffsets(count * cols);
      for (int64_t s = 0; s < count; ++s) {
        tile.SubtractColumns(x, s * slab, rows, cols, cols, count * slab,
                             s * slab, tile.offsets + s * cols);
      }
      tile.Exponentiate(count * slab);
      Sum().fold_slabs(BytesOf(tile.exponentials), count, rows, cols,
                       BytesOf(tile.sums), Into::kNew);
      tile.Put(count * cols, states, into);
      x += count * slab * kSize;
      states += count * cols;
    }
  }

  static void Columns(const std::byte* HWY_RESTRICT x, int64_t rows,
                      int64_t stride, int64_t cols, State* HWY_RESTRICT states,
                      Into into) {
    ColumnFolder<M>::Fold(x, rows, stride, cols, states, into);
  }

 private:
  struct Tile;

  // One larger than a tile: some columns at a time, and some rows of these.
  static void FoldLargeSlab(Tile& tile, const std::byte* HWY_RESTRICT x,
                            int64_t rows, int64_t cols,
                            State* HWY_RESTRICT states, Into into) {
    for (int64_t c = 0; c < cols; c += kStrip) {
      const int64_t width = std::min(cols - c, kStrip);
      FindLargest(x + c * kSize, rows, cols, width, tile.keys);
      tile.SetOffsets(width);
      const int64_t at_once = kMaxSlab / width;
      Into sums = Into::kNew;
      for (int64_t r = 0; r < rows; r += at_once, sums = Into::kHeld) {
        const int64_t count = std::min(rows - r, at_once);
        tile.SubtractColumns(x, r * cols + c, count, cols, width, rows * cols,
                             0, tile.offsets);
        tile.Exponentiate(count * width);
        Sum().fold_slabs(BytesOf(tile.exponentials), 1, count, width,
                         BytesOf(tile.sums), sums);
      }
      tile.Put(width, states + c, into);
    }
  }

  static void FindLargest(const std::byte* HWY_RESTRICT x, int64_t rows,
                          int64_t stride, int64_t cols, Key<T>* keys) {
    if (stride > cols) {
      return Max().fold_columns(x, rows, stride, cols, BytesOf(keys),
                                Into::kNew);
    }
    const int64_t at_once = kMaxExactSlab / cols;
    for (int64_t r = 0; r < rows; r += at_once) {
      Max().fold_slabs(x + r * cols * kSize, 1, std::min(rows - r, at_once),
                       cols, BytesOf(keys), r == 0 ? Into::kNew : Into::kHeld);
    }
  }

  static constexpr int64_t kSize = sizeof(T);
  // So few columns that several rows of them are a piece.
  static constexpr int64_t kStrip = kMaxSlab / 2;
  // As many float64 fill a quarter of a 32 KiB L1 cache.
  static constexpr int64_t kTile = 1024;
  // What loops take at once, to know how often they turn.
  static constexpr int64_t kStep = 8;
  // The first row of columns costs no exponential, and no largest is looked
  // for.
  static constexpr int64_t kFewestRows = 16;
  // Where so many elements have one largest, few steps have one.
  static constexpr int64_t kMany = 64;

  static const Kernel& Max() { return KernelHere<ReduceMax, T>(); }
  static const Kernel& Sum() { return KernelHere<ReduceSum, double>(); }
  template <class E>
  static std::byte* BytesOf(E* array) {
    return reinterpret_cast<std::byte*>(array);
  }

  static HWY_INLINE T ElementAt(const std::byte* x, int64_t i) {
    T element;
    std::memcpy(&element, x + i * kSize, kSize);
    return element;
  }

  // Whether the exponentials of a step of integers from x[i] on are all 0,
  // which costs less to ask than they do.
  template <class OffsetAt>
  static HWY_INLINE bool AreOutOfReach(const std::byte* HWY_RESTRICT x,
                                       int64_t i, const OffsetAt& offset_at) {
    using Below = typename M::Below;
    if constexpr (std::numeric_limits<Below>::max() < M::kOutOfReach) {
      return false;
    } else {
      alignas(64) Below below[kStep];
#pragma GCC unroll 1
      for (int64_t l = 0; l < kStep; ++l) {
        below[l] = M::BelowMax(ElementAt(x, i + l), offset_at(l));
      }
      const hn::CappedTag<Below, kStep> d;
      const auto in_reach = hn::Set(d, static_cast<Below>(M::kOutOfReach - 1));
      bool are_all = true;
      for (int64_t l = 0; l < kStep; l += hn::Lanes(d)) {
        const auto v = hn::Load(d, below + l);
        are_all = are_all && hn::AllTrue(d, hn::Gt(v, in_reach));
      }
      return are_all;
    }
  }

  struct Tile {
    // Of sums of `count` elements each.
    explicit Tile(int64_t count) : most_may_be_out_of_reach(count >= kMany) {}

    T max(int64_t i) const { return ReduceMax<T>::Finish(keys[i], 1); }

    void SetOffsets(int64_t n) {
      for (int64_t i = 0; i < n; ++i) offsets[i] = M::OffsetOf(max(i));
    }

    // Makes [to, to + n) the differences of elements [from, from + n) of x from
    // their offsets; and may overwrite what follows, as x has `end` elements.
    template <class OffsetAt>
    HWY_INLINE void Subtract(const std::byte* HWY_RESTRICT x, int64_t from,
                             int64_t n, int64_t end, int64_t to,
                             const OffsetAt& offset_at) {
      const auto subtract = [&](int64_t l) {
        const T element = ElementAt(x, from + l);
        if constexpr (kIsFloat<T>) {
          exponentials[to + l] = M::Difference(element, offset_at(l));
        } else {
          exponentials[to + l] =
              M::Exponential(M::BelowMax(element, offset_at(l)));
        }
      };
      const int64_t all = hwy::RoundUpTo(n, kStep);
      const int64_t stepped = from + all <= end ? all : n / kStep * kStep;
      for (int64_t i = 0; i < stepped; i += kStep) {
        if constexpr (!kIsFloat<T>) {
          if (most_may_be_out_of_reach &&
              AreOutOfReach(x, from + i,
                            [&](int64_t l) { return offset_at(i + l); })) {
            std::fill_n(exponentials + to + i, kStep, 0);
            continue;
          }
        }
#pragma GCC unroll 1
        for (int64_t l = i; l < i + kStep; ++l) subtract(l);
      }
      for (int64_t l = stepped; l < n; ++l) subtract(l);
    }

    // The same of `width` columns of rows that begin `stride` elements apart,
    // each of which has its offset.
    HWY_INLINE void SubtractColumns(const std::byte* HWY_RESTRICT x,
                                    int64_t from, int64_t rows, int64_t stride,
                                    int64_t width, int64_t end, int64_t to,
                                    const typename M::Offset* offsets) {
      for (int64_t r = 0; r < rows; ++r) {
        Subtract(x, from + r * stride, width, end, to + r * width,
                 [offsets](int64_t l) { return offsets[l]; });
      }
    }

    // Those that fill the last step are nothing.
    void Exponentiate(int64_t n) {
      if (!kIsFloat<T>) return;
      std::fill_n(exponentials + n, kStep, 0);
      for (int64_t i = 0; i < n; i += kStep) {
#pragma GCC unroll 1
        for (int64_t l = i; l < i + kStep; ++l) {
          exponentials[l] = ExpOfNonPositive(exponentials[l]);
        }
      }
    }

    void Put(int64_t n, State* HWY_RESTRICT states, Into into) {
      for (int64_t i = 0; i < n; ++i) {
        const State s = {M::Map(max(i)).max, sums[i]};
        states[i] = into == Into::kNew ? s : M::Combine(states[i], s);
      }
    }

    // To ask what is out of reach is in vain where each step has a largest.
    const bool most_may_be_out_of_reach;
    alignas(64) Key<T> keys[kTile];
    alignas(64) typename M::Offset offsets[kTile + kStep];
    alignas(64) double exponentials[kTile + kStep];
    alignas(64) double sums[kTile];
  };
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_LOG_SUM_EXP_FOLD_INL_H_
