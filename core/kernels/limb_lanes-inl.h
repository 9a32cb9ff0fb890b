// Lanes of integers of 64 bits, whose states have several members: vectors by
// name, as g++ 12 multiplies halves of 64 bits as if they were whole. Compiled
// once per instruction set.
//
// L2 of int64, in cache, GB/s by its choice and by ours, by AVX2 and by
// AVX-512:
//   rows of 1,000    9  17   32  40
//   100 columns      9  18   28  42
#if defined(REDUCTOR_CORE_KERNELS_LIMB_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_LIMB_LANES_INL_H_
#undef REDUCTOR_CORE_KERNELS_LIMB_LANES_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_LIMB_LANES_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/kernels/elements-inl.h"
#include "core/kernels/isa-inl.h"
#include "core/kernels/lanes.h"
#include "core/kernels/vector_lanes-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// How M's elements, or their squares, are split into limbs of 32 bits and more,
// if they are: Split(d, elements, put) calls put(s, limb) for each of kSums
// sums that limb is to be added to. Not an array of limbs, which g++ 12 would
// store (means of rows of 1,000 int64, in cache, SSE4: 44 GB/s with it, 51 so).
// MemberOf<m>(sum) makes member m of the states from the sums, sum(s).
template <Monoid M>
struct LimbsOf {
  static constexpr bool kAreThere = false;
};

template <IntegerElement T>
requires(sizeof(T) == 8) struct LimbsOf<PartialSum<T>> {
  static constexpr bool kAreThere = true;
  static constexpr int64_t kSums = 2;

  template <class D, class Put>
  static HWY_INLINE void Split(D d, hn::Vec<hn::Rebind<T, D>> x,
                               const Put& put) {
    const auto all = hn::BitCast(d, x);
    put(0, all);
    if constexpr (std::is_signed_v<T> && !kHasAvx512) {
      // No vector shifts the sign in, but a product of the upper halves has it.
      const hn::Repartition<int32_t, D> half;
      const auto upper = hn::BitCast(half, hn::ShiftRight<32>(all));
      put(1, hn::BitCast(d, hn::MulEven(upper, hn::Set(half, 1))));
    } else {
      put(1, hn::BitCast(d, hn::ShiftRight<32>(x)));
    }
  }

  template <int64_t kMember, class Sum>
  static HWY_INLINE auto MemberOf(const Sum& sum) {
    return sum(kMember);
  }
};

// Of each product of halves (b b, a b, a a) two sums: of the product, modulo
// 2^64, and of its upper 32 bits. The first less the second, shifted back, is
// the sum of the lower 32 bits, as that is below 2^64 (kMostElements): so no
// element's are masked. L2 of int64, in cache, Intel, GB/s by each element's
// digits and so, by AVX-512, AVX2 and SSE4:
//   all             18  23   10  14   6  8
//   rows of 64      14  17    9  11   5  6
//   16 columns      17  20   11  12   6  7
template <IntegerElement T>
requires(sizeof(T) == 8) struct LimbsOf<PartialSquares<T>> {
  static constexpr bool kAreThere = true;
  static constexpr int64_t kSums = 6;

  template <class D, class Put>
  static HWY_INLINE void Split(D d, hn::Vec<hn::Rebind<T, D>> x,
                               const Put& put) {
    const hn::Repartition<uint32_t, D> half;
    auto magnitude = hn::BitCast(d, x);
    if constexpr (std::is_signed_v<T>) {
      magnitude = hn::BitCast(d, hn::Abs(x));
    }
    const auto upper = hn::ShiftRight<32>(magnitude);
    const auto put_product = [&](int64_t s, auto a, auto b) {
      const auto product =
          hn::MulEven(hn::BitCast(half, a), hn::BitCast(half, b));
      put(s, product);
      put(s + 1, hn::ShiftRight<32>(product));
    };
    put_product(kBb, magnitude, magnitude);
    put_product(kAb, upper, magnitude);
    put_product(kAa, upper, upper);
  }

  template <int64_t kMember, class Sum>
  static HWY_INLINE auto MemberOf(const Sum& sum) {
    const auto lower = [&sum](int64_t s) {
      return hn::Sub(sum(s), hn::ShiftLeft<32>(sum(s + 1)));
    };
    const auto twice = [](auto v) { return hn::Add(v, v); };
    if constexpr (kMember == 0) return lower(kBb);
    if constexpr (kMember == 1) return hn::Add(sum(kBb + 1), twice(lower(kAb)));
    if constexpr (kMember == 2) return hn::Add(twice(sum(kAb + 1)), lower(kAa));
    if constexpr (kMember == 3) return sum(kAa + 1);
  }

 private:
  // The sums of a product of the halves of a * 2^32 + b, and after each those
  // of its upper bits.
  static constexpr int64_t kBb = 0;
  static constexpr int64_t kAb = 2;
  static constexpr int64_t kAa = 4;
};

