// States side by side that elements join, by loops that the compiler
// vectorises. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_PLAIN_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_PLAIN_LANES_INL_H_
#undef REDUCTOR_CORE_KERNELS_PLAIN_LANES_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_PLAIN_LANES_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/kernels.h"
#include "core/kernels/elements-inl.h"
#include "core/kernels/lanes.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// The lanes of a group: as many as fill an AVX-512 register of each of the
// state's members, by every instruction set, as the order depends on it.
template <Monoid M>
inline constexpr int64_t kGroupLanes = 64 * kMemberCount<typename M::State> /
                                       sizeof(typename M::State);

// Counts lanes; as wide as one, so that to compare them takes as few registers.
template <Monoid M>
using LaneNumber = std::conditional_t<
    kGroupLanes<M> == 64, int8_t,
    std::conditional_t<
        kGroupLanes<M> == 32, int16_t,
        std::conditional_t<kGroupLanes<M> == 16, int32_t, int64_t>>>;

// Joins the first kFrom lanes by halves, until kTo are left. "unroll 1": g++
// would unroll a loop over 16 lanes or fewer before it could vectorise it.
template <Monoid M, int64_t kFrom, int64_t kTo, class L>
HWY_INLINE void Halve(L& lanes) {
  if constexpr (kFrom > kTo) {
    constexpr int64_t kHalf = kFrom / 2;
#pragma GCC unroll 1
    for (int64_t l = 0; l < kHalf; ++l) {
      lanes.Set(l, M::Combine(lanes.Get(l), lanes.Get(l + kHalf)));
    }
    Halve<M, kHalf, kTo>(lanes);
  }
}

// Lanes become states [at, at + kWidth) of `to`.
template <int64_t kWidth, class L, class To>
HWY_INLINE void CopyLanes(const L& lanes, To& to, int64_t at) {
#pragma GCC unroll 1
  for (int64_t l = 0; l < kWidth; ++l) to.Set(at + l, lanes.Get(l));
}

// Elements [i, i + kCount) join the lanes; new lanes become those of the
// elements.
template <Monoid M, Into kInto, int64_t kCount, class L>
HWY_INLINE void Take(L& lanes, const std::byte* HWY_RESTRICT x, int64_t i) {
#pragma GCC unroll 1
  for (int64_t l = 0; l < kCount; ++l) {
    const typename M::State s = MapAt<M>(x, i + l);
    lanes.Set(l, kInto == Into::kNew ? s : M::Combine(lanes.Get(l), s));
  }
}

// State at + l takes element i + l, but for the first few of kWidth.
template <Monoid M, int64_t kWidth, class L>
HWY_INLINE void AppendTail(L& states, int64_t at, LaneNumber<M> first,
                           const std::byte* HWY_RESTRICT x, int64_t i) {
  const auto take = [&](int64_t l) {
    const typename M::State s = MapAt<M>(x, i + l);
    const bool takes = static_cast<LaneNumber<M>>(l) >= first;
    states.Set(at + l,
               M::Combine(states.Get(at + l), takes ? s : M::Identity()));
  };
#pragma omp simd
  for (int64_t l = 0; l < kWidth; ++l) take(l);
}

// Halves kWidth lanes; then they become states [at, at + kKept) of `to`.
template <Monoid M, int64_t kWidth, int64_t kKept, class L, class To>
HWY_INLINE void HalveInto(L& lanes, To& to, int64_t at) {
  Halve<M, kWidth, kKept>(lanes);
  CopyLanes<kKept>(lanes, to, at);
}

// kWidth states, as VectorLanes are. "unroll 4" unrolls what these loops are
// once they are vectorised, so that the states stay in registers (float64 sums
// by such lanes, in the L2 cache, GB/s without and with it: 80 and 165 by
// AVX-512, 57 and 135 by AVX2, 41 and 90 by SSE4).
template <Monoid M, int64_t kWidth>
class PlainLanes {
  using State = typename M::State;

 public:
  // The states of no elements.
  HWY_INLINE PlainLanes() {
#pragma GCC unroll 4
    for (int64_t l = 0; l < kWidth; ++l) lanes_.Set(l, M::Identity());
  }

  // The states of elements [i, i + kWidth).
  HWY_INLINE PlainLanes(const std::byte* HWY_RESTRICT x, int64_t i) {
#pragma GCC unroll 4
    for (int64_t l = 0; l < kWidth; ++l) {
      lanes_.Set(l, MapAt<M>(x, i + l));
    }
  }

  // Lane l takes element i + l.
  HWY_INLINE void Append(const std::byte* HWY_RESTRICT x, int64_t i) {
#pragma GCC unroll 4
    for (int64_t l = 0; l < kWidth; ++l) {
      lanes_.Set(l, M::Combine(lanes_.Get(l), MapAt<M>(x, i + l)));
    }
  }

  // The lanes from this one on.
  using Tail = LaneNumber<M>;

  // Lane l takes element i + l, if it is of the tail.
  HWY_INLINE void AppendTo(Tail first, const std::byte* HWY_RESTRICT x,
                           int64_t i) {
    AppendTail<M, kWidth>(lanes_, 0, first, x, i);
  }

  // Each lane is joined with the other's.
  HWY_INLINE void Combine(const PlainLanes& other) {
#pragma GCC unroll 4
    for (int64_t l = 0; l < kWidth; ++l) {
      lanes_.Set(l, M::Combine(lanes_.Get(l), other.lanes_.Get(l)));
    }
  }

  template <int64_t kKept, class L>
  HWY_INLINE void StoreHalved(L& to, int64_t at) {
    HalveInto<M, kWidth, kKept>(lanes_, to, at);
  }

  HWY_INLINE Lanes<State, kWidth>& ToLanes() { return lanes_; }

 private:
  Lanes<State, kWidth> lanes_;
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_PLAIN_LANES_INL_H_
