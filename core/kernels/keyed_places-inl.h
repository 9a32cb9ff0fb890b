// Places of bytes in short rows and small slabs: each element and its place
// become one number of 16 bits, a keyed place, the largest of which ReduceMax
// finds. Elements of 16 bits, whose keyed places take 32, gain nothing.
// Compiled once per instruction set.
//
// ArgMax of int8, Intel, AVX-512, GB/s by a search of rows, of fewer than five
// columns too, or by leaders of columns, then by this:
//   rows of 5, in cache               1.9  3.4
//   rows of 8, in cache               6.1   12
//   rows of 8, from memory            3.7  5.1
//   rows of 17, in cache              6.0  8.0
//   slabs of 30 x 3, in cache         3.0  5.4
//   slabs of 8 x 8, in cache          4.9  9.8
//   slabs of 8 x 8, from memory       3.3  4.0
//   slabs of 50 x 40, in cache        5.6   18
// By AVX2 28 such shapes are 1.6 times as fast on average.
#if defined(REDUCTOR_CORE_KERNELS_KEYED_PLACES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_KEYED_PLACES_INL_H_
#undef REDUCTOR_CORE_KERNELS_KEYED_PLACES_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_KEYED_PLACES_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/kernels.h"
#include "core/kernels/elements-inl.h"
#include "core/kernels/extreme_vectors-inl.h"
#include "core/kernels/kernels_here-inl.h"
#include "core/kernels/places-inl.h"
#include "core/order.h"
#include "core/reducers/extremes.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// The positions in columns of slabs of what Extreme finds in T; rows are slabs
// of one column.
template <template <class> class Extreme, class T>
class KeyedPlaces {
  static_assert(sizeof(T) == 1);

 public:
  // The most rows of a slab, whose places half a keyed place holds.
  static constexpr int64_t kMostRows = 256;

  // Of up to `slabs` slabs.
  // REQUIRES: 1 <= slabs, 2 <= rows <= kMostRows, IsSmallSlab(rows, cols).
  KeyedPlaces(Tie tie, int64_t slabs, int64_t rows, int64_t cols)
      : tie_(tie),
        rows_(rows),
        cols_(cols),
        at_once_(std::clamp<int64_t>(kMost / (rows * cols), 1, slabs)) {
    KeyedPlace* end = precedences_;
    for (int64_t r = 0; r < rows; ++r, end += cols) {
      const auto precedence = static_cast<uint8_t>(~RowOfPlace(tie, r, rows));
#pragma omp simd
      for (int64_t c = 0; c < cols; ++c) end[c] = precedence;
    }
    // The same for the other slabs, as many as there are already.
    for (int64_t left = (at_once_ - 1) * rows * cols; left > 0;) {
      const int64_t count = std::min<int64_t>(left, end - precedences_);
      end = std::copy_n(precedences_, count, end);
      left -= count;
    }
  }

  // Makes out[s * cols + c] the position in column c of slab s.
  HWY_NOINLINE void Put(const std::byte* HWY_RESTRICT x, int64_t slabs,
                        int64_t* HWY_RESTRICT out) const {
    alignas(64) KeyedPlace keyed[kMost];
    alignas(64) KeyedPlace largest[kMost / 2];
    for (int64_t s = 0, count = 0; s < slabs; s += count) {
      count = std::min(slabs - s, at_once_);
      MakeKeyed(x + s * rows_ * cols_, count * rows_ * cols_, keyed);
      FindLargest(keyed, count, largest);
      PutRowsOfPlaces(
          tie_, rows_, count * cols_, out + s * cols_,
          [&](int64_t i) { return static_cast<uint8_t>(~largest[i]); });
    }
  }

 private:
  // The upper byte is the element, or its complement where the smallest is
  // wanted; the lower one the complement of its place (RowOfPlace()), so that
  // of equal elements that at the first place is the largest number.
  using KeyedPlace = std::conditional_t<std::is_signed_v<T>, int16_t, uint16_t>;
  static constexpr int kHalf = 8;
  // So many stay in the L1 cache beside their precedences.
  static constexpr int64_t kMost = 2 * kMaxSlab;

  HWY_INLINE void MakeKeyed(const std::byte* HWY_RESTRICT x, int64_t count,
                            KeyedPlace* HWY_RESTRICT keyed) const {
    constexpr bool kIsMax = ExtremeVectors<Extreme<T>>::kIsMax;
    const KeyedPlace* const HWY_RESTRICT precedences = precedences_;
#pragma omp simd
    for (int64_t i = 0; i < count; ++i) {
      const T element = ElementAt<T>(x, i);
      const T wanted = static_cast<T>(kIsMax ? element : ~element);
      keyed[i] =
          static_cast<KeyedPlace>(wanted * (1 << kHalf) + precedences[i]);
    }
  }

  // Makes largest[s * cols_ + c] that of column c of slab s.
  HWY_INLINE void FindLargest(const KeyedPlace* keyed, int64_t slabs,
                              KeyedPlace* largest) const {
    const Kernel& kernel = KernelHere<ReduceMax, KeyedPlace>();
    const auto* const x = reinterpret_cast<const std::byte*>(keyed);
    auto* const states = reinterpret_cast<std::byte*>(largest);
    if (cols_ == 1) {
      kernel.fold_rows(x, slabs, rows_, states, Into::kNew, Source::kOwnCache);
    } else {
      kernel.fold_slabs(x, slabs, rows_, cols_, states, Into::kNew,
                        Source::kOwnCache);
    }
  }

  Tie tie_;
  int64_t rows_;
  int64_t cols_;
  int64_t at_once_;  // So many slabs.
  alignas(64) KeyedPlace precedences_[kMost];
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_KEYED_PLACES_INL_H_
