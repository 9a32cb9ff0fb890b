// Lanes of rows that take neighbours at once: exact sums of small integers, and
// of their squares, whose order does not count. So elements need not be widened
// one by one, as the CPU has instructions that add up bytes, or products of
// pairs (means of rows of 100 and all uint8, in cache, Zen 3, AVX2: 16 and 34
// GB/s one by one, 26 and 64 so; L2 of int16 11 and 18, 22 and 34). Compiled
// once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_NEIGHBOUR_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_NEIGHBOUR_LANES_INL_H_
#undef REDUCTOR_CORE_KERNELS_NEIGHBOUR_LANES_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_NEIGHBOUR_LANES_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/kernels/combine_vectors-inl.h"
#include "core/kernels/elements-inl.h"
#include "core/kernels/join_rows-inl.h"
#include "core/kernels/lane_tail-inl.h"
#include "core/kernels/monoid_traits.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Whether rows of M are folded so: sums of 8 and 16 bits, and squares of up to
// 32; but not those of uint16 and uint32, as two of them overflow the number of
// twice the bits that their sum is made in.
template <Monoid M>
constexpr bool TakesNeighbours() {
  using T = typename M::Input;
  if constexpr (IntegerElement<T> && WidensElements<M>()) {
    if (SumsWideSquares<M>()) return sizeof(T) == 1 || std::is_signed_v<T>;
    return sizeof(T) <= 2;
  } else {
    return false;
  }
}

// The states of a row of which kWidth elements are taken at a time: a vector of
// them, whatever the width.
template <Monoid M, int64_t kWidth>
class NeighbourLanes {
  using T = typename M::Input;
  using State = typename M::State;
  static constexpr bool kSquares = SumsWideSquares<M>();
  // What elements are multiplied as: bytes as int16, as the only product of
  // bytes takes unsigned ones by signed ones.
  using Factor = std::conditional_t<kSquares && sizeof(T) == 1, int16_t, T>;
  using D = hn::CappedTag<Factor, kWidth>;
  using V = hn::Vec<D>;
  using Sums = hn::Repartition<State, D>;
  static constexpr int64_t kVectorLanes = hn::MaxLanes(D());
  static constexpr int64_t kVectors = kWidth / kVectorLanes;

 public:
  // The states of no elements.
  HWY_INLINE NeighbourLanes() : sums_(hn::Zero(Sums())) {}

  // The states of elements [i, i + kWidth).
  HWY_INLINE NeighbourLanes(const std::byte* HWY_RESTRICT x, int64_t i)
      : NeighbourLanes() {
    Append(x, i);
  }

  // They take elements [i, i + kWidth).
  HWY_INLINE void Append(const std::byte* HWY_RESTRICT x, int64_t i) {
    for (int64_t v = 0; v < kVectors; ++v) {
      sums_ =
          CombineVectors<M>(sums_, SumsOf(ValuesAt(x, i + v * kVectorLanes)));
    }
  }

  // The elements from one on.
  using Tail = LaneTail<D, kVectors>;

  // They take those elements of [i, i + kWidth) that are of the tail.
  HWY_INLINE void AppendTo(const Tail& tail, const std::byte* HWY_RESTRICT x,
                           int64_t i) {
    for (int64_t v = 0; v < kVectors; ++v) {
      const V values = ValuesAt(x, i + v * kVectorLanes);
      sums_ = CombineVectors<M>(
          sums_, SumsOf(hn::AndNot(tail.bits_before(v), values)));
    }
  }

  HWY_INLINE void Combine(const NeighbourLanes& other) {
    sums_ = CombineVectors<M>(sums_, other.sums_);
  }

  // Joins them by halves down to kKept, or adds as many of nothing, which
  // become states [at, at + kKept) of `to`.
  template <int64_t kKept, class L>
  HWY_INLINE void StoreHalved(L& to, int64_t at) const {
    State* const HWY_RESTRICT first = to.data() + at;
    const auto kept = JoinHalves<kKept>(
        Sums(), sums_, [](auto a, auto b) { return CombineVectors<M>(a, b); });
    const hn::DFromV<decltype(kept)> d;
    hn::StoreU(kept, d, first);
    for (int64_t l = hn::MaxLanes(d); l < kKept; ++l) first[l] = 0;
  }

 private:
  static HWY_INLINE V ValuesAt(const std::byte* HWY_RESTRICT x, int64_t i) {
    const auto elements = LoadElements(hn::Rebind<T, D>(), x, i);
    if constexpr (std::is_same_v<Factor, T>) {
      return elements;
    } else {
      return hn::PromoteTo(D(), elements);
    }
  }

  // What they add to the states.
  static HWY_INLINE hn::Vec<Sums> SumsOf(V values) {
    const Sums d;
    const hn::Repartition<uint32_t, D> d32;
    const hn::Repartition<uint64_t, D> d64;
    if constexpr (kSquares && sizeof(T) == 4) {
      const auto squares = [d](auto v) {
        return hn::BitCast(d, hn::MulEven(v, v));
      };
      const auto odd = hn::ShiftRight<32>(hn::BitCast(d64, values));
      return hn::Add(squares(values), squares(hn::BitCast(D(), odd)));
    } else if constexpr (kSquares) {
      const auto pairs = hn::BitCast(d32, PairsOf(values, values));
      if constexpr (sizeof(State) == 4) return pairs;
      return HalvesOf<32>(hn::BitCast(d, pairs));
    } else if constexpr (std::is_same_v<T, uint8_t>) {
      return hn::BitCast(d, hn::SumsOf8(values));
    } else if constexpr (std::is_same_v<T, int8_t>) {
      // Each is made 128 larger, and so a sum of eight 1,024.
      const hn::RebindToUnsigned<D> bytes;
      const auto above =
          hn::Xor(hn::BitCast(bytes, values), hn::Set(bytes, 0x80));
      return hn::Sub(hn::BitCast(d, hn::SumsOf8(above)),
                     hn::BitCast(d, hn::Set(d64, 8 * 128)));
    } else if constexpr (std::is_same_v<T, int16_t>) {
      return PairsOf(values, hn::Set(D(), 1));
    } else {
      return hn::BitCast(d, HalvesOf<16>(hn::BitCast(d32, values)));
    }
  }

  // The sums of neighbours' products.
  static HWY_INLINE auto PairsOf(V a, V b) {
    const hn::Repartition<int32_t, D> d;
    auto others = hn::Zero(d);
    const auto sums =
        hn::ReorderWidenMulAccumulate(d, a, b, hn::Zero(d), others);
    return hn::Add(sums, others);
  }

  // The sums of the halves, of kBits, of unsigned numbers.
  template <int kBits, class Numbers>
  static HWY_INLINE Numbers HalvesOf(Numbers numbers) {
    const hn::DFromV<Numbers> d;
    constexpr auto kLower = (uint64_t{1} << kBits) - 1;
    return hn::Add(
        hn::And(numbers,
                hn::Set(d, static_cast<hn::TFromD<decltype(d)>>(kLower))),
        hn::ShiftRight<kBits>(numbers));
  }

  hn::Vec<Sums> sums_;
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_NEIGHBOUR_LANES_INL_H_
