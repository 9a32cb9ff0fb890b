// Many states turned into results. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_PUT_RESULTS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_PUT_RESULTS_INL_H_
#undef REDUCTOR_CORE_KERNELS_PUT_RESULTS_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_PUT_RESULTS_INL_H_
#endif

#include <cstdint>
#include <type_traits>

#include "core/kernels/lanes.h"
#include "core/kernels/results-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// So few results are put at once.
inline constexpr int64_t kFewResults = 8;

// Puts result_at(i) into out[i] of kFewResults, which g++ would make by vectors
// of their type or one by one; floats of 16 bits by way of words, so that it
// makes them by vectors of float64s (LogSum of slabs of 12 x 61 float16, in
// cache, Intel: 3.4 GB/s one by one, 6.6 so).
template <class Output, class ResultAt>
HWY_INLINE void PutFew(Output* HWY_RESTRICT out, const ResultAt& result_at) {
  if constexpr (kIsFloat<Output> && sizeof(Output) == 2) {
    uint64_t bits[kFewResults];
#pragma GCC unroll 1
    for (int64_t l = 0; l < kFewResults; ++l) bits[l] = result_at(l).bits;
#pragma GCC unroll 1
    for (int64_t l = 0; l < kFewResults; ++l) {
      out[l] = {static_cast<uint16_t>(bits[l])};
    }
  } else {
#pragma GCC unroll 1
    for (int64_t l = 0; l < kFewResults; ++l) out[l] = result_at(l);
  }
}

// Puts result_at(i) into out[i] of `n`. Of narrow results g++ makes vectors of
// 32, and the rest one by one: eight of these are a loop of their own (24
// elements that have 8 results, from plan to result, Intel: sums and means of
// float16 and L2 of int16 67, 76 and 64 ns one by one, 51, 58 and 51 so). Of
// others it makes smaller vectors of the rest, but not of a loop of eight
// (LogSum of slabs of 5 x 23 float32 10.5 GB/s, 3.5 by those). Some are made
// twice. REQUIRES: result_at() reads nothing of `out`.
template <class Output, class ResultAt>
HWY_INLINE void PutResults(int64_t n, Output* HWY_RESTRICT out,
                           const ResultAt& result_at) {
  int64_t i = 0;
  if constexpr (sizeof(Output) < 4) {
    constexpr int64_t kMany = 32;
    const auto put = [&](int64_t first) {
      PutFew(out + first, [&](int64_t l) { return result_at(first + l); });
    };
    const int64_t many = n / kMany * kMany;
#pragma omp simd
    for (int64_t l = 0; l < many; ++l) out[l] = result_at(l);
    i = many;
    for (; i + kFewResults <= n; i += kFewResults) put(i);
    // The last ones once more.
    if (i < n && n >= kFewResults) return put(n - kFewResults);
  }
#pragma omp simd
  for (int64_t l = i; l < n; ++l) out[l] = result_at(l);
}

// The same of states[i]. Eight to fifteen states of several members, whose
// results are integers, are taken apart first: as they lie g++ finishes most of
// so few one by one (24 integers of 32 and of 64 bits that have 8 results, from
// plan to result, Zen 4: LogSum 106 and 114 ns as they lie, 69 and 86 so, means
// of 64 bits 77 and 69). More would take longer so.
template <class State, class Output, class Result>
HWY_INLINE void FinishStates(const State* HWY_RESTRICT states, int64_t n,
                             Output* HWY_RESTRICT out,
                             const Result& result_of) {
  if constexpr (std::is_class_v<State> && IntegerElement<Output>) {
    const auto put = [&](int64_t first) {
      Lanes<State, kFewResults> few;
#pragma omp simd
      for (int64_t l = 0; l < kFewResults; ++l) few.Set(l, states[first + l]);
      PutFew(out + first, [&](int64_t l) { return result_of(few.Get(l)); });
    };
    if (n >= kFewResults && n < 2 * kFewResults) {
      put(0);
      // The last ones, some of them once more.
      if (n > kFewResults) put(n - kFewResults);
      return;
    }
  }
  PutResults(n, out, [&](int64_t i) { return result_of(states[i]); });
}

// Makes out[i] the result of states[i], of `n` of `count` elements each.
template <Reducer R>
HWY_NOINLINE void Finish(const typename R::State* HWY_RESTRICT states,
                         int64_t n, int64_t count,
                         typename R::Output* HWY_RESTRICT out) {
  const ResultOf<R> result_of(count);
  if constexpr (IsIntegerMean<R>) {
    if (result_of.is_of_few()) {
      return FinishStates(states, n, out, [&](typename R::State s) {
        return result_of.OfFew(s);
      });
    }
  }
  FinishStates(states, n, out, result_of);
}

// Makes to[i], a result or a state, made_of(trial[i]), of `n`; says whether all
// suffice.
template <HasTrial R, class To, class MadeOf>
HWY_INLINE bool PutOfTrial(const typename R::Trial::State* HWY_RESTRICT trial,
                           int64_t n, To* HWY_RESTRICT to,
                           const MadeOf& made_of) {
  // As wide as the states, and a loop also where `n` is known, so that it is
  // vectorised.
  int64_t missing = 0;
#pragma omp simd reduction(| : missing)
  for (int64_t i = 0; i < n; ++i) {
    missing |= R::Suffices(trial[i]) ? int64_t{0} : int64_t{1};
    to[i] = made_of(trial[i]);
  }
  return missing == 0;
}

template <HasTrial R>
HWY_INLINE bool FinishTrials(const typename R::Trial::State* HWY_RESTRICT trial,
                             int64_t n, const ResultOf<R>& result_of,
                             typename R::Output* HWY_RESTRICT out) {
  return PutOfTrial<R>(trial, n, out, [&result_of](typename R::Trial::State t) {
    return result_of.OfTrial(t);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_PUT_RESULTS_INL_H_
