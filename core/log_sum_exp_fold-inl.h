// The loops of ReduceLogSumExp over rows and slabs, which are at hand whole:
// their largest elements are found first, by the loops of ReduceMax; what the
// exponentials of the differences from these add up to, by those of ReduceSum.
// So an element costs one exponential and little else, and the rows of a tile
// are one array of them, however short they are (in cache, AVX-512, GB/s by a
// state that grows with each element, and so: float32 as a whole 3.8 and 6.8,
// rows of 18 of it 0.3 and 3.1; float64 as a whole 1.1 and 13).
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

template <Numeric T>
struct Folder<ReduceLogSumExp<T>> {
  using M = ReduceLogSumExp<T>;
  using State = typename M::State;

  static void Rows(const std::byte* HWY_RESTRICT x, int64_t rows, int64_t n,
                   State* HWY_RESTRICT states, Into into) {
    Tile tile;
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
    if (slab > kTile) {
      return FoldEachSlab<Folder, kSize>(x, slabs, rows, cols, states, into);
    }
    Tile tile;
    for (int64_t count; slabs > 0; slabs -= count) {
      count = std::min(slabs, kTile / slab);
      Max().fold_slabs(x, count, rows, cols, BytesOf(tile.keys), Into::kNew);
      tile.SetOffsets(count * cols);
      for (int64_t s = 0; s < count; ++s) {
        const auto* const offsets = tile.offsets + s * cols;
        for (int64_t r = 0; r < rows; ++r) {
          const int64_t row = (s * rows + r) * cols;
          tile.Subtract(x, row, cols, count * slab, row,
                        [offsets](int64_t l) { return offsets[l]; });
        }
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
  static constexpr int64_t kSize = sizeof(T);
  // As many float64 fill a quarter of a 32 KiB L1 cache.
  static constexpr int64_t kTile = 1024;
  // What loops take at once, to know how often they turn.
  static constexpr int64_t kStep = 8;

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

  struct Tile {
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
          exponentials[to + l] = M::Exponential(element, offset_at(l));
        }
      };
      const int64_t all = hwy::RoundUpTo(n, kStep);
      const int64_t stepped = from + all <= end ? all : n / kStep * kStep;
      for (int64_t i = 0; i < stepped; i += kStep) {
#pragma GCC unroll 1
        for (int64_t l = i; l < i + kStep; ++l) subtract(l);
      }
      for (int64_t l = stepped; l < n; ++l) subtract(l);
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
