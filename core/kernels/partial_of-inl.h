// How the states that a loop has made become those of a kernel. Compiled once
// per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_PARTIAL_OF_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_PARTIAL_OF_INL_H_
#undef REDUCTOR_CORE_KERNELS_PARTIAL_OF_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_PARTIAL_OF_INL_H_
#endif

#include <cstdint>

#include "core/kernels.h"
#include "core/kernels/monoid_traits.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// The partial monoid of a reducer that has one, or itself: within a row, or
// some rows of columns, and a call it is folded by that.
template <class M>
struct PartialOf {
  using type = M;
  static typename M::State ToState(typename M::State s) { return s; }
};
template <HasPartial M>
struct PartialOf<M> {
  using type = typename M::Partial;
  static typename M::State ToState(typename type::State s) {
    return M::FromPartial(s);
  }
};

// What columns of up to kRows rows are folded by: of 8 bits their sums fit half
// as many bits as those of a row (means of 1,000 columns of uint8, in cache,
// Zen 3, AVX2: 28 GB/s in 32 bits, 40 so).
template <class M>
struct ColumnPartialOf : PartialOf<M> {
  static constexpr int64_t kRows = 8192;
};
template <IntegerElement T>
requires(sizeof(T) == 1) struct ColumnPartialOf<ExactSum<T>>
    : PartialOf<ExactSum<T>> {
  using type = PartialSumOfFew<T>;
  static constexpr int64_t kRows = PartialSumOfFew<T>::kMostElements;
};

// The state that begins with one of elements folded apart: a sum of -0 alone is
// 0, as is what chains begin with.
template <Monoid M>
HWY_INLINE typename M::State BeginWith(typename M::State s) {
  return HasNeutralIdentity<M>() ? s : M::Combine(M::Identity(), s);
}

// Puts state_at(i), of elements folded apart, into states[i] of `n`.
template <Monoid M, class StateAt>
HWY_INLINE void PutStates(typename M::State* HWY_RESTRICT states, int64_t n,
                          Into into, const StateAt& state_at) {
  if (into == Into::kHeld) {  // NOLINT(bugprone-branch-clone): blind to omp
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) {
      states[i] = M::Combine(states[i], state_at(i));
    }
  } else {
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) states[i] = BeginWith<M>(state_at(i));
  }
}

// The same of states that loops have: partial_at(i).
template <Monoid M, class PartialAt>
HWY_INLINE void PutPartials(typename M::State* HWY_RESTRICT states, int64_t n,
                            Into into, const PartialAt& partial_at) {
  PutStates<M>(states, n, into, [&partial_at](int64_t i) {
    return PartialOf<M>::ToState(partial_at(i));
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_PARTIAL_OF_INL_H_
