// How positions that a loop has found become states of a kernel. Compiled once
// per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_POSITION_STATES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_POSITION_STATES_INL_H_
#undef REDUCTOR_CORE_KERNELS_POSITION_STATES_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_POSITION_STATES_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "core/kernels.h"
#include "core/kernels/lanes.h"
#include "core/kernels/places-inl.h"
#include "core/reducers/extremes.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// So many are found before they are put.
inline constexpr int64_t kPositionsAtOnce = 64;
using FoundPositions = Lanes<PositionState, kPositionsAtOnce>;

// Puts the first `n` of these, or joins them to the states there. All types
// share it: where each is put as it is found, the compiler makes three times
// the code for the states of rows.
template <class Join>
HWY_NOINLINE void PutFound(const FoundPositions& found, int64_t n,
                           PositionState* HWY_RESTRICT states, Into into) {
  for (int64_t i = 0; i < n; ++i) {
    const PositionState s = found.Get(i);
    states[i] = into == Into::kHeld ? Join::Combine(states[i], s) : s;
  }
}

// Puts state_at(i), of elements of their own, into states[i] of `n`.
template <template <class> class Extreme, class StateAt>
HWY_INLINE void PutPositions(Tie tie, PositionState* HWY_RESTRICT states,
                             int64_t n, Into into, const StateAt& state_at) {
  const auto put = WithTie(
      tie, [](auto t) { return &PutFound<PositionJoin<Extreme, t()>>; });
  FoundPositions found;
  for (int64_t first = 0; first < n; first += kPositionsAtOnce) {
    const int64_t count = std::min(n - first, kPositionsAtOnce);
    for (int64_t i = 0; i < count; ++i) found.Set(i, state_at(first + i));
    put(found, count, states + first, into);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_POSITION_STATES_INL_H_
