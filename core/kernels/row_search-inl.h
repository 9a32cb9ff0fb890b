// Where rows have their best elements, once these are known: up to 64 elements
// at a time are compared with it, a bit each. A row of 2, 3, 4 or 8 elements is
// one expression instead, which the compiler vectorises over the rows. Compiled
// once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_ROW_SEARCH_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_ROW_SEARCH_INL_H_
#undef REDUCTOR_CORE_KERNELS_ROW_SEARCH_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_ROW_SEARCH_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/dtype.h"
#include "core/kernels/elements-inl.h"
#include "core/kernels/isa-inl.h"
#include "core/kernels/places-inl.h"
#include "core/ordered.h"
#include "core/reducers/extremes.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// What elements are searched as: integers by their bits, whatever their sign.
template <class T>
using Searched =
    typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                std::type_identity<T>>::type;

// In rows of T that lie one after the other, for any position: 0 equals -0, and
// all NaNs are equal.
template <class T, Tie kTie>
class RowSearch {
 public:
  // Of rows of `n` elements; memory may be read up to `end`.
  // REQUIRES: PlaceFor<T> holds n - 1.
  RowSearch(int64_t n, const std::byte* end) : n_(n), end_(end) {}

  // Where values[r] stands in row r of those from x on, which has it: the first
  // place, or the last.
  HWY_NOINLINE void FindPlaces(const T* HWY_RESTRICT values,
                               const std::byte* HWY_RESTRICT x, int64_t rows,
                               PlaceFor<T>* HWY_RESTRICT places) const {
    if (n_ == 2) return FindPlacesIn<2>(values, x, rows, places);
    if (n_ == 3) return FindPlacesIn<3>(values, x, rows, places);
    if (n_ == 4) return FindPlacesIn<4>(values, x, rows, places);
    if (n_ == 8) return FindPlacesIn<8>(values, x, rows, places);
    for (int64_t r = 0; r < rows; ++r) {
      places[r] = PlaceOf(values[r], x + r * n_ * kSize);
    }
  }

 private:
  // The same of one row.
  HWY_INLINE PlaceFor<T> PlaceOf(T value,
                                 const std::byte* HWY_RESTRICT x) const {
    const D d;
    if constexpr (std::is_floating_point_v<T>) {
      if (IsNan(value)) {
        return Find([](V each) { return hn::IsNaN(each); }, x);
      }
      const V wanted = hn::Set(d, value);
      return Find([wanted](V each) { return hn::Eq(each, wanted); }, x);
    } else if constexpr (kIsFloat<T>) {
      const V magnitude = hn::Set(d, kMagnitude);
      if (IsNan(value)) {
        const V infinity = hn::Set(d, kInfinityBits<T>);
        return Find(
            [magnitude, infinity](V each) {
              return hn::Gt(hn::And(each, magnitude), infinity);
            },
            x);
      }
      const auto bits = std::bit_cast<Lane>(value);
      const bool is_zero = (bits & kMagnitude) == 0;
      const V mask = is_zero ? magnitude : hn::Set(d, Lane{-1});
      const V wanted = hn::Set(d, is_zero ? Lane{0} : bits);
      return Find([mask, wanted](
                      V each) { return hn::Eq(hn::And(each, mask), wanted); },
                  x);
    } else {
      const V wanted = hn::Set(d, value);
      return Find([wanted](V each) { return hn::Eq(each, wanted); }, x);
    }
  }

  // Floats of 16 bits are compared as integers.
  using Lane = std::conditional_t<kIsFloat<T> && sizeof(T) == 2, int16_t, T>;
  using D = hn::ScalableTag<Lane>;
  using V = hn::Vec<D>;
  static constexpr int64_t kWidth = hn::MaxLanes(D());
  static constexpr int64_t kSize = sizeof(T);
  // What their bits are without the sign.
  static constexpr Lane kMagnitude = std::numeric_limits<Lane>::max();
  // What is compared at a time: 64 elements at most, and so few bytes that a
  // long row is left soon.
  static constexpr int64_t kWord = std::min<int64_t>(64, 256 / kSize);

  // Whether an element is what was found in its row, where a NaN is found if
  // there is one. Without a branch, and by numbers alone (positions in rows of
  // 3 and 8 float16, in cache, AVX-512: 0.7 and 0.6 GB/s as T, 10 and 11 so).
  static constexpr bool IsWanted(Lane each, Lane wanted) {
    if constexpr (std::is_floating_point_v<T>) {
      return ((each == wanted) | (each != each)) != 0;
    } else if constexpr (kIsFloat<T>) {
      const auto are_zeros = ((each | wanted) & kMagnitude) == 0;
      return ((each == wanted) | are_zeros | AreOfNan<T>(each)) != 0;
    } else {
      return each == wanted;
    }
  }

