// The result that is made of a state of `count` elements. Compiled once per
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
template <Reducer R>
constexpr bool HasVectorResults() {
  using M = typename PartialOf<typename R::Fold>::type;
  using State = typename M::State;
  using Output = typename R::Output;
  if constexpr (!HasNamedVectors<M>()) {
    return false;
  } else if constexpr (IntegerElement<Output>) {
    return !std::is_class_v<State> && sizeof(State) == sizeof(Output);
  } else if constexpr (std::is_same_v<Output, float>) {
    return VectorsWiden<M>() &&
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
  // Puts those of lanes of states, which are vectors.
  template <class L>
  HWY_INLINE void Store(const L& lanes, typename R::Output* to) const {
    using Element = typename PartialOf<typename R::Fold>::type::Input;
    lanes.StoreElements(reinterpret_cast<Element*>(to),
                        [](auto state) { return state; });
  }
  template <class Trial>
  HWY_INLINE typename R::Output OfTrial(Trial trial) const {
    return R::FinishTrial(trial, count_);
  }

 private:
  int64_t count_;
};

// Means of integers. The partial states of loops hold FewDivisor::kMost
// elements at most.
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
// are those of a division, as long as its result is a normal number or 0:
//   - the product is off the quotient, q, by 1.5 units of its last place at
//     most, so that what it leaves of the total is an integer below 2^53 of
//     such units, and a fused multiply-add gives it exactly;
//   - that times the reciprocal is off what it should be by 2^-52 units at
//     most, and another fused multiply-add rounds its sum with the product
//     once: as q, unless q is as near to the middle of two numbers. It is not:
//     `count` times its distance from the middle is a multiple of half a unit,
//     so that it is more than 2^-50 units away; nor is it in the middle, as the
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
      // Of no elements, of an infinity and of a NaN `quotient` is a NaN, and
      // `near` is what a division gives.
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

  // By a power of two the product is the quotient. A total of -0 counts as 0:
  // whoever folds them may begin with the first element.
  template <class L>
  HWY_INLINE void Store(const L& totals, float* HWY_RESTRICT to) const {
    const hn::ScalableTag<double> d;
    const auto reciprocal = hn::Set(d, reciprocal_);
    const auto product = [=](auto total) {
      return hn::MulAdd(total, reciprocal, hn::Zero(d));
    };
    if (is_power_of_two_) return totals.StoreElements(to, product);
    const auto divisor = hn::Set(d, divisor_);
    const auto quotient = [=](auto total) {
      const auto near = product(total);
      const auto too_much = hn::MulSub(near, divisor, total);
      return hn::NegMulAdd(too_much, reciprocal, near);
    };
    // Of an infinity or a NaN the correction makes a NaN, and the product is
    // what a division gives. Few totals are one: all are stored first as if
    // none were.
    if (totals.StoreNumbers(to, quotient)) return;
    totals.StoreElements(to, [=](auto total) {
      const auto exact = quotient(total);
      return hn::IfThenElse(hn::IsNaN(exact), product(total), exact);
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

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_RESULTS_INL_H_
