// How elements join lanes, some at a time. Of most monoids that is a loop,
// which the compiler vectorises. Of 64-bit integers, whose states have several
// members, these are vectors by name, as g++ 12 multiplies halves of 64 bits as
// if they were whole (L2 of rows of 1,000 and of 100 columns of int64, in
// cache, GB/s by its choice and by ours: 9 and 9, 17 and 18 by AVX2; 32 and 28,
// 40 and 42 by AVX-512). Compiled once per instruction set.
#if defined(REDUCTOR_CORE_LANE_STEP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_LANE_STEP_INL_H_
#undef REDUCTOR_CORE_LANE_STEP_INL_H_
#else
#define REDUCTOR_CORE_LANE_STEP_INL_H_
#endif

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/kernels.h"
#include "core/lanes.h"
#include "core/plain_lanes-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// What the members of M's state add of elements, if it is one of these: Of(d,
// elements) gives a vector each.
template <Monoid M>
struct PartsOf {
  static constexpr bool kAre = false;
};

template <IntegerElement T>
requires(sizeof(T) == 8) struct PartsOf<NarrowSum<T>> {
  static constexpr bool kAre = true;
  template <class D>
  static HWY_INLINE auto Of(D d, hn::Vec<hn::Rebind<T, D>> x) {
    const auto all = hn::BitCast(d, x);
    if constexpr (std::is_signed_v<T> && HWY_TARGET > HWY_AVX3) {
      // No vector shifts the sign in, but a product of the upper halves has it.
      const hn::Repartition<int32_t, D> half;
      const auto upper = hn::BitCast(half, hn::ShiftRight<32>(all));
      return std::array{all,
                        hn::BitCast(d, hn::MulEven(upper, hn::Set(half, 1)))};
    } else {
      return std::array{all, hn::BitCast(d, hn::ShiftRight<32>(x))};
    }
  }
};

template <IntegerElement T>
requires(sizeof(T) == 8) struct PartsOf<NarrowSquares<T>> {
  static constexpr bool kAre = true;
  template <class D>
  static HWY_INLINE auto Of(D d, hn::Vec<hn::Rebind<T, D>> x) {
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
    return std::array{
        lower(bb), hn::Add(hn::ShiftRight<32>(bb), hn::ShiftLeft<1>(lower(ab))),
        hn::Add(hn::ShiftLeft<1>(hn::ShiftRight<32>(ab)), lower(aa)),
        hn::ShiftRight<32>(aa)};
  }
};

// kWidth states of a monoid whose elements are added in parts.
template <Monoid M, int64_t kWidth>
class PartLanes {
  using T = typename M::Input;
  using State = typename M::State;
  using D = hn::CappedTag<uint64_t, kWidth>;
  static constexpr int64_t kMembers = kMemberCount<State>;
  static constexpr int64_t kVector = hn::MaxLanes(D());
  static constexpr int64_t kVectors = kWidth / kVector;

 public:
  // Those of nothing.
  HWY_INLINE PartLanes() {
    for (auto& parts : parts_) parts.fill(hn::Zero(D()));
  }

  // Those at [at, at + kWidth) of `lanes`.
  template <class L>
  HWY_INLINE PartLanes(L& lanes, int64_t at) {
    EachPart([&](int64_t v, int64_t m) {
      parts_[v][m] = hn::LoadU(D(), lanes.data(m) + at + v * kVector);
    });
  }

  // Lane l takes element i + l.
  HWY_INLINE void Append(const std::byte* HWY_RESTRICT x, int64_t i) {
    const hn::Rebind<T, D> own;
    const T* elements = reinterpret_cast<const T*>(x) + i;
    for (int64_t v = 0; v < kVectors; ++v) {
      const auto parts =
          PartsOf<M>::Of(D(), hn::LoadU(own, elements + v * kVector));
      for (int64_t m = 0; m < kMembers; ++m) {
        parts_[v][m] = hn::Add(parts_[v][m], parts[m]);
      }
    }
  }

  template <class L>
  HWY_INLINE void Store(L& lanes, int64_t at) const {
    EachPart([&](int64_t v, int64_t m) {
      hn::StoreU(parts_[v][m], D(), lanes.data(m) + at + v * kVector);
    });
  }

  HWY_INLINE Lanes<State, kWidth> ToLanes() const {
    Lanes<State, kWidth> lanes;
    Store(lanes, 0);
    return lanes;
  }

 private:
  template <class Each>
  static HWY_INLINE void EachPart(const Each& each) {
    for (int64_t v = 0; v < kVectors; ++v) {
      for (int64_t m = 0; m < kMembers; ++m) each(v, m);
    }
  }

  std::array<hn::Vec<D>, kMembers> parts_[kVectors];
};

// Elements [i, i + kCount), and as many of each of the kRows - 1 rows after it,
// join lanes [at, at + kCount); new lanes become those of the elements.
template <Monoid M, Into kInto, int64_t kCount, int64_t kRows = 1, class L>
HWY_INLINE void Take(L& lanes, int64_t at, const std::byte* HWY_RESTRICT x,
                     int64_t i, int64_t stride = 0) {
  if constexpr (PartsOf<M>::kAre) {
    constexpr int64_t kVector = hn::MaxLanes(hn::CappedTag<uint64_t, kCount>());
    using Group = PartLanes<M, kVector>;
#pragma GCC unroll 16
    for (int64_t l = 0; l < kCount; l += kVector) {
      Group group = kInto == Into::kNew ? Group() : Group(lanes, at + l);
#pragma GCC unroll 4
      for (int64_t r = 0; r < kRows; ++r) group.Append(x, i + r * stride + l);
      group.Store(lanes, at + l);
    }
  } else {
    static_assert(kRows == 1);
#pragma GCC unroll 1
    for (int64_t l = 0; l < kCount; ++l) {
      const typename M::State s = MapAt<M>(x, i + l);
      lanes.Set(at + l,
                kInto == Into::kNew ? s : M::Combine(lanes.Get(at + l), s));
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_LANE_STEP_INL_H_