  template <int64_t kN>
  static HWY_NOINLINE void FindPlacesIn(const T* HWY_RESTRICT values,
                                        const std::byte* HWY_RESTRICT x,
                                        int64_t rows,
                                        PlaceFor<T>* HWY_RESTRICT places) {
    constexpr bool kForward = kTie == Tie::kFirst;
    // The first one looked at has it if no other has, so it need not be looked
    // at. But of one choice between two places g++ makes a bit and no vectors
    // (float32 rows of 2, in cache, AVX-512: 4 GB/s, 23 by two choices).
    constexpr int64_t kBegin = kN == 2 ? 0 : 1;
    const auto place_of = [=](int64_t r) {
      const auto wanted =
          ElementAt<Lane>(reinterpret_cast<const std::byte*>(values), r);
      PlaceFor<T> place = kForward ? kN - 1 : 0;
      // What is found later displaces what is found before.
#pragma GCC unroll 8
      for (int64_t i = kBegin; i < kN; ++i) {
        const int64_t k = kForward ? kN - 1 - i : i;
        const auto each = ElementAt<Lane>(x, r * kN + k);
        place = IsWanted(each, wanted) ? static_cast<PlaceFor<T>>(k) : place;
      }
      return place;
    };
#pragma omp simd
    for (int64_t r = 0; r < rows; ++r) places[r] = place_of(r);
  }

  template <class Is>
  HWY_INLINE PlaceFor<T> Find(const Is& is,
                              const std::byte* HWY_RESTRICT x) const {
    if (n_ < kWord) {
      const uint64_t in_row = (uint64_t{1} << n_) - 1;
      return PlaceIn<kTie>(FewBits(is, x) & in_row);
    }
    // The last elements, or the first, once more with some of the others.
    const int64_t last = n_ - kWord;
    if constexpr (kTie == Tie::kFirst) {
      for (int64_t i = 0; i < last; i += kWord) {
        const int64_t place = PlaceInWord(is, x + i * kSize);
        if (place >= 0) return static_cast<PlaceFor<T>>(i + place);
      }
      return last + PlaceIn<kTie>(Bits<kWord>(is, x + last * kSize));
    } else {
      for (int64_t i = last; i > 0; i -= kWord) {
        const int64_t place = PlaceInWord(is, x + i * kSize);
        if (place >= 0) return static_cast<PlaceFor<T>>(i + place);
      }
      return PlaceIn<kTie>(Bits<kWord>(is, x));
    }
  }

  // A bit for each element of a row of fewer than kWord, set if it matches, and
  // maybe for some that follow it.
  template <class Is>
  HWY_INLINE uint64_t FewBits(const Is& is,
                              const std::byte* HWY_RESTRICT x) const {
    if (n_ < kWidth) {
      if (end_ - x >= kWidth * kSize) return Bits<kWidth>(is, x);
      alignas(64) std::byte row[kWidth * kSize] = {};
      std::memcpy(row, x, n_ * kSize);
      return Bits<kWidth>(is, row);
    }
    const int64_t last = n_ - kWidth;
    uint64_t bits = Bits<kWidth>(is, x + last * kSize) << last;
    for (int64_t l = 0; l < last; l += kWidth) {
      bits |= Bits<kWidth>(is, x + l * kSize) << l;
    }
    return bits;
  }

  // The place among kWord elements, or -1. Below AVX-512 masks are vectors, of
  // which all are tested at once: to make bits of each takes longer (the
  // largest's place in rows of 1,024 int32, in cache, AVX2 and SSE4: 46 and 30
  // GB/s by bits, 68 and 45 so).
  template <class Is>
  static HWY_INLINE int64_t PlaceInWord(const Is& is,
                                        const std::byte* HWY_RESTRICT x) {
    if constexpr (!kHasAvx512) {
      auto any = At(is, x, 0);
#pragma GCC unroll 16
      for (int64_t l = kWidth; l < kWord; l += kWidth) {
        any = hn::Or(any, At(is, x, l));
      }
      if (hn::AllFalse(D(), any)) return -1;
    }
    const uint64_t bits = Bits<kWord>(is, x);
    return bits == 0 ? -1 : PlaceIn<kTie>(bits);
  }

  // Which of the elements of the vector from l on match.
  template <class Is>
  static HWY_INLINE hn::Mask<D> At(const Is& is,
                                   const std::byte* HWY_RESTRICT x, int64_t l) {
    return is(LoadElements(D(), x, l));
  }

  // A bit for each of kCount elements, set if it matches.
  template <int64_t kCount, class Is>
  static HWY_INLINE uint64_t Bits(const Is& is,
                                  const std::byte* HWY_RESTRICT x) {
    uint64_t bits = 0;
    for (int64_t l = 0; l < kCount; l += kWidth) {
      bits |= BitsOf(D(), At(is, x, l)) << l;
    }
    return bits;
  }

  int64_t n_;
  const std::byte* end_;
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_ROW_SEARCH_INL_H_
