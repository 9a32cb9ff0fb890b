// ReduceL2: the square root of the sum of squares.
#ifndef REDUCTOR_CORE_REDUCERS_L2_H_
#define REDUCTOR_CORE_REDUCERS_L2_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/dtype.h"
#include "core/reducers/partial.h"
#include "core/reducers/sums.h"
#include "core/reducers/wide.h"
#include "core/reducers/words.h"

namespace reductor {

// Of nothing: 0.
template <Numeric T>
struct ReduceL2 : ReduceSumSquare<T> {
  static T Finish(double total, int64_t /*count*/) {
    return Narrow<T>(std::sqrt(total));
  }
};

// Integers: the integer part of the exact root, clamped to the type. A sum that
// leaves 64 bits has a root that leaves every type of 32, so it may stop there;
// and one that leaves 63 bits, of a type that has a sign, which its vectors see
// without a comparison (rows of 1,000 int32 and 1,024 columns, in cache, Zen 3:
// 21 and 19 GB/s with it, 41 and 32 so).
template <IntegerElement T>
struct SquaresInWord {
  using Input = T;
  using State = uint64_t;
  using Output = T;

  static constexpr State kMost = ~uint64_t{0} >>
                                 static_cast<int>(std::is_signed_v<T>);

  static constexpr State Identity() { return 0; }
  static constexpr State Map(T x) {
    const uint64_t magnitude = AbsoluteOf(x);
    return magnitude * magnitude;
  }
  static constexpr State Combine(State a, State b) {
    const State sum = a + b;
    return sum < a || sum > kMost ? kMost : sum;
  }
  static Output Finish(State total, int64_t /*count*/) {
    // A sum beyond 32 bits has a root that leaves every type of 16.
    using Word = std::conditional_t<(sizeof(T) < 4), uint32_t, uint64_t>;
    constexpr uint64_t kLeaving = std::numeric_limits<Word>::max();
    constexpr Word kLargest = std::numeric_limits<T>::max();
    const Word root = IntegerRoot(static_cast<Word>(std::min(total, kLeaving)));
    return static_cast<T>(std::min(root, kLargest));
  }
};

template <IntegerElement T>
struct ReduceL2<T> : SquaresInWord<T> {
  using Fold = ReduceL2;
};

template <IntegerElement T>
requires(sizeof(T) < 4) struct ReduceL2<T> : SquaresInWord<T> {
  using Fold = ReduceL2;
  using Partial = PartialSquares<T>;
  static constexpr uint64_t FromPartial(typename Partial::State s) { return s; }
};

template <IntegerElement T>
requires(sizeof(T) == 8) struct ReduceL2<T> {
  using Fold = ReduceL2;
  using Input = T;
  using State = Words<uint64_t>;
  using Output = T;
  using Partial = PartialSquares<T>;

  static constexpr State Identity() { return {0, 0}; }
  static constexpr State Map(T x) { return Partial::ValueOf(Partial::Map(x)); }
  static constexpr State Combine(State a, State b) {
    // By the compiler's own 128 bits: it would branch by a comparison of words,
    // as random as their digits (13 x 2 x 2 int64, in cache, AVX-512: 2.5 GB/s
    // by branches, 4.1 so).
    using Wide = unsigned __int128;
    Wide sum = 0;
    const bool wrapped = __builtin_add_overflow(
        (Wide{a.upper} << 64) | a.lower, (Wide{b.upper} << 64) | b.lower, &sum);
    const uint64_t full = wrapped ? ~uint64_t{0} : 0;
    return {static_cast<uint64_t>(sum) | full,
            static_cast<uint64_t>(sum >> 64) | full};
  }
  static constexpr State FromPartial(typename Partial::State s) {
    return Partial::ValueOf(s);
  }
  static Output Finish(State total, int64_t /*count*/) {
    return IntegerRoot<T>(DigitsOf(total));
  }
  static Output FinishPartial(Digits total) { return IntegerRoot<T>(total); }
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
  static constexpr State CombineTotals(State a, State b) {
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

#endif  // REDUCTOR_CORE_REDUCERS_L2_H_
