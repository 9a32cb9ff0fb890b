// ReduceMax and ReduceMin, and what they are of truth values: ReduceLogicalOr
// and ReduceLogicalAnd.
#include <algorithm>
#include <cmath>

#include "client/check/local_operators.h"
#include "client/check/values.h"

namespace reductor::check {
namespace {

// Any NaN makes the result NaN; +0 is larger than -0.
Expected MaxOfFloats(const Slice& slice) {
  long double max = -INFINITY;
  for (const long double x : slice.elements) {
    if (std::isnan(x)) return {.value = NAN};
    if (x > max || (x == max && !std::signbit(x))) max = x;
  }
  return {.value = max, .is_sign_of_zero_fixed = true};
}

// Any NaN makes the result NaN; -0 is smaller than +0.
Expected MinOfFloats(const Slice& slice) {
  long double min = INFINITY;
  for (const long double x : slice.elements) {
    if (std::isnan(x)) return {.value = NAN};
    if (x < min || (x == min && std::signbit(x))) min = x;
  }
  return {.value = min, .is_sign_of_zero_fixed = true};
}

Expected MaxOfIntegers(const Slice& slice) {
  long double max = SmallestInteger(slice.dtype);
  for (const long double x : slice.elements) max = std::max(max, x);
  return {.value = max};
}

Expected MinOfIntegers(const Slice& slice) {
  long double min = LargestInteger(slice.dtype);
  for (const long double x : slice.elements) min = std::min(min, x);
  return {.value = min};
}

bool IsTrue(long double x) { return x != 0; }

Expected AnyOfBools(const Slice& slice) {
  return {.value = std::ranges::any_of(slice.elements, IsTrue) ? 1.0L : 0.0L};
}

Expected AllOfBools(const Slice& slice) {
  return {.value = std::ranges::all_of(slice.elements, IsTrue) ? 1.0L : 0.0L};
}

constexpr LocalOperator kExtremes[] = {
    {Operator::kReduceMax, MaxOfFloats, MaxOfIntegers, AnyOfBools},
    {Operator::kReduceMin, MinOfFloats, MinOfIntegers, AllOfBools},
    {Operator::kReduceLogicalOr, nullptr, nullptr, AnyOfBools},
    {Operator::kReduceLogicalAnd, nullptr, nullptr, AllOfBools},
};

}  // namespace

absl::Span<const LocalOperator> LocalExtremes() { return kExtremes; }

}  // namespace reductor::check
