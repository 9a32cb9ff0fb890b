// Lanes of integers of 64 bits, whose states have several members: vectors by
// name, as g++ 12 multiplies halves of 64 bits as if they were whole (L2 of
// rows of 1,000 and of 100 columns of int64, in cache, GB/s by its choice and
// by ours: 9 and 9, 17 and 18 by AVX2; 32 and 28, 40 and 42 by AVX-512).
// Compiled once per instruction set.
#if defined(REDUCTOR_CORE_PART_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_PART_LANES_INL_H_
#undef REDUCTOR_CORE_PART_LANES_INL_H_
#else
#define REDUCTOR_CORE_PART_LANES_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/lanes.h"
#include "core/reducers.h"
#include "core/vector_lanes-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// What the members of M's state add of elements, if it is one of these:
// Split(d, elements, put) calls put(m, part) for each member m. Not an array of
// them, which g++ 12 would store (means of rows of 1,000 int64, in cache, SSE4:
// 44 GB/s with it, 51 so).
template <Monoid M>
struct PartsOf {
  static constexpr bool kAre = false;
};

template <IntegerElement T>
requires(sizeof(T) == 8) struct PartsOf<NarrowSum<T>> {
  static constexpr bool kAre = true;
  template <class D, class Put>
  static HWY_INLINE void Split(D d, hn::Vec<hn::Rebind<T, D>> x,
                               const Put& put) {
    const auto all = hn::BitCast(d, x);
    put(0, all);
    if constexpr (std::is_signed_v<T> && HWY_TARGET > HWY_AVX3) {
      // No vector shifts the sign in, but a product of the upper halves has it.
      const hn::Repartition<int32_t, D> half;
      const auto upper = hn::BitCast(half, hn::ShiftRight<32>(all));
      put(1, hn::BitCast(d, hn::MulEven(upper, hn::Set(half, 1))));
    } else {
      put(1, hn::BitCast(d, hn::ShiftRight<32>(x)));
    }
  }
};

template <IntegerElement T>
requires(sizeof(T) == 8) struct PartsOf<NarrowSquares<T>> {
  static constexpr bool kAre = true;
  template <class D, class Put>
  static HWY_INLINE void Split(D d, hn::Vec<hn::Rebind<T, D>> x,
                               const Put& put) {
    const hn::Repartition<uint32_t, D> half;
    const auto product = [=](auto a, auto b) {
      return hn::MulEven(hn::BitCast(half, a), hn::BitCast(half, b));
    };
    const auto lower = [=](auto v) {
      return hn::And(v, hn::Set(d, 0xffffffff));
    };
    auto magnitude = hn::BitCast(d, x);
    if constexpr (std::is_signed_v<T>) {
      magnitude = hn::BitCast(d, hn::Abs(x));
    }
    const auto upper = hn::ShiftRight<32>(magnitude);
    const auto aa = product(upper, upper);
    const auto ab = product(upper, magnitude);
    const auto bb = product(magnitude, magnitude);
    put(0, lower(bb));
    put(1, hn::Add(hn::ShiftRight<32>(bb), hn::ShiftLeft<1>(lower(ab))));
    put(2, hn::Add(hn::ShiftLeft<1>(hn::ShiftRight<32>(ab)), lower(aa)));
    put(3, hn::ShiftRight<32>(aa));
  }
};

// kWidth states of a monoid whose elements are added in parts: of each member
// as many sums.
template <Monoid M, int64_t kWidth>
class PartLanes {
  using T = typename M::Input;
  using State = typename M::State;
  using Sums = VectorLanes<ReduceSum<uint64_t>, kWidth>;
  static constexpr int64_t kMembers = kMemberCount<State>;

 public:
  // Those of nothing.
  PartLanes() = default;

  // Those at [at, at + kWidth) of `lanes`.
  template <class L>
  HWY_INLINE PartLanes(L& lanes, int64_t at) {
    for (int64_t m = 0; m < kMembers; ++m) sums_[m] = Sums(lanes.data(m) + at);
  }

  // Those of elements [i, i + kWidth).
  HWY_INLINE PartLanes(const std::byte* HWY_RESTRICT x, int64_t i) {
    Append(x, i);
  }

  // Lane l takes element i + l.
  HWY_INLINE void Append(const std::byte* HWY_RESTRICT x, int64_t i) {
    for (int64_t v = 0; v < Sums::kParts; ++v) Append(v, ElementsAt(x, i, v));
  }

  // The lanes from one on.
  using Tail = typename Sums::Tail;

  // Lane l takes element i + l, if it is of the tail.
  HWY_INLINE void AppendTo(const Tail& tail, const std::byte* HWY_RESTRICT x,
                           int64_t i) {
    for (int64_t v = 0; v < Sums::kParts; ++v) {
      const auto before = hn::BitCast(Elements(), tail.bits_before(v));
      Append(v, hn::AndNot(before, ElementsAt(x, i, v)));
    }
  }

  // Joins lane l with lane l + half of them, and so on by halves down to kKept,
  // which become states [at, at + kKept) of `to`.
  template <int64_t kKept, class L>
  HWY_INLINE void StoreHalved(L& to, int64_t at) const {
    for (int64_t m = 0; m < kMembers; ++m) {
      sums_[m].template StoreHalved<kKept>(to.data(m) + at);
    }
  }

  template <class L>
  HWY_INLINE void Store(L& lanes, int64_t at) const {
    for (int64_t m = 0; m < kMembers; ++m) sums_[m].Store(lanes.data(m) + at);
  }

  HWY_INLINE Lanes<State, kWidth> ToLanes() const {
    Lanes<State, kWidth> lanes;
    Store(lanes, 0);
    return lanes;
  }

 private:
  using D = typename Sums::D;
  using Elements = hn::Rebind<T, D>;

  static HWY_INLINE auto ElementsAt(const std::byte* HWY_RESTRICT x, int64_t i,
                                    int64_t v) {
    return hn::LoadU(Elements(),
                     reinterpret_cast<const T*>(x) + i + v * Sums::kPart);
  }

  HWY_INLINE void Append(int64_t v, hn::Vec<Elements> elements) {
    PartsOf<M>::Split(D(), elements, [this, v](int64_t m, auto part) {
      sums_[m].Add(v, part);
    });
  }

  Sums sums_[kMembers];
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_PART_LANES_INL_H_