// kWidth states of a monoid whose elements are added in limbs: as many of each
// of its sums.
template <Monoid M, int64_t kWidth>
class LimbLanes {
  using T = typename M::Input;
  using State = typename M::State;
  using Sums = VectorLanes<ReduceSum<uint64_t>, kWidth>;
  using Limbs = LimbsOf<M>;
  using D = typename Sums::D;
  using Elements = hn::Rebind<T, D>;

 public:
  // The states of no elements.
  LimbLanes() = default;

  // The states of elements [i, i + kWidth).
  HWY_INLINE LimbLanes(const std::byte* HWY_RESTRICT x, int64_t i) {
    Append(x, i);
  }

  // Lane l takes element i + l.
  HWY_INLINE void Append(const std::byte* HWY_RESTRICT x, int64_t i) {
    for (int64_t v = 0; v < Sums::kVectors; ++v) Append(v, ElementsAt(x, i, v));
  }

  // The lanes of vector v take an element each.
  HWY_INLINE void Append(int64_t v, hn::Vec<Elements> elements) {
    Limbs::Split(D(), elements, [this, v](int64_t s, auto limb) {
      sums_[s].Combine(v, limb);
    });
  }

  // The lanes from one on.
  using Tail = typename Sums::Tail;

  // Lane l takes element i + l, if it is of the tail.
  HWY_INLINE void AppendTo(const Tail& tail, const std::byte* HWY_RESTRICT x,
                           int64_t i) {
    for (int64_t v = 0; v < Sums::kVectors; ++v) {
      const auto before = hn::BitCast(Elements(), tail.bits_before(v));
      Append(v, hn::AndNot(before, ElementsAt(x, i, v)));
    }
  }

  // Joins lane l with lane l + half of them, and so on by halves down to kKept,
  // which become states [at, at + kKept) of `to`.
  template <int64_t kKept, class L>
  HWY_INLINE void StoreHalved(L& to, int64_t at) const {
    EachMember([&to, at](int64_t m, const Sums& lanes) {
      lanes.template StoreHalved<kKept>(to.data(m) + at);
    });
  }

  // They become states [at, at + kWidth) of `to`,
  template <class L>
  HWY_INLINE void Store(L& to, int64_t at) const {
    EachMember([&to, at](int64_t m, const Sums& lanes) {
      lanes.Store(to.data(m) + at);
    });
  }
  // or join these.
  template <class L>
  HWY_INLINE void CombineInto(L& to, int64_t at) const {
    EachMember([&to, at](int64_t m, const Sums& lanes) {
      lanes.CombineInto(to.data(m) + at);
    });
  }

  HWY_INLINE Lanes<State, kWidth> ToLanes() const {
    Lanes<State, kWidth> lanes;
    Store(lanes, 0);
    return lanes;
  }

 private:
  static HWY_INLINE auto ElementsAt(const std::byte* HWY_RESTRICT x, int64_t i,
                                    int64_t v) {
    return LoadElements(Elements(), x, i + v * Sums::kVectorLanes);
  }

  // Calls put(m, lanes) for each member of the states.
  template <class Put>
  HWY_INLINE void EachMember(const Put& put) const {
    EachMember(put, std::make_index_sequence<kMemberCount<State>>());
  }
  template <class Put, size_t... kMembers>
  HWY_INLINE void EachMember(const Put& put,
                             std::index_sequence<kMembers...>) const {
    (put(kMembers, MemberOf<kMembers>()), ...);
  }
  template <int64_t kMember>
  HWY_INLINE Sums MemberOf() const {
    Sums lanes;
    for (int64_t v = 0; v < Sums::kVectors; ++v) {
      lanes.Combine(v, Limbs::template MemberOf<kMember>([this, v](int64_t s) {
                      return sums_[s].vector(v);
                    }));
    }
    return lanes;
  }

  Sums sums_[Limbs::kSums];
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_LIMB_LANES_INL_H_
