// States of rows that were folded on their own join those before them. By what
// joins two of them, which reducers share. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_COMBINE_STATES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_COMBINE_STATES_INL_H_
#undef REDUCTOR_CORE_COMBINE_STATES_INL_H_
#else
#define REDUCTOR_CORE_COMBINE_STATES_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <utility>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// The rows of each slab, of kN states, which stay in registers.
template <auto kJoin, int64_t kN, class State>
HWY_INLINE void CombineNarrow(State* HWY_RESTRICT into,
                              const State* HWY_RESTRICT from, int64_t slabs,
                              int64_t rows) {
  for (int64_t s = 0; s < slabs; ++s) {
    State states[kN];
    for (int64_t i = 0; i < kN; ++i) states[i] = into[s * kN + i];
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t i = 0; i < kN; ++i) states[i] = kJoin(states[i], from[i]);
      from += kN;
    }
    for (int64_t i = 0; i < kN; ++i) into[s * kN + i] = states[i];
  }
}

// The rows of a slab, wide enough for vectors of states.
template <auto kJoin, class State>
HWY_INLINE void CombineWide(State* HWY_RESTRICT into,
                            const State* HWY_RESTRICT from, int64_t rows,
                            int64_t n) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < n; ++i) into[i] = kJoin(into[i], from[r * n + i]);
  }
}

// Kernel::combine. Narrow rows have a loop for each width (of KRKR, in cache,
// AVX-512, GB/s by one loop that a call enters for each slab, and so: sums of 3
// x 5 x 2 int32 and of 4 x 6 x 2 float64, means of 17 x 28 x 5 x 2 int64 9, 14
// and 5, 17, 27 and 14).
template <class State, State (*kJoin)(State, State)>
void CombineSlabs(std::byte* into, const std::byte* from, int64_t slabs,
                  int64_t rows, int64_t n) {
  auto* const a = reinterpret_cast<State*>(into);
  auto* const b = reinterpret_cast<const State*>(from);
  // Fewer states fill no vector that is worth it.
  constexpr int64_t kFewest = 8;
  if (n < kFewest) {
    [=]<int64_t... k>(std::integer_sequence<int64_t, k...>) {
      (void)((n == k + 1 &&
              (CombineNarrow<kJoin, k + 1>(a, b, slabs, rows), true)) ||
             ...);
    }
    (std::make_integer_sequence<int64_t, kFewest - 1>());
    return;
  }
  for (int64_t s = 0; s < slabs; ++s) {
    CombineWide<kJoin>(a + s * n, b + s * rows * n, rows, n);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_COMBINE_STATES_INL_H_
