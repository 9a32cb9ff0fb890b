// What the searches for places share: numbers for these, which lanes of a mask
// are set, and the search of few elements. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_PLACES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_PLACES_INL_H_
#undef REDUCTOR_CORE_KERNELS_PLACES_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_PLACES_INL_H_
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/reducers/extremes.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Places in rows or columns of T: as wide as the keys, so that both fill
// registers alike, but for 8 bits, which hold few places.
template <class T>
using PlaceFor =
    std::conditional_t<sizeof(T) == 8, int64_t,
                       std::conditional_t<sizeof(T) == 4, int32_t, int16_t>>;

// The row of `rows` that a place stands for, or the other way round: of the
// last of equal elements it counts from the end (leaders-inl.h).
HWY_INLINE int64_t RowOfPlace(Tie tie, int64_t place, int64_t rows) {
  return tie == Tie::kFirst ? place : rows - 1 - place;
}

// Makes out[i] the row of `rows` that place_at(i) stands for, of each of `n`.
template <class PlaceAt>
HWY_INLINE void PutRowsOfPlaces(Tie tie, int64_t rows, int64_t n,
                                int64_t* HWY_RESTRICT out,
                                const PlaceAt& place_at) {
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) out[i] = RowOfPlace(tie, place_at(i), rows);
}

// A mask as a number, a bit for each of up to 64 lanes.
template <class D>
HWY_INLINE uint64_t BitsOf(D d, hn::Mask<D> mask) {
  constexpr size_t kLanes = hn::MaxLanes(d);
  static_assert(kLanes <= 64);
  uint8_t bytes[8];
  hn::StoreMaskBits(d, mask, bytes);
  std::conditional_t<kLanes == 32, uint32_t, uint64_t> bits = 0;
  std::memcpy(&bits, bytes, (kLanes + 7) / 8);
#if defined(__GNUC__)
  // In a general register before it is widened: g++ 12 stores a mask of 32
  // lanes for which it has no register in four bytes, and loads eight (with
  // -O2 ArgMax of rows of int16 was 32 wherever it should have been more).
  // Others it moves as they are, which takes less (places in rows of 64 int64,
  // in cache, AVX-512: 51 GB/s this way, 57 so).
  if constexpr (kLanes == 32) asm("" : "+r"(bits));
#endif
  return bits;
}

// Calls f with the tie as a constant.
template <class F>
HWY_INLINE auto WithTie(Tie tie, const F& f) {
  if (tie == Tie::kFirst) return f(std::integral_constant<Tie, Tie::kFirst>());
  return f(std::integral_constant<Tie, Tie::kLast>());
}

// Which of these is set: the first or the last. REQUIRES: one is.
template <Tie kTie>
HWY_INLINE int PlaceIn(uint64_t bits) {
  return kTie == Tie::kFirst ? std::countr_zero(bits)
                             : std::bit_width(bits) - 1;
}

// Where, of `count` elements, the position P is, of which at(i) is the i'th.
// Without a branch, which the CPU would mispredict.
template <class P, class At>
HWY_INLINE int64_t PlaceOfBest(int64_t count, const At& at) {
  auto best = P::KeyOf(at(0));
  int64_t place = 0;
#pragma GCC unroll 1
  for (int64_t i = 1; i < count; ++i) {
    const auto key = P::KeyOf(at(i));
    const bool is_better = P::IsBetter(key, best);
    best = is_better ? key : best;
    place = is_better ? i : place;
  }
  return place;
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_PLACES_INL_H_
