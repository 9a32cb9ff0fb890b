// What the searches for places share: numbers for these, and which lanes of a
// mask are set. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_PLACES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_PLACES_INL_H_
#undef REDUCTOR_CORE_PLACES_INL_H_
#else
#define REDUCTOR_CORE_PLACES_INL_H_
#endif

#include <bit>
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

// A mask as a number, a bit for each of up to 64 lanes.
template <class D>
HWY_INLINE uint64_t BitsOf(D d, hn::Mask<D> mask) {
  static_assert(hn::MaxLanes(d) <= 64);
  uint8_t bytes[8];
  hn::StoreMaskBits(d, mask, bytes);
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, (hn::MaxLanes(d) + 7) / 8);
  return bits;
}

// Which of these is set: the first or the last. REQUIRES: one is.
template <Tie kTie>
HWY_INLINE int PlaceIn(uint64_t bits) {
  return kTie == Tie::kFirst ? std::countr_zero(bits)
                             : std::bit_width(bits) - 1;
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_PLACES_INL_H_
