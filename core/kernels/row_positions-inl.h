// The best elements of rows and where they stand: long rows by one pass where
// that takes less (row_leader-inl.h); others are searched for their best ones,
// by the loops of ReduceMax or ReduceMin, and then for the places of these
// (row_search-inl.h). Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_ROW_POSITIONS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_ROW_POSITIONS_INL_H_
#undef REDUCTOR_CORE_KERNELS_ROW_POSITIONS_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_ROW_POSITIONS_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/cpu.h"
#include "core/kernels.h"
#include "core/kernels/kernels_here-inl.h"
#include "core/kernels/places-inl.h"
#include "core/kernels/prefetch-inl.h"
#include "core/kernels/row_leader-inl.h"
#include "core/kernels/row_search-inl.h"
#include "core/order.h"
#include "core/reducers/extremes.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// As many bytes of rows stay in half of a 32 KiB L1 cache until they are
// searched.
inline constexpr int64_t kSearchedBytes = 16 * 1024;

// From memory fewer: rows that are searched are read for the second time, and
// if that is over soon the CPU goes on to bring what follows them. Other CPUs
// were not measured. By kSearchedBytes and so, GB/s:
//   rows of 8 float32, Zen 4                14  18
//   rows of 64 float32, Zen 4               18  24
//   rows of 300 int64, Zen 4                20  24
//   rows of 32 float32, Intel, AVX-512     9.3  13
//   rows of 64 uint8, Intel, AVX-512        10  11
inline const int64_t kSearchedBytesOfMemory =
    kCpuKind == CpuKind::kZen4 || kCpuKind == CpuKind::kGoldenCove
        ? kPageBytes
        : kSearchedBytes;

// In rows of T, of the elements that Extreme finds. The tie is an argument, so
// that both share this code.
template <template <class> class Extreme, class T>
class RowPositions {
 public:
  // The most rows of which Find() is called.
  static constexpr int64_t kMostRows = 256;

  // Of rows of `n` elements, of which the last one ends at `end`.
  RowPositions(Tie tie, int64_t n, const std::byte* end, Source source)
      : tie_(tie), n_(n), end_(end), source_(source), are_led_(AreLed<T>(n)) {}

  // Of how many rows Find() is called at a time.
  int64_t rows_at_once() const {
    const int64_t bytes =
        source_ == Source::kMemory ? kSearchedBytesOfMemory : kSearchedBytes;
    return std::clamp<int64_t>(bytes / (n_ * kSize), 1, kMostRows);
  }

  // Makes values[r] the best element of row r of those from x on, and places[r]
  // where it stands.
  HWY_NOINLINE void Find(const std::byte* HWY_RESTRICT x, int64_t rows,
                         T* HWY_RESTRICT values, int64_t* HWY_RESTRICT places) {
    if constexpr (kHasRowLeaders<T>) {
      if (are_led_) {
        are_led_ = WithTie(tie_, [&](auto tie) {
          return FindLeaders<tie()>(x, rows, values, places);
        });
        if (are_led_) return;
      }
    }
    if (n_ > kLongest) {
      for (int64_t r = 0; r < rows; ++r) {
        places[r] = FindInLong(x + r * n_ * kSize, values + r);
      }
      return;
    }
    FindBest(x, rows, n_, values);
    if (source_ == Source::kMemory) PrefetchBeyond(x + rows * n_ * kSize);
    PlaceFor<T> narrow[kMostRows];
    FindPlaces(values, x, rows, n_, narrow);
#pragma omp simd
    for (int64_t r = 0; r < rows; ++r) places[r] = narrow[r];
  }

 private:
  static constexpr int64_t kSize = sizeof(T);
  // Longer rows are cut into pieces, of which only the best one is searched
  // (rows of 2,400 int32, in cache, by search with AVX-512: 48 GB/s block by
  // block, 76 so).
  static constexpr int64_t kLongest = kFillBytes / kSize;
  static constexpr int64_t kPiece = 4096 / kSize;
  static constexpr int64_t kMostPieces = kLongRowBytes / kSize / kPiece + 1;
  static_assert(kLongest <= std::numeric_limits<PlaceFor<T>>::max());

  // Makes values[r] the best element of row r.
  HWY_INLINE void FindBest(const std::byte* HWY_RESTRICT x, int64_t rows,
                           int64_t n, T* values) const {
    KernelHere<Extreme, T>().reduce_rows(
        x, rows, n, reinterpret_cast<std::byte*>(values), source_);
  }

  // Prefetches as much more of what lies after rows that end here than these
  // prefetched, so that it comes while they are searched (rows of 64 float32
  // and float64 and of 32 int32 from memory, Intel, AVX-512: 11, 10 and 8.9
  // GB/s without, 13, 12 and 12 so).
  static HWY_INLINE void PrefetchBeyond(const std::byte* end) {
    if (!kPrefetchesInOrder) return;
    PrefetchAfter<Cache::kL2>(
        end, std::min(kSearchedBytesOfMemory, kPrefetchDistance));
  }

  // By one pass over each row, unless one of them says that it may be wrong.
  template <Tie kTie>
  HWY_INLINE bool FindLeaders(const std::byte* HWY_RESTRICT x, int64_t rows,
                              T* values, int64_t* places) const {
    for (int64_t r = 0; r < rows; ++r) {
      if (!RowLeader<Extreme, T, kTie>::Find(x + r * n_ * kSize, n_, source_,
                                             values[r], places[r])) {
        return false;
      }
    }
    return true;
  }

  // REQUIRES: n_ is more than kPiece, and a row has at most kLongRowBytes.
  int64_t FindInLong(const std::byte* HWY_RESTRICT x, T* value) const {
    T best[kMostPieces];
    const int64_t whole = n_ / kPiece;
    const int64_t rest = n_ % kPiece;
    FindBest(x, whole, kPiece, best);
    if (rest > 0) FindBest(x + whole * kPiece * kSize, 1, rest, best + whole);
    const int64_t p = BestOf(best, whole + (rest > 0 ? 1 : 0));
    *value = best[p];
    PlaceFor<T> place;
    FindPlaces(value, x + p * kPiece * kSize, 1, p < whole ? kPiece : rest,
               &place);
    return p * kPiece + place;
  }

  // Which of the values is the best one.
  int64_t BestOf(const T* values, int64_t count) const {
    const auto at = [values](int64_t i) { return values[i]; };
    return WithTie(tie_, [&](auto tie) {
      return PlaceOfBest<Position<Extreme, T, tie()>>(count, at);
    });
  }

  // Makes places[r] where values[r] stands in row r, each `n` elements.
  HWY_INLINE void FindPlaces(const T* values, const std::byte* HWY_RESTRICT x,
                             int64_t rows, int64_t n,
                             PlaceFor<T>* places) const {
    using S = Searched<T>;
    const auto* const wanted = reinterpret_cast<const S*>(values);
    WithTie(tie_, [&](auto tie) {
      RowSearch<S, tie()>(n, end_).FindPlaces(wanted, x, rows, places);
    });
  }

  Tie tie_;
  int64_t n_;
  const std::byte* end_;
  Source source_;
  // Whether rows are looked at by one pass; not after one that may be wrong, as
  // rows are often alike.
  bool are_led_;
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_ROW_POSITIONS_INL_H_
