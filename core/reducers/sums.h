// The operators that sum: the elements, their absolute values, their squares;
// and their mean.
//
// Any NaN among the elements makes the result NaN; an infinity is summed as
// IEEE 754 says.
#ifndef REDUCTOR_CORE_REDUCERS_SUMS_H_
#define REDUCTOR_CORE_REDUCERS_SUMS_H_

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/dtype.h"
#include "core/reducers/few_divisor.h"
#include "core/reducers/partial.h"
#include "core/reducers/small_integers.h"
#include "core/reducers/wide.h"
#include "core/reducers/words.h"

namespace reductor {

// ReduceSum. Nothing to sum gives 0.
template <Numeric T>
struct ReduceSum {
  using Fold = ReduceSum<Unsigned<T>>;
  using Input = T;
  using State = WideState<T>;
  using Output = T;

  static constexpr State Identity() { return 0; }
  static constexpr State Map(T x) { return static_cast<State>(Widen(x)); }
  static constexpr State Combine(State a, State b) {
    return static_cast<State>(a + b);
  }
  static constexpr Output Finish(State total, int64_t /*count*/) {
    return Narrow<T>(total);
  }
};

// ReduceL1: the sum of absolute values.
template <Numeric T>
struct ReduceL1 : ReduceSum<T> {
  using Fold =
      std::conditional_t<std::is_unsigned_v<T>, ReduceSum<T>, ReduceL1>;
  static constexpr WideState<T> Map(T x) { return AbsoluteOf(x); }
};

// ReduceSumSquare: the sum of squares.
template <HighPrecision T>
struct ReduceSumSquare : ReduceSum<T> {
  using Fold = ReduceSumSquare<Unsigned<T>>;
  using State = WideState<T>;
  static constexpr State Map(T x) {
    const auto wide = static_cast<State>(Widen(x));
    return Multiply(wide, wide);
  }
};

// The exact sum of integers, however many: what ReduceMean and ReduceLogSum
// need, as they never wrap. 16-bit elements fit a word up to 2^47 of them.
template <IntegerElement T>
struct ExactSum {
  using Fold = ExactSum;
  using Input = T;
  using State = std::conditional_t<(sizeof(T) > 2), Words<int64_t>, int64_t>;
  using Partial = PartialSum<T>;

  static constexpr State Identity() { return {}; }
  static constexpr State Map(T x) { return Partial::ValueOf(Partial::Map(x)); }
  static constexpr State Combine(State a, State b) { return a + b; }
  static constexpr State FromPartial(typename Partial::State s) {
    return Partial::ValueOf(s);
  }
};

// ReduceMean. Of nothing: NaN for floats, 0 for integers.
template <Numeric T>
struct ReduceMean : ReduceSum<T> {
  static constexpr T Finish(double total, int64_t count) {
    return FromQuotient(total / static_cast<double>(count));
  }
  static constexpr T FromQuotient(double mean) { return Narrow<T>(mean); }
};

// Integers divide exactly and truncate toward zero: sums of few by a divisor
// that is made once. FinishFew() takes every kind of total that the loops make.
template <IntegerElement T>
struct ReduceMean<T> : ExactSum<T> {
  using Output = T;
  using State = typename ExactSum<T>::State;
  static T Finish(State total, int64_t count) {
    if (count == 0) return 0;
    if constexpr (sizeof(T) > 2) {
      return static_cast<T>(Divide(total, count));
    } else {
      return static_cast<T>(total / count);
    }
  }

  static T FinishFew(int32_t total, const FewDivisor& divisor) {
    return ToElement(divisor.Divide(total));
  }
  static T FinishFew(int64_t total, const FewDivisor& divisor) {
    return ToElement(divisor.Divide(SmallToDouble(total)));
  }
  static T FinishFew(Words<int64_t> total, const FewDivisor& divisor) {
    const auto lower = static_cast<int64_t>(total.lower);
    if constexpr (sizeof(T) < 8) {
      return FinishFew(lower, divisor);
    } else {
      const uint64_t upper = static_cast<uint64_t>(total.upper) << 32;
      return divisor.Divide<T>(static_cast<int64_t>(upper | total.lower >> 32),
                               total.lower & 0xffffffff);
    }
  }
  template <class Total>
  static T FinishFew(Total total, const FewDivisor& divisor) {
    return divisor.Divide<T>(static_cast<int64_t>(total.upper), total.lower());
  }

 private:
  static T ToElement(double mean) {
    // No vector below AVX-512 makes unsigned ones of 32 bits.
    if constexpr (std::is_same_v<T, uint32_t>) {
      return static_cast<T>(NearestSmall(mean));
    } else {
      return static_cast<T>(mean);
    }
  }
};

// float64 has no wider type for a sum that overflows though the mean does not:
// the same sum, of elements scaled down, stands by where the total says
// nothing.
template <>
struct ReduceMean<double> {
  static constexpr double kScale = 0x1p-64;

  using Fold = ReduceMean;
  using Input = double;
  struct State {
    double total;
    double scaled;
  };
  using Output = double;
  using Trial = ReduceSum<double>;

  static constexpr State Identity() { return {0, 0}; }
  static constexpr State Map(double x) { return {x, x * kScale}; }
  static constexpr State Combine(State a, State b) {
    return {a.total + b.total, a.scaled + b.scaled};
  }
  static Output Finish(State s, int64_t count) {
    const bool is_total = IsFinite(s.total);
    const double mean =
        (is_total ? s.total : s.scaled) / static_cast<double>(count);
    return Narrow<double>(is_total ? mean : mean / kScale);
  }

  static constexpr State FromTrial(double total) { return {total, 0}; }
  static constexpr State CombineTotals(State a, State b) {
    return {a.total + b.total, ScaledOf(a) + ScaledOf(b)};
  }
  static Output FinishTrial(double total, int64_t count) {
    return FromQuotient(total / static_cast<double>(count));
  }
  static constexpr Output FromQuotient(double mean) { return mean; }
  // Neither an infinity nor a NaN; nor so small that a mean may be subnormal.
  static constexpr bool Suffices(double total) {
    const double size = total == 0 ? 1 : std::fabs(total);
    return size >= 0x1p-960 && size <= std::numeric_limits<double>::max();
  }

 private:
  static constexpr bool IsFinite(double x) { return x - x == 0; }
  static constexpr double ScaledOf(State s) {
    const double scaled = s.total * kScale;
    return IsFinite(s.total) ? scaled : s.scaled;
  }
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_REDUCERS_SUMS_H_
