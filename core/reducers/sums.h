// The operators that sum: the elements, their absolute values, their squares,
// and what is made of these sums.
//
// Any NaN among the elements makes the result NaN; an infinity is summed as
// IEEE 754 says.
#ifndef REDUCTOR_CORE_REDUCERS_SUMS_H_
#define REDUCTOR_CORE_REDUCERS_SUMS_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/dtype.h"
#include "core/reducers/narrow.h"
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
template <Numeric T>
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
  using Narrow = NarrowSum<T>;

  static constexpr State Identity() { return {}; }
  static constexpr State Map(T x) { return Narrow::ValueOf(Narrow::Map(x)); }
  static constexpr State Combine(State a, State b) { return a + b; }
  static constexpr State FromNarrow(typename Narrow::State s) {
    return Narrow::ValueOf(s);
  }
};

// ReduceMean. Of nothing: NaN for floats, 0 for integers.
template <Numeric T>
struct ReduceMean : ReduceSum<T> {
  static constexpr T Finish(double total, int64_t count) {
    return Narrow<T>(total / static_cast<double>(count));
  }
};

// Integers divide exactly and truncate toward zero.
template <IntegerElement T>
struct ReduceMean<T> : ExactSum<T> {
  using Output = T;
  static T Finish(typename ExactSum<T>::State total, int64_t count) {
    if (count == 0) return 0;
    const uint64_t quotient = Divide(MagnitudeOf(total), count);
    return static_cast<T>(IsNegative(total) ? 0 - quotient : quotient);
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
    const bool is_total = Suffices(s.total);
    const double mean =
        (is_total ? s.total : s.scaled) / static_cast<double>(count);
    return Narrow<double>(is_total ? mean : mean / kScale);
  }

  static constexpr State FromTrial(double total) { return {total, 0}; }
  static constexpr State Join(State a, State b) {
    return {a.total + b.total, ScaledOf(a) + ScaledOf(b)};
  }
  static Output FinishTrial(double total, int64_t count) {
    return Narrow<double>(total / static_cast<double>(count));
  }
  // Neither an infinity nor a NaN.
  static constexpr bool Suffices(double total) { return total - total == 0; }

 private:
  static constexpr double ScaledOf(State s) {
    const double scaled = s.total * kScale;
    return Suffices(s.total) ? scaled : s.scaled;
  }
};

// ReduceL2: the square root of the sum of squares.
template <Numeric T>
struct ReduceL2 : ReduceSumSquare<T> {
  static T Finish(double total, int64_t /*count*/) {
    return Narrow<T>(std::sqrt(total));
  }
};

// Integers: the integer part of the exact root, clamped to the type. A sum that
// leaves 128 bits has a root that leaves every type, so it may stop there.
template <IntegerElement T>
struct ReduceL2<T> {
  using Fold = ReduceL2;
  using Input = T;
  using State = Words<uint64_t>;
  using Output = T;
  using Narrow = NarrowSquares<T>;

  static constexpr State Identity() { return {0, 0}; }
  static constexpr State Map(T x) { return Narrow::ValueOf(Narrow::Map(x)); }
  static constexpr State Combine(State a, State b) {
    const State sum = a + b;
    // A sum that wrapped is below both.
    const bool wrapped =
        sum.upper < a.upper || (sum.upper == a.upper && sum.lower < a.lower);
    return wrapped ? State{~uint64_t{0}, ~uint64_t{0}} : sum;
  }
  static constexpr State FromNarrow(typename Narrow::State s) {
    return Narrow::ValueOf(s);
  }
  static Output Finish(State total, int64_t /*count*/) {
    const uint64_t root = IntegerRoot(total);
    constexpr T kLargest = std::numeric_limits<T>::max();
    return root > static_cast<uint64_t>(kLargest) ? kLargest
                                                  : static_cast<T>(root);
  }
};

// float64 has no wider type for squares that overflow or vanish though the root
// does not: the same sum, of squares of elements scaled down and up, stands by
// where the one of the squares says nothing.
template <>
struct ReduceL2<double> {
  static constexpr double kScale = 0x1p600;
  // From here on up squares that lost digits, below 2^-1022, are lost in the
  // rounding of the sum, up to 2^60 of them.
  static constexpr double kLeast = 0x1p-900;

  using Fold = ReduceL2;
  using Input = double;
  struct State {
    double sum;
    double huge;  // Times kScale^-2.
    double tiny;  // Times kScale^2.
  };
  using Output = double;
  using Trial = ReduceSumSquare<double>;

  static constexpr State Identity() { return {0, 0, 0}; }
  static constexpr State Map(double x) {
    const double down = x * (1 / kScale);
    const double up = x * kScale;
    return {x * x, down * down, up * up};
  }
  static constexpr State Combine(State a, State b) {
    return {a.sum + b.sum, a.huge + b.huge, a.tiny + b.tiny};
  }
  static Output Finish(State s, int64_t /*count*/) {
    // A NaN is in all sums.
    const bool is_tiny = s.sum < kLeast;
    const double scaled = is_tiny ? s.tiny : s.huge;
    const double scale = is_tiny ? 1 / kScale : kScale;
    const bool is_sum = Suffices(s.sum);
    return Narrow<double>(std::sqrt(is_sum ? s.sum : scaled) *
                          (is_sum ? 1 : scale));
  }

  static constexpr State FromTrial(double sum) { return {sum, 0, 0}; }
  static constexpr State Join(State a, State b) {
    return {a.sum + b.sum, HugeOf(a) + HugeOf(b), TinyOf(a) + TinyOf(b)};
  }
  static Output FinishTrial(double sum, int64_t /*count*/) {
    return Narrow<double>(std::sqrt(sum));
  }
  static constexpr bool Suffices(double sum) {
    return sum >= kLeast && sum <= std::numeric_limits<double>::max();
  }

 private:
  static constexpr double HugeOf(State s) {
    const double huge = s.sum * (1 / kScale) * (1 / kScale);
    return Suffices(s.sum) ? huge : s.huge;
  }
  // No sum of a state that suffices is ever too small.
  static constexpr double TinyOf(State s) {
    return Suffices(s.sum) ? 0 : s.tiny;
  }
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_REDUCERS_SUMS_H_
