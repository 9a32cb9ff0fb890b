// What is made of the states of `count` elements each. Compiled once per
// instruction set.
#if defined(REDUCTOR_CORE_KERNELS_RESULTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_RESULTS_INL_H_
#undef REDUCTOR_CORE_KERNELS_RESULTS_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_RESULTS_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "core/kernels.h"
#include "core/kernels/lanes.h"
#include "core/kernels/partial_of-inl.h"
#include "core/kernels/widening-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// What loops fold for R.
template <Reducer R>
using PartialState = typename PartialOf<typename R::Fold>::type::State;

// Whether vectors turn states into results: a float64 state that is the result
// or is rounded to float32; a float32 mean, by multiplication; an integer state
// as wide as the result, which is its bits, as only wider ones are divided or
// have roots or logarithms.
template <Reducer R, Monoid M = typename PartialOf<typename R::Fold>::type>
constexpr bool HasVectorResults() {
  using State = typename M::State;
  using Output = typename R::Output;
  if constexpr (!HasVectors<M>()) {
    return false;
  } else if constexpr (IntegerElement<Output>) {
    return !std::is_class_v<State> && sizeof(State) == sizeof(Output);
  } else if constexpr (std::is_same_v<Output, float>) {
    return IsWidening<M>() &&
           (std::is_same_v<R, M> || (IsMean<R> && HWY_NATIVE_FMA));
  } else {
    return std::is_same_v<R, M> && std::is_same_v<Output, double> &&
           std::is_same_v<State, double>;
  }
}

// Results of the reducer R.
template <Reducer R>
class ResultOf {
 public:
  explicit HWY_INLINE ResultOf(int64_t count) : count_(count) {}

  HWY_INLINE typename R::Output operator()(typename R::State s) const {
    return R::Finish(s, count_);
  }
  // The same of a state as loops have it.
  HWY_INLINE typename R::Output OfPartial(PartialState<R> s) const {
    if constexpr (requires { R::FinishPartial(s); }) {
      return R::FinishPartial(s);
    } else {
      return (*this)(PartialOf<typename R::Fold>::ToState(s));
    }
  }
  // Puts those of lanes of states, which are vectors; says whether they are
  // right.
  template <class L>
  HWY_INLINE bool Store(const L& lanes, typename R::Output* to) const {
    using Element = typename PartialOf<typename R::Fold>::type::Input;
    lanes.StoreNarrow(reinterpret_cast<Element*>(to),
                      [](auto state) { return state; });
    return true;
  }
  template <class Trial>
  HWY_INLINE typename R::Output OfTrial(Trial trial) const {
    return R::FinishTrial(trial, count_);
  }

 private:
  int64_t count_;
};

// Means of integers, which loops have of few elements only.
template <IsIntegerMean R>
class ResultOf<R> {
 public:
  explicit HWY_INLINE ResultOf(int64_t count)
      : count_(count),
        divisor_(std::clamp<int64_t>(count, 1, FewDivisor::kMost)) {}

  HWY_INLINE bool is_of_few() const {
    return 0 < count_ && count_ <= FewDivisor::kMost;
  }
  // REQUIRES: is_of_few().
  template <class State>
  HWY_INLINE typename R::Output OfFew(State s) const {
    return R::FinishFew(s, divisor_);
  }
  // No partial state is of more elements than the longest row has.
  HWY_INLINE typename R::Output OfPartial(PartialState<R> s) const {
    static_assert(kLongRowBytes / sizeof(typename R::Input) <=
                  FewDivisor::kMost);
    return OfFew(s);
  }
  HWY_INLINE typename R::Output operator()(typename R::State s) const {
    return R::Finish(s, count_);
  }

 private:
  int64_t count_;
  FewDivisor divisor_;
};

