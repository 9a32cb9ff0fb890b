// ReduceLogSumExp: log(e^x + e^y + ...), folded in one pass without overflow.
//
// The state of some elements is their largest, m, and the sum of e^(x - m),
// which is at least 1. Two states join at the larger m; the other's sum shrinks
// by e^-(the difference), so that one exponential is taken per step.
//
// Columns are folded by that; rows and slabs, which are at hand whole, by a sum
// of exponentials (log_sum_exp_fold-inl.h). Combine is inlined everywhere: g++
// counts its instructions, not the vectors that a call would undo.
#ifndef REDUCTOR_CORE_REDUCERS_LOG_SUM_EXP_H_
#define REDUCTOR_CORE_REDUCERS_LOG_SUM_EXP_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/dtype.h"
#include "core/elementary.h"
#include "core/reducers/small_integers.h"
#include "core/reducers/wide.h"

namespace reductor {

// Of nothing: -infinity. Infinities give infinity, unless all are negative; any
// NaN gives NaN.
template <HighPrecision T>
struct ReduceLogSumExp {
  using Fold = ReduceLogSumExp;
  using Input = T;
  struct State {
    double max;
    double sum;
  };
  using Output = T;

  static constexpr State Identity() {
    return {-std::numeric_limits<double>::infinity(), 0};
  }
  static constexpr State Map(T x) { return {static_cast<double>(Widen(x)), 1}; }

  // Where `max` is the largest of some elements, the sum of their state is that
  // of Exponential(Difference(x, OffsetOf(max))). If `max` is no number the sum
  // does not count, unless all are -infinity: then it is nothing beside 1.
  using Offset = double;
  static Offset OffsetOf(T max) {
    const double x = Widen(max);
    return std::isfinite(x) ? x : 0;
  }
  static constexpr double Difference(T x, Offset offset) {
    return static_cast<double>(Widen(x)) - offset;
  }

  // e to the power of a difference from the largest, as exactly as the type
  // needs; of one that does not count, anything.
  [[gnu::always_inline]] static double Exponential(double difference) {
    return kIsShort ? ExpForFloat32(difference) : ExpOfNonPositive(difference);
  }

  [[gnu::always_inline]] static State Combine(State a, State b) {
    const bool a_is_max = a.max >= b.max || a.max != a.max;
    const double max = a_is_max ? a.max : b.max;
    const double larger = a_is_max ? a.sum : b.sum;
    const double smaller = a_is_max ? b.sum : a.sum;
    // Of infinities the sum does not count: e^NaN may be 0.
    const double difference = -std::fabs(a.max - b.max);
    return {max, larger + smaller * Exponential(difference)};
  }
  static Output Finish(State s, int64_t /*count*/) {
    const double log = kIsShort ? LogForFloat32(s.sum) : Log(s.sum);
    return Narrow<T>(std::isfinite(s.max) ? s.max + log : s.max);
  }

 private:
  // Whether a result has the digits of a float32, or fewer.
  static constexpr bool kIsShort = sizeof(T) <= sizeof(float);
};

namespace log_sum_exp_internal {

// e^-i, up to the first that ExpOfNonPositive() makes 0.
inline constexpr auto kExponentials = [] {
  std::array<double, 710> exponentials;
  for (int i = 0; i < 710; ++i) exponentials[i] = ExpOfNonPositive(-i);
  return exponentials;
}();
static_assert(kExponentials[708] > 0 && kExponentials[709] == 0);

}  // namespace log_sum_exp_internal

// Integers keep the largest as it is, so that one element gives itself, and add
// the logarithm to it: the result is truncated toward zero and clamped to the
// type. Of nothing: the smallest value.
template <HighPrecisionInteger T>
struct ReduceLogSumExp<T> {
  using Fold = ReduceLogSumExp;
  using Input = T;
  struct State {
    T max;
    double sum;
  };
  using Output = T;

  static constexpr State Identity() {
    return {std::numeric_limits<T>::lowest(), 0};
  }
  static constexpr State Map(T x) { return {x, 1}; }

  // Where `max` is the largest of some elements, their sum is made of
  // Exponential(BelowMax(x, max)), which is 0 from kOutOfReach on.
  // REQUIRES: x <= max.
  using Offset = T;
  using Below = std::make_unsigned_t<T>;
  static constexpr uint64_t kOutOfReach =
      log_sum_exp_internal::kExponentials.size() - 1;
  static constexpr Offset OffsetOf(T max) { return max; }
  static constexpr Below BelowMax(T x, Offset max) {
    return static_cast<Below>(static_cast<Below>(max) - static_cast<Below>(x));
  }
  // From a table (columns of int32, in cache, AVX-512: 3.3 GB/s by a
  // polynomial, 4.8 so).
  static double Exponential(Below below) {
    return log_sum_exp_internal::kExponentials[std::min<uint64_t>(below,
                                                                  kOutOfReach)];
  }

  [[gnu::always_inline]] static State Combine(State a, State b) {
    const bool a_is_max = a.max >= b.max;
    const T max = a_is_max ? a.max : b.max;
    const T min = a_is_max ? b.max : a.max;
    const double larger = a_is_max ? a.sum : b.sum;
    const double smaller = a_is_max ? b.sum : a.sum;
    return {max, larger + smaller * Exponential(BelowMax(min, max))};
  }
  // The same of states of many elements each, which seldom reach each other.
  // Which is larger nobody would foresee, so that it is no branch, nor a
  // comparison, which g++ would make one (nests of 8 x 4 x 8 int32 and 16
  // columns of int32, in cache, Zen 4: 6.6 and 6.0 GB/s by Combine(), 7.0 and
  // 6.4 so). Those of 64-bit integers, whose members are as wide as each other,
  // g++ vectorises.
  static State CombineTotals(State a,
                             State b) requires(sizeof(T) < sizeof(double)) {
    const int64_t difference = int64_t{a.max} - int64_t{b.max};
    const int64_t is_b = difference >> 63;  // All ones, or zeros.
    const auto max = static_cast<T>(int64_t{a.max} - (difference & is_b));
    const auto sum_a = std::bit_cast<uint64_t>(a.sum);
    const auto sum_b = std::bit_cast<uint64_t>(b.sum);
    const uint64_t larger =
        sum_a ^ ((sum_a ^ sum_b) & static_cast<uint64_t>(is_b));
    const auto below = static_cast<uint64_t>((difference ^ is_b) - is_b);
    const auto sum = std::bit_cast<double>(larger);
    if (below >= kOutOfReach) return {max, sum};
    const auto smaller = std::bit_cast<double>(sum_a ^ sum_b ^ larger);
    return {max, sum + smaller * Exponential(static_cast<Below>(below))};
  }
  static Output Finish(State s, int64_t count) {
    if (count == 0) return s.max;
    using U = std::make_unsigned_t<T>;
    constexpr T kLargest = std::numeric_limits<T>::max();
    // At least 0, and below 64: the logarithm of at most 2^63 ones.
    const double log = Log(s.sum);
    const double floor = std::floor(log);
    const auto whole = static_cast<U>(NearestSmall(floor));
    const U to_next = floor < log ? 1 : 0;
    const auto down = static_cast<T>(static_cast<U>(s.max) + whole);
    // Toward zero is up for what stays negative.
    const T truncated = down < 0 ? static_cast<T>(down + to_next) : down;
    const auto room =
        static_cast<U>(static_cast<U>(kLargest) - static_cast<U>(s.max));
    return whole > room ? kLargest : truncated;
  }
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_REDUCERS_LOG_SUM_EXP_H_
