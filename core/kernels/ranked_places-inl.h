// Places of bytes in short rows and small slabs: each element and the rank of
// its place become one number of 16 bits, the largest of which ReduceMax finds.
// Elements of 16 bits, whose numbers take 32, gain nothing. Compiled once per
// instruction set.
//
// ArgMax of int8, in cache, Intel, AVX-512, GB/s by a search of rows and by
// leaders of columns, and so:
//   rows of 5             1.9  3.4
//   rows of 8             6.1   12
//   rows of 17            6.0  8.0
//   slabs of 30 x 3       3.0  5.4
//   slabs of 8 x 8        4.9  9.8
//   slabs of 50 x 40      5.6   18
#if defined(REDUCTOR_CORE_KERNELS_RANKED_PLACES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_RANKED_PLACES_INL_H_
#undef REDUCTOR_CORE_KERNELS_RANKED_PLACES_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_RANKED_PLACES_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/kernels.h"
#include "core/kernels/elements-inl.h"
#include "core/kernels/kernels_here-inl.h"
#include "core/order.h"
#include "core/reducers/extremes.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// The positions in columns of slabs of what Extreme finds in T; rows are slabs
// of one column.
template <template <class> class Extreme, class T>
class RankedPlaces {
  static_assert(sizeof(T) == 1);

 public:
  // The most rows of a slab, whose places half a number holds.
  static constexpr int64_t kMostRows = 256;

  // Of up to `slabs` slabs.
  // REQUIRES: rows <= kMostRows, IsSmallSlab(rows, cols).
  RankedPlaces(Tie tie, int64_t slabs, int64_t rows, int64_t cols)
      : tie_(tie),
        rows_(rows),
        cols_(cols),
        at_once_(std::clamp<int64_t>(kNumbers / (rows * cols), 1, slabs)) {
    Number* end = ranks_;
    for (int64_t r = 0; r < rows; ++r, end += cols) {
      const auto rank = static_cast<Number>(RankOf(tie, r, rows));
#pragma omp simd
      for (int64_t c = 0; c < cols; ++c) end[c] = rank;
    }
    // The same for the other slabs, as many as there are already.
    for (int64_t left = (at_once_ - 1) * rows * cols; left > 0;) {
      const int64_t count = std::min<int64_t>(left, end - ranks_);
      end = std::copy_n(ranks_, count, end);
      left -= count;
    }
  }

  // Makes out[s * cols + c] the position in column c of slab s.
  HWY_NOINLINE void Put(const std::byte* HWY_RESTRICT x, int64_t slabs,
                        int64_t* HWY_RESTRICT out) const {
    alignas(64) Number numbers[kNumbers];
    alignas(64) Number largest[kNumbers];
    for (int64_t s = 0, count = 0; s < slabs; s += count) {
      count = std::min(slabs - s, at_once_);
      MakeNumbers(x + s * rows_ * cols_, count * rows_ * cols_, numbers);
      FindLargest(numbers, count, largest);
      PutRows(largest, count * cols_, out + s * cols_);
    }
  }

 private:
  // In its upper half what is the larger the sooner the element is wanted, in
  // its lower half the same of its row.
  using Number = std::conditional_t<std::is_signed_v<T>, int16_t, uint16_t>;
  static constexpr int kHalf = 8;
  // So many stay in the L1 cache with their ranks.
  static constexpr int64_t kNumbers = 2 * kMaxSlab;

  // The rank of a row, or the row that has it.
  static constexpr int64_t RankOf(Tie tie, int64_t row, int64_t rows) {
    return tie == Tie::kFirst ? rows - 1 - row : row;
  }

  HWY_INLINE void MakeNumbers(const std::byte* HWY_RESTRICT x, int64_t count,
                              Number* HWY_RESTRICT numbers) const {
    constexpr bool kIsMax = Extreme<T>::Combine(0, 1) == 1;
    const Number* const HWY_RESTRICT ranks = ranks_;
#pragma omp simd
    for (int64_t i = 0; i < count; ++i) {
      const T element = ElementAt<T>(x, i);
      const T key = static_cast<T>(kIsMax ? element : ~element);
      numbers[i] = static_cast<Number>(key * (1 << kHalf) + ranks[i]);
    }
  }

  // Makes largest[s * cols_ + c] that of column c of slab s.
  HWY_INLINE void FindLargest(const Number* numbers, int64_t slabs,
                              Number* largest) const {
    const Kernel& kernel = KernelHere<ReduceMax, Number>();
    const auto* const x = reinterpret_cast<const std::byte*>(numbers);
    auto* const states = reinterpret_cast<std::byte*>(largest);
    if (cols_ == 1) {
      kernel.fold_rows(x, slabs, rows_, states, Into::kNew, Source::kOwnCache);
    } else {
      kernel.fold_slabs(x, slabs, rows_, cols_, states, Into::kNew,
                        Source::kOwnCache);
    }
  }

  HWY_INLINE void PutRows(const Number* HWY_RESTRICT largest, int64_t count,
                          int64_t* HWY_RESTRICT out) const {
    const Tie tie = tie_;
    const int64_t rows = rows_;
#pragma omp simd
    for (int64_t i = 0; i < count; ++i) {
      out[i] = RankOf(tie, static_cast<uint8_t>(largest[i]), rows);
    }
  }

  Tie tie_;
  int64_t rows_;
  int64_t cols_;
  int64_t at_once_;  // So many slabs.
  alignas(64) Number ranks_[kNumbers];
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_RANKED_PLACES_INL_H_
