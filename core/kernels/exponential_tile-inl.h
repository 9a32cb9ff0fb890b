// For ReduceLogSumExp: e^(x - m) of each element x of some rows or slabs, m
// being the largest of x's row or column. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_EXPONENTIAL_TILE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_EXPONENTIAL_TILE_INL_H_
#undef REDUCTOR_CORE_KERNELS_EXPONENTIAL_TILE_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_EXPONENTIAL_TILE_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/kernels.h"
#include "core/kernels/differences-inl.h"
#include "core/kernels/partial_of-inl.h"
#include "core/kernels/put_results-inl.h"
#include "core/order.h"
#include "core/reducers/extremes.h"
#include "core/reducers/log_sum_exp.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// What a tile goes through, and what fills it meanwhile:
//   largest()         the loops of ReduceMax: the largest of each row or column
//   SetOffsets()      what is subtracted from its elements
//   Subtract...()     differences in place of elements
//   Exponentiate()    exponentials in place of these
//   sums()            the loops of ReduceSum: the sum of each row or column
//   Put()             states, of the largest and of the sums
template <HighPrecision T>
class ExponentialTile {
  using M = ReduceLogSumExp<T>;
  using State = typename M::State;
  using SameOffset = typename Differences<T>::SameOffset;
  using OwnOffsets = typename Differences<T>::OwnOffsets;

 public:
  static constexpr int64_t kStep = Differences<T>::kStep;

  // What kernels write and read: the states of ReduceMax, the elements and the
  // states of ReduceSum.
  std::byte* largest() { return reinterpret_cast<std::byte*>(keys_); }
  std::byte* exponentials() {
    return reinterpret_cast<std::byte*>(exponentials_);
  }
  std::byte* sums() { return reinterpret_cast<std::byte*>(sums_); }

  // Makes offsets [0, n) those of the n largest elements found; clears one step
  // more, which loops read. Of floats it keeps these as states have them.
  void SetOffsets(int64_t n) {
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) {
      if constexpr (kIsFloat<T>) largest_[i] = M::Map(LargestOf(i)).max;
      offsets_[i] = M::OffsetOf(LargestOf(i));
    }
    std::fill_n(offsets_ + n, kStep, 0);
  }

  // Whether the first largest element is a number, beside which its sum counts.
  bool HasNumber() const {
    if constexpr (kIsFloat<T>) return std::isfinite(largest_[0]);
    return true;
  }
  // Makes the first sum nothing, where none is taken.
  void ClearSum() { sums_[0] = 0; }

  // Takes `rows` rows of `n` elements, one after the other: their differences
  // from an offset each, of integers the exponentials of these. Short ones as
  // one array, beside each element its own offset; of 17 and 31 that is as fast
  // or slower. In cache, Zen 4, GB/s row by row, then by this:
  //   rows of 2 float32    0.8  1.6
  //   rows of 5 float32    1.4  2.4
  //   rows of 5 int32      3.1  4.0
  // REQUIRES: rows * n <= kTileExponentials.
  HWY_INLINE void SubtractRows(const std::byte* HWY_RESTRICT x, int64_t rows,
                               int64_t n) {
    const int64_t all = rows * n;
    if (n >= 2 * kStep) {
      for (int64_t r = 0; r < rows; ++r) {
        Differences<T>::Put(x, r * n, n, all, SameOffset{offsets_[r]},
                            exponentials_ + r * n);
      }
      return;
    }
    // Beside each row its offset, by whole steps: one from its begin, of which
    // the next row overwrites what is too much, and, of a row longer than a
    // step, one up to its end.
    for (int64_t r = 0; r < rows; ++r) {
      std::fill_n(beside_ + r * n, kStep, offsets_[r]);
    }
    if (n > kStep) {
      for (int64_t r = 0; r < rows; ++r) {
        std::fill_n(beside_ + (r + 1) * n - kStep, kStep, offsets_[r]);
      }
    }
    Differences<T>::Put(x, 0, all, all, OwnOffsets{beside_}, exponentials_);
  }

  // The same of slabs of rows of `cols` elements, each from that of its column:
  // short rows as one array too (slabs of 4 x 3 float32 and int32 and of 8 x 3
  // int32: 1.0, 1.4 and 1.8 GB/s row by row, 1.4, 2.0 and 3.0 so).
  HWY_INLINE void SubtractSlabs(const std::byte* HWY_RESTRICT x, int64_t slabs,
                                int64_t rows, int64_t cols) {
    const int64_t slab = rows * cols;
    if (cols >= kStep) {
      for (int64_t s = 0; s < slabs; ++s) {
        SubtractColumns(x, s * slab, rows, cols, cols, slabs * slab, s * slab,
                        s * cols);
      }
      return;
    }
    for (int64_t s = 0; s < slabs; ++s) {
      for (int64_t i = s * slab; i < (s + 1) * slab; i += cols) {
        std::copy_n(offsets_ + s * cols, kStep, beside_ + i);
      }
    }
    Differences<T>::Put(x, 0, slabs * slab, slabs * slab, OwnOffsets{beside_},
                        exponentials_);
  }

  // Makes [to, ...) the differences of `width` columns of rows that begin
  // `stride` elements apart, the first of them element `from` of x: the first
  // column from offset `at`, each other from the next. x has `end` elements,
  // which is as far as it may be read.
  HWY_INLINE void SubtractColumns(const std::byte* HWY_RESTRICT x, int64_t from,
                                  int64_t rows, int64_t stride, int64_t width,
                                  int64_t end, int64_t to, int64_t at) {
    for (int64_t r = 0; r < rows; ++r) {
      Differences<T>::Put(x, from + r * stride, width, end,
                          OwnOffsets{offsets_ + at},
                          exponentials_ + to + r * width);
    }
  }

  // Replaces n differences by their exponentials, in whole steps: what fills
  // the last one is cleared before. Of integers they are exponentials already.
  void Exponentiate(int64_t n) {
    if constexpr (kIsFloat<T>) {
      std::fill_n(exponentials_ + n, kStep, 0);
      for (int64_t i = 0; i < n; i += kStep) {
#pragma GCC unroll 1
        for (int64_t l = i; l < i + kStep; ++l) {
          exponentials_[l] = M::Exponential(exponentials_[l]);
        }
      }
    }
  }

  // Writes the n states, or joins them to those held.
  void Put(int64_t n, State* HWY_RESTRICT states, Into into) {
    PutStates<M>(states, n, into, [this](int64_t i) { return StateOf(i); });
  }
  // Writes the results of the n states of `count` elements each.
  void PutResultsOf(int64_t count, int64_t n, T* HWY_RESTRICT out) {
    PutResults(n, out,
               [=, this](int64_t i) { return M::Finish(StateOf(i), count); });
  }

 private:
  T LargestOf(int64_t i) const { return ReduceMax<T>::Finish(keys_[i], 1); }

  State StateOf(int64_t i) const {
    if constexpr (kIsFloat<T>) {
      return {largest_[i], sums_[i]};
    } else {
      return {LargestOf(i), sums_[i]};
    }
  }

  // The largest elements, as ReduceMax has them; those of floats as states do.
  alignas(64) Key<T> keys_[kTileExponentials];
  alignas(
      64) decltype(State::max) largest_[kIsFloat<T> ? kTileExponentials : 1];
  alignas(64) typename M::Offset offsets_[kTileExponentials + kStep];
  alignas(64) typename M::Offset beside_[kTileExponentials + kStep];
  alignas(64) double exponentials_[kTileExponentials + kStep];
  alignas(64) double sums_[kTileExponentials];
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_EXPONENTIAL_TILE_INL_H_
