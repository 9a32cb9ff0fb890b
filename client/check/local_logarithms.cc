// ReduceLogSum and ReduceLogSumExp.
#include <algorithm>
#include <cmath>

#include "absl/numeric/int128.h"
#include "client/check/local_operators.h"
#include "client/check/sum.h"
#include "client/check/values.h"

namespace reductor::check {
namespace {

// What the contract grants an exponential and a logarithm, beyond the sum.
long double Slack(long double result) {
  return 2 * kUnit * std::max(1.0L, std::fabs(result));
}

Expected LogSumOfFloats(const Slice& slice) {
  Sum sum(slice.dtype);
  for (const long double x : slice.elements) sum.Add(x);
  const long double value = sum.value();
  if (sum.may_overflow()) return {.is_open = true};
  if (!std::isfinite(value)) return {.value = std::log(value)};
  const long double low = value - sum.error();
  const long double high = value + sum.error();
  // A logarithm of float64's infinity, or of what is beyond it.
  if (!std::isfinite(static_cast<double>(high))) return {.is_open = true};
  if (high < 0 || low == high) {
    return {.value = std::log(value), .error = Slack(std::log(value))};
  }
  // The sum's rounding decides whether there is a logarithm.
  if (low <= 0) return {.is_open = true};
  return Between(std::log(low) - Slack(std::log(low)),
                 std::log(high) + Slack(std::log(high)));
}

Expected LogSumOfIntegers(const Slice& slice) {
  const absl::int128 sum = SumOfIntegers(slice.elements);
  if (sum <= 0) return {.value = SmallestInteger(slice.dtype)};
  const long double log = std::log(static_cast<long double>(sum));
  return Between(std::trunc(log - Slack(log)), std::trunc(log + Slack(log)));
}

// The logarithm of the sum of exp(x - largest): 0 or more.
Expected LogOfShifted(const Slice& slice, long double largest) {
  Sum sum(slice.dtype);
  for (const long double x : slice.elements) sum.Add(std::exp(x - largest));
  const long double log = std::log(sum.value());
  if (slice.elements.size() < 2) return {.value = log};
  return {.value = log,
          .error = RelativeSumBound(slice.dtype, slice.elements.size())};
}

Expected LogSumExpOfFloats(const Slice& slice) {
  long double largest = -INFINITY;
  for (const long double x : slice.elements) {
    if (std::isnan(x)) return {.value = NAN};
    largest = std::max(largest, x);
  }
  if (std::isinf(largest)) return {.value = largest};
  Expected expected = LogOfShifted(slice, largest);
  expected.value += largest;
  if (slice.elements.size() > 1) expected.error += Slack(expected.value);
  return expected;
}

// a + b without its fraction, also where a long double holds a but not the sum.
// REQUIRES: a is an integer, b is 0 or more.
long double TruncatedSum(long double a, long double b) {
  const long double floor = a + std::floor(b);
  return floor >= 0 ? floor : a + std::ceil(b);
}

Expected LogSumExpOfIntegers(const Slice& slice) {
  if (slice.elements.empty()) return {.value = SmallestInteger(slice.dtype)};
  const long double largest = *std::ranges::max_element(slice.elements);
  const Expected log = LogOfShifted(slice, largest);
  const long double error =
      slice.elements.size() > 1 ? log.error + Slack(log.value) : 0;
  const long double limit = LargestInteger(slice.dtype);
  // Elements that float64 cannot see beside the largest may still lift a
  // negative one across an integer: both answers are right.
  const long double low =
      TruncatedSum(largest, std::max(0.0L, log.value - error));
  const long double high = TruncatedSum(largest, log.value + error);
  return Between(std::min(low, limit), std::min(high, limit));
}

constexpr LocalOperator kLogarithms[] = {
    {Operator::kReduceLogSum, LogSumOfFloats, LogSumOfIntegers, nullptr},
    {Operator::kReduceLogSumExp, LogSumExpOfFloats, LogSumExpOfIntegers,
     nullptr},
};

}  // namespace

absl::Span<const LocalOperator> LocalLogarithms() { return kLogarithms; }

}  // namespace reductor::check
