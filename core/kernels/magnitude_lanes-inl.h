// Sums of magnitudes of float32 by their bits, two elements at a time.
// Compiled once per instruction set.
//
// A float32's bits without its sign, shifted left by 29, are those of a
// float64: 2^-896 times it, as the exponent is read with a bias of 1023, not
// 127, and of a subnormal one too. Sums of these round as sums of the elements
// do: in the same digits while they are normal; below that neither rounds, as
// all are multiples of 2^-149, of which float64 holds 2^-896 as they are. An
// infinity or a NaN looks like 2^128 or more, and so does all it joins, as
// nothing is negative: what is so large is folded once more, by elements that
// are widened.
//
// An Intel CPU has two vector units of AVX-512. To widen eight elements takes a
// step of each, their magnitudes and their addition a step of one: four in all,
// where to mask, to shift and to add are three. L1, in cache, GB/s by widened
// elements, then by this:
//   all               43  56
//   rows of 1,000     43  49
//   16 columns        41  48
//   4,096 columns     39  48
#if defined(REDUCTOR_CORE_KERNELS_MAGNITUDE_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_MAGNITUDE_LANES_INL_H_
#undef REDUCTOR_CORE_KERNELS_MAGNITUDE_LANES_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_MAGNITUDE_LANES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "core/kernels/elements-inl.h"
#include "core/kernels/prefetch-inl.h"
#include "core/kernels/store_pair-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The kWidth states of ReduceL1<float>, in their scale.
template <int64_t kWidth>
class MagnitudeLanes {
  template <int64_t>
  friend class MagnitudeLanes;

  using D = hn::ScalableTag<double>;
  static constexpr int64_t kVectorLanes = hn::MaxLanes(D());

 public:
  // Lanes that are folded at once, the even ones and the odd ones by a vector
  // each.
  static constexpr int64_t kPair = 2 * kVectorLanes;
  // To bring lanes back from their scale takes as long as to widen so many
  // rows of them (L1 of slabs of 6, 8 and 12 x 300, in cache: 35, 37 and 37
  // GB/s by widened elements, 34, 38 and 40 by bits).
  static constexpr int64_t kFewestRows = 8;
  // Where a row's lines are brought to.
  static constexpr Cache kCache = Cache::kL2;

  // The states of no elements.
  HWY_INLINE MagnitudeLanes() {
    for (int64_t p = 0; p < kPairs; ++p) even_[p] = odd_[p] = hn::Zero(D());
  }

  // Lane l takes element i + l.
  HWY_INLINE void Append(const std::byte* HWY_RESTRICT x, int64_t i) {
    const Bits d;
    constexpr uint64_t kMagnitude = 0x7fffffff;
    for (int64_t p = 0; p < kPairs; ++p) {
      const auto pair = LoadElementsOnce(d, x + (i + p * kPair) * kSize, 0);
      const auto even = hn::And(pair, hn::Set(d, kMagnitude));
      const auto odd = hn::And(pair, hn::Set(d, kMagnitude << 32));
      even_[p] = hn::Add(even_[p], hn::BitCast(D(), hn::ShiftLeft<29>(even)));
      odd_[p] = hn::Add(odd_[p], hn::BitCast(D(), hn::ShiftRight<3>(odd)));
    }
  }

  // Each lane is joined with the other's.
  HWY_INLINE void Combine(const MagnitudeLanes& other) {
    for (int64_t p = 0; p < kPairs; ++p) {
      even_[p] = hn::Add(even_[p], other.even_[p]);
      odd_[p] = hn::Add(odd_[p], other.odd_[p]);
    }
  }

  // Writes the states to `to` in their scale, of kPair at a time the even ones
  // and then the odd ones.
  HWY_INLINE void StoreScaled(double* HWY_RESTRICT to) const {
    for (int64_t p = 0; p < kPairs; ++p) {
      hn::StoreU(even_[p], D(), to + p * kPair);
      hn::StoreU(odd_[p], D(), to + p * kPair + kVectorLanes);
    }
  }

  // Makes such states, or sums of them, what StoreStates() writes, if it does.
  // REQUIRES: n % kPair == 0.
  [[nodiscard]] static HWY_INLINE bool Unscale(double* HWY_RESTRICT states,
                                               int64_t n) {
    for (int64_t l = 0; l < n; l += kPair) {
      MagnitudeLanes<kPair> pair;
      pair.even_[0] = hn::LoadU(D(), states + l);
      pair.odd_[0] = hn::LoadU(D(), states + l + kVectorLanes);
      if (!pair.StoreStates(states + l)) return false;
    }
    return true;
  }

  // Writes the states to `to`: not if one may have met an infinity or a NaN,
  // nor if one is subnormal in its scale, which takes long to undo. Says
  // whether it did.
  [[nodiscard]] HWY_INLINE bool StoreStates(double* HWY_RESTRICT to) const {
    const D d;
    const V limit = hn::Set(d, 0x1p128 * kScale);
    // None is larger than all together.
    V all = hn::Zero(d);
    V least = limit;
    for (int64_t p = 0; p < kPairs; ++p) {
      all = hn::Add(all, hn::Add(even_[p], odd_[p]));
      least = hn::Min(least, hn::Min(even_[p], odd_[p]));
    }
    if (!hn::AllTrue(d, hn::Lt(all, limit))) return false;
    const auto are_normal = hn::Ge(least, hn::Set(d, kLeastNormal));
    if (!hn::AllTrue(d, are_normal) && HasSubnormals()) return false;
    const V scale = hn::Set(d, 1 / kScale);
    for (int64_t p = 0; p < kPairs; ++p) {
      StorePair(hn::Mul(even_[p], scale), hn::Mul(odd_[p], scale),
                to + p * kPair);
    }
    return true;
  }

 private:
  using V = hn::Vec<D>;
  using Bits = hn::RebindToUnsigned<D>;
  static constexpr double kScale = 0x1p-896;
  static constexpr double kLeastNormal = 0x1p-1022;
  static constexpr int64_t kSize = sizeof(float);
  static constexpr int64_t kPairs = kWidth / kPair;
  static_assert(kWidth % kPair == 0);

  // The CPU adds subnormal numbers as it does others, but takes over a hundred
  // cycles to multiply them (rows of 1,000 elements of 1e-42: 9 GB/s).
  HWY_NOINLINE bool HasSubnormals() const {
    const D d;
    const auto is_any = [d](V lanes) {
      const auto are_small = hn::Lt(lanes, hn::Set(d, kLeastNormal));
      return !hn::AllFalse(d, hn::And(are_small, hn::Gt(lanes, hn::Zero(d))));
    };
    for (int64_t p = 0; p < kPairs; ++p) {
      if (is_any(even_[p]) || is_any(odd_[p])) return true;
    }
    return false;
  }

  // Of the lanes [p * kPair, (p + 1) * kPair).
  V even_[kPairs];
  V odd_[kPairs];
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_MAGNITUDE_LANES_INL_H_
