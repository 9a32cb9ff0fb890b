// What is made of the states of a trial, and whether these suffice. Compiled
// once per instruction set.
#if defined(REDUCTOR_CORE_TRIAL_RESULTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_TRIAL_RESULTS_INL_H_
#undef REDUCTOR_CORE_TRIAL_RESULTS_INL_H_
#else
#define REDUCTOR_CORE_TRIAL_RESULTS_INL_H_
#endif

#include <cstdint>

#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// Puts result_of(trial[i]) into to[i] of `n`; says whether all suffice.
template <HasTrial R, class Result, class ResultOf>
HWY_INLINE bool PutOfTrial(const typename R::Trial::State* HWY_RESTRICT trial,
                           int64_t n, Result* HWY_RESTRICT to,
                           const ResultOf& result_of) {
  // As wide as the states, and a loop also where `n` is known, so that it is
  // vectorised.
  int64_t missing = 0;
#pragma GCC unroll 1
  for (int64_t i = 0; i < n; ++i) {
    missing |= R::Suffices(trial[i]) ? int64_t{0} : int64_t{1};
    to[i] = result_of(trial[i]);
  }
  return missing == 0;
}

// The same of the outputs of states that hold `count` elements each.
template <HasTrial R>
HWY_INLINE bool FinishTrials(const typename R::Trial::State* HWY_RESTRICT trial,
                             int64_t n, int64_t count,
                             typename R::Output* HWY_RESTRICT out) {
  return PutOfTrial<R>(trial, n, out, [count](typename R::Trial::State t) {
    return R::FinishTrial(t, count);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_TRIAL_RESULTS_INL_H_
