// How elements join lanes, some at a time: of most monoids by a loop, which the
// compiler vectorises, of 64-bit integers by vectors (part_lanes-inl.h).
// Compiled once per instruction set.
#if defined(REDUCTOR_CORE_LANE_STEP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_LANE_STEP_INL_H_
#undef REDUCTOR_CORE_LANE_STEP_INL_H_
#else
#define REDUCTOR_CORE_LANE_STEP_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "core/kernels.h"
#include "core/part_lanes-inl.h"
#include "core/plain_lanes-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

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
