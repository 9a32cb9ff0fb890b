// Sums of bfloat16 of which some are added as float32, as long as that is
// exact, before they are widened. Compiled once per instruction set.
//
// A bfloat16 has 8 digits and a float32 has 24. Eight elements whose exponents
// differ by 13 at most fit: with 3 digits for their number and 13 for where
// they stand, each of their sums is a multiple of the last digit of the
// smallest one, and so rounded nowhere. The sums of many such are exact in
// float64, too, while the exponents of all differ by so little that its 53
// digits suffice. Then it does not count what was added first, and the states
// have the bits of elements that are widened one by one. Both are looked for: a
// block of rows whose exponents differ by more is widened, and states whose do
// are not right.
//
// To widen 32 elements takes a shuffle, a conversion of two steps and an
// addition for each eight, 16 steps of a vector unit; to add them as float32
// two, to make float32 of them two, and to look at their exponents four. Of
// elements drawn evenly from [0, 1) one block in thirty is widened. In cache,
// Zen 4, GB/s by widened elements and by this, by AVX-512 and by AVX2:
//   sums of all               25  42   22  33
//   L1 of all                 23  42   18  34
//   sums of rows of 1,000     25  33   21  25
//   L1 of 300 columns         20  27   16  20
//   sums of 16 columns        25  29   20  24
#if defined(REDUCTOR_CORE_KERNELS_EXACT_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_EXACT_LANES_INL_H_
#undef REDUCTOR_CORE_KERNELS_EXACT_LANES_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_EXACT_LANES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"
#include "core/kernels/elements-inl.h"
#include "core/kernels/isa-inl.h"
#include "core/kernels/monoid_traits.h"
#include "core/kernels/store_pair-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Whether the states of M have such lanes.
template <Monoid M>
inline constexpr bool kHasExactLanes = false;
template <>
inline constexpr bool kHasExactLanes<ReduceSum<BFloat16>> = kHasExtraLoops;
template <>
inline constexpr bool kHasExactLanes<ReduceL1<BFloat16>> = kHasExtraLoops;

// The kWidth states of ReduceSum<BFloat16> or of ReduceL1<BFloat16>.
template <Monoid M, int64_t kWidth>
class ExactLanes {
  static_assert(kHasExactLanes<M>);

 public:
  // The rows that are added as float32: fewer are widened.
  static constexpr int64_t kBlockRows = 8;
  // The most rows that the states take: so many elements add 13 digits.
  static constexpr int64_t kMostRows = 8192;

  // The states of no elements.
  HWY_INLINE ExactLanes() {
    for (int64_t v = 0; v < kVectors; ++v) {
      for (Wide& sums : sums_[v]) sums = hn::Zero(OfWide());
      largest_[v] = hn::Zero(D());
      smallest_[v] = hn::Set(D(), kNone);
    }
  }

  // Lane l takes elements i + l, i + stride + l and so on of up to `rows` rows:
  // of whole blocks, before each of which comes prefetch(its first row). Says
  // how many rows it took: none where too few blocks were exact to gain by it.
  // REQUIRES: rows <= kMostRows.
  template <class Prefetch>
  HWY_INLINE int64_t AppendBlocks(const std::byte* HWY_RESTRICT x, int64_t i,
                                  int64_t rows, int64_t stride,
                                  const Prefetch& prefetch) {
    int64_t widened = 0;
    int64_t r = 0;
    for (; r + kBlockRows <= rows; r += kBlockRows) {
      prefetch(r);
      if (!AppendBlock(x, i + r * stride, stride) && ++widened > kMostWidened) {
        return 0;
      }
    }
    return r;
  }

  // Lane l takes element i + l.
  HWY_INLINE void AppendRow(const std::byte* HWY_RESTRICT x, int64_t i) {
    for (int64_t v = 0; v < kVectors; ++v) {
      const V each = At(x, i + v * kVectorLanes);
      const V magnitudes = MagnitudesOf(each);
      Note(v, magnitudes, PastZero(magnitudes));
      Widen(v, HalvesOf(each));
    }
  }

  // Writes the states to `to`, if they are right; says whether they are.
  [[nodiscard]] HWY_INLINE bool StoreStates(double* HWY_RESTRICT to) const {
    for (int64_t v = 0; v < kVectors; ++v) {
      if (!DifferByAtMost(kInAll, largest_[v], smallest_[v]) ||
          !hn::AllTrue(D(), hn::Lt(largest_[v], hn::Set(D(), kLimit)))) {
        return false;
      }
    }
    for (int64_t v = 0; v < kVectors; ++v) {
      const Wide(&sums)[4] = sums_[v];
      double* const states = to + v * kVectorLanes;
      StorePair(sums[0], sums[1], states);
      StorePair(sums[2], sums[3], states + kVectorLanes / 2);
    }
    return true;
  }

 private:
  using D = hn::CappedTag<uint16_t, kWidth>;
  using V = hn::Vec<D>;
  using Floats = hn::Repartition<float, D>;
  using Words = hn::RebindToUnsigned<Floats>;
  using OfWide = hn::Repartition<double, D>;
  using Wide = hn::Vec<OfWide>;
  static constexpr int64_t kVectorLanes = hn::MaxLanes(D());
  static constexpr int64_t kVectors = kWidth / kVectorLanes;