#if HWY_NATIVE_FMA
// Means, whose divisions are multiplications by the reciprocal (of three rows
// of 40,000 float32, in cache, AVX-512: 20 GB/s by divisions, 34 so). The bits
// are those of a division, as its result is a normal number:
//   - the product is off the quotient, q, by 1.5 units of its last place at
//     most, so that what it leaves of the total is an integer below 2^53 of
//     such units, and a fused multiply-add gives it exactly;
//   - that times the reciprocal is off what it should be by 2^-52 units at
//     most, and another fused multiply-add rounds the sum with the product
//     once. No q is so near to the middle of two numbers, as `count` times
//     their distance is a multiple of half a unit; nor in the middle, as the
//     total would have a digit too many.
template <IsMean R>
class ResultOf<R> {
 public:
  // REQUIRES: 0 <= count < 2^49.
  explicit HWY_INLINE ResultOf(int64_t count)
      : count_(count),
        divisor_(static_cast<double>(count)),
        reciprocal_(1 / divisor_),
        is_power_of_two_(std::has_single_bit(static_cast<uint64_t>(count))) {}

  HWY_INLINE typename R::Output operator()(typename R::State s) const {
    if constexpr (std::is_same_v<typename R::State, double>) {
      const double near = s * reciprocal_;
      const double quotient = QuotientOf(s, near);
      // Of no elements, of an infinity and of a NaN that is a NaN.
      return R::FromQuotient(quotient == quotient ? quotient : near);
    } else {
      return R::Finish(s, count_);
    }
  }
  HWY_INLINE typename R::Output OfPartial(typename R::State s) const {
    return (*this)(s);
  }
  HWY_INLINE typename R::Output OfTrial(double total) const {
    return R::FromQuotient(QuotientOf(total, total * reciprocal_));
  }

  // Those of numbers are right. By a power of two the product is the
  // quotient (of two rows of 65,536, before float_pairs-inl.h, in cache,
  // AVX-512: 24 GB/s by the latter, 37 so). A total of -0 counts as 0: whoever
  // folds them may begin with the first element.
  template <class L>
  HWY_INLINE bool Store(const L& totals, float* HWY_RESTRICT to) const {
    const hn::ScalableTag<double> d;
    const auto reciprocal = hn::Set(d, reciprocal_);
    const auto product = [=](auto total) {
      return hn::MulAdd(total, reciprocal, hn::Zero(d));
    };
    if (is_power_of_two_) {
      totals.StoreNarrow(to, product);
      return true;
    }
    const auto divisor = hn::Set(d, divisor_);
    return totals.StoreNumbers(to, [=](auto total) {
      const auto near = product(total);
      const auto too_much = hn::MulSub(near, divisor, total);
      return hn::NegMulAdd(too_much, reciprocal, near);
    });
  }

 private:
  // Of nothing left the sum is `near`, even if that is -0.
  HWY_INLINE double QuotientOf(double total, double near) const {
    const double too_much = __builtin_fma(near, divisor_, -total);
    return __builtin_fma(-too_much, reciprocal_, near);
  }

  int64_t count_;
  double divisor_;
  double reciprocal_;
  bool is_power_of_two_;
};
#endif  // HWY_NATIVE_FMA

// So few results are put at once.
inline constexpr int64_t kFewResults = 8;

// Puts result_at(i) into out[i] of kFewResults, which g++ would make by vectors
// of their type or one by one; floats of 16 bits by way of words, so that it
// makes them by vectors of float64s (LogSum of slabs of 12 x 61 float16, in
// cache, Intel: 3.4 GB/s one by one, 6.6 so).
template <class Output, class ResultAt>
HWY_INLINE void PutFew(Output* HWY_RESTRICT out, const ResultAt& result_at) {
  if constexpr (FloatElement<Output>) {
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
#pragma GCC unroll 1
    for (; i < many; ++i) out[i] = result_at(i);
    for (; i + kFewResults <= n; i += kFewResults) put(i);
    // The last ones once more.
    if (i < n && n >= kFewResults) return put(n - kFewResults);
  }
#pragma GCC unroll 1
  for (; i < n; ++i) out[i] = result_at(i);
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
#pragma GCC unroll 1
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

// Puts result_of(trial[i]) into to[i] of `n`; says whether all suffice.
template <HasTrial R, class Result, class ResultOfTrial>
HWY_INLINE bool PutOfTrial(const typename R::Trial::State* HWY_RESTRICT trial,
                           int64_t n, Result* HWY_RESTRICT to,
                           const ResultOfTrial& result_of) {
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

#endif  // REDUCTOR_CORE_KERNELS_RESULTS_INL_H_