  // An element's magnitude: its bits but for the sign.
  static constexpr uint16_t kMagnitude = 0x7fff;
  static constexpr uint16_t kNone = 0xffff;
  // What magnitudes are apart whose exponents are by one.
  static constexpr uint16_t kOneExponent = 1 << 7;
  // How many exponents elements may be apart: in a block of 2^3 rows
  // 13 + 8 + 3 digits, in all 32 + 8 + 13.
  static constexpr uint16_t kInBlock = 13 * kOneExponent;
  static constexpr uint16_t kInAll = 32 * kOneExponent;
  // Magnitudes less than this make no sum of a block infinite.
  static constexpr uint16_t kLimit = 252 * kOneExponent;
  // So many blocks that are widened cost less than is gained by as many others
  // as lie in a row.
  static constexpr int64_t kMostWidened = 8;

  static HWY_INLINE V At(const std::byte* HWY_RESTRICT x, int64_t i) {
    return LoadElementsOnce(D(), x, i);
  }

  // Elements as float32: those in the lower halves of words, and in the upper.
  struct Halves {
    hn::Vec<Floats> even;
    hn::Vec<Floats> odd;
  };
  static HWY_INLINE Halves HalvesOf(V elements) {
    if constexpr (kIsL1<M>) {
      elements = MagnitudesOf(elements);
    }
    const Words d;
    const auto words = hn::BitCast(d, elements);
    return {hn::BitCast(Floats(), hn::ShiftLeft<16>(words)),
            hn::BitCast(Floats(), hn::And(words, hn::Set(d, 0xffff0000)))};
  }

  static HWY_INLINE V MagnitudesOf(V elements) {
    return hn::And(elements, hn::Set(D(), kMagnitude));
  }

  // Magnitudes less one, so that a zero, which has no exponent, is larger than
  // all others.
  static HWY_INLINE V PastZero(V magnitudes) {
    return hn::Sub(magnitudes, hn::Set(D(), uint16_t{1}));
  }

  // Whether the exponents of elements of which these are the largest and
  // PastZero() of the smallest one differ by so little. As that is one less, no
  // fraction makes up for an exponent.
  static HWY_INLINE bool DifferByAtMost(uint16_t most, V largest, V smallest) {
    const V more = hn::SaturatedSub(hn::SaturatedSub(largest, smallest),
                                    hn::Set(D(), most));
    return hn::AllTrue(D(), hn::Eq(more, hn::Zero(D())));
  }

  // Lane l takes elements i + l, i + stride + l and so on of a block. Says
  // whether all vectors of it were exact.
  HWY_INLINE bool AppendBlock(const std::byte* HWY_RESTRICT x, int64_t i,
                              int64_t stride) {
    bool is_exact = true;
    for (int64_t v = 0; v < kVectors; ++v) {
      const int64_t begin = i + v * kVectorLanes;
      const V first = At(x, begin);
      Halves sums = HalvesOf(first);
      V largest = MagnitudesOf(first);
      V smallest = PastZero(largest);
#pragma GCC unroll 8
      for (int64_t r = 1; r < kBlockRows; ++r) {
        const V each = At(x, begin + r * stride);
        const V magnitudes = MagnitudesOf(each);
        largest = hn::Max(largest, magnitudes);
        smallest = hn::Min(smallest, PastZero(magnitudes));
        const Halves halves = HalvesOf(each);
        sums.even = hn::Add(sums.even, halves.even);
        sums.odd = hn::Add(sums.odd, halves.odd);
      }
      Note(v, largest, smallest);
      if (HWY_LIKELY(DifferByAtMost(kInBlock, largest, smallest))) {
        Widen(v, sums);
      } else {
        for (int64_t r = 0; r < kBlockRows; ++r) {
          Widen(v, HalvesOf(At(x, begin + r * stride)));
        }
        is_exact = false;
      }
    }
    return is_exact;
  }

  HWY_INLINE void Note(int64_t v, V largest, V smallest) {
    largest_[v] = hn::Max(largest_[v], largest);
    smallest_[v] = hn::Min(smallest_[v], smallest);
  }

  HWY_INLINE void Widen(int64_t v, Halves halves) {
    const OfWide d;
    const hn::Half<Floats> half;
    Wide(&sums)[4] = sums_[v];
    const auto add = [d](Wide& sum, auto floats) {
      sum = hn::Add(sum, hn::PromoteTo(d, floats));
    };
    add(sums[0], hn::LowerHalf(halves.even));
    add(sums[1], hn::LowerHalf(halves.odd));
    add(sums[2], hn::UpperHalf(half, halves.even));
    add(sums[3], hn::UpperHalf(half, halves.odd));
  }

  // Of the elements of vector v the even ones and the odd ones of its lower
  // half, then of its upper one.
  Wide sums_[kVectors][4];
  // The largest magnitudes, and PastZero() of the smallest.
  V largest_[kVectors];
  V smallest_[kVectors];
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_EXACT_LANES_INL_H_
