// ReduceSum, ReduceL1, ReduceSumSquare, ReduceL2 and ReduceMean.
#include <cmath>
#include <cstdint>

#include "absl/numeric/int128.h"
#include "client/check/local_operators.h"
#include "client/check/sum.h"
#include "client/check/values.h"

namespace reductor::check {
namespace {

Expected AsExpected(const Sum& sum) {
  return {.value = sum.value(),
          .error = sum.error(),
          .is_open = sum.may_overflow()};
}

Expected SumOfFloats(const Slice& slice) {
  Sum sum(slice.dtype);
  for (const long double x : slice.elements) sum.Add(x);
  return AsExpected(sum);
}

Expected L1OfFloats(const Slice& slice) {
  Sum sum(slice.dtype);
  for (const long double x : slice.elements) sum.Add(std::fabs(x));
  return AsExpected(sum);
}

Sum SquaresOf(const Slice& slice) {
  Sum sum(slice.dtype);
  for (const long double x : slice.elements) sum.Add(x * x);
  return sum;
}

Expected SumSquareOfFloats(const Slice& slice) {
  Expected expected = AsExpected(SquaresOf(slice));
  // Squares below float64's normal range lose half of its smallest number each.
  if (slice.dtype == DType::kFloat64) {
    expected.error += static_cast<long double>(slice.elements.size()) *
                      std::ldexp(1.0L, -1075);
  }
  return expected;
}

Expected L2OfFloats(const Slice& slice) {
  const Sum squares = SquaresOf(slice);
  const long double root = std::sqrt(squares.value());
  if (slice.elements.size() < 2 || root == 0) return {.value = root};
  // The root's rounding, and the error of what it is taken of.
  return {.value = root,
          .error = root * (squares.error() / squares.value() + kUnit)};
}

Expected MeanOfFloats(const Slice& slice) {
  const auto count = static_cast<long double>(slice.elements.size());
  Sum sum(slice.dtype);
  for (const long double x : slice.elements) sum.Add(x);
  const long double mean = sum.value() / count;  // NaN without elements.
  if (count < 2) return {.value = mean};
  // The division's rounding, and the error of the sum.
  return {.value = mean,
          .error = sum.error() / count + std::fabs(mean) * kUnit};
}

Expected SumOfIntegersWrapped(const Slice& slice) {
  uint64_t sum = 0;
  for (const long double x : slice.elements) sum += ToBits(x);
  return {.value = Wrap(slice.dtype, sum)};
}

Expected L1OfIntegers(const Slice& slice) {
  uint64_t sum = 0;
  for (const long double x : slice.elements) sum += ToBits(std::fabs(x));
  return {.value = Wrap(slice.dtype, sum)};
}

Expected SumSquareOfIntegers(const Slice& slice) {
  uint64_t sum = 0;
  for (const long double x : slice.elements) sum += ToBits(x) * ToBits(x);
  return {.value = Wrap(slice.dtype, sum)};
}

// The largest integer whose square is not above x.
uint64_t FloorOfRoot(absl::uint128 x) {
  uint64_t root = 0;
  for (uint64_t bit = uint64_t{1} << 63; bit != 0; bit >>= 1) {
    const absl::uint128 candidate = root | bit;
    if (candidate * candidate <= x) root |= bit;
  }
  return root;
}

Expected L2OfIntegers(const Slice& slice) {
  absl::uint128 sum = 0;
  for (const long double x : slice.elements) {
    const absl::uint128 magnitude(std::fabs(x));
    const absl::uint128 square = magnitude * magnitude;
    // The root of a sum beyond 128 bits is beyond every type.
    const bool overflows = square > absl::Uint128Max() - sum;
    sum = overflows ? absl::Uint128Max() : sum + square;
  }
  const auto root = static_cast<long double>(FloorOfRoot(sum));
  return {.value = std::fmin(root, LargestInteger(slice.dtype))};
}

Expected MeanOfIntegers(const Slice& slice) {
  if (slice.elements.empty()) return {.value = 0};
  const absl::int128 mean = SumOfIntegers(slice.elements) /
                            static_cast<int64_t>(slice.elements.size());
  return {.value = static_cast<long double>(mean)};
}

constexpr LocalOperator kSums[] = {
    {Operator::kReduceSum, SumOfFloats, SumOfIntegersWrapped, nullptr},
    {Operator::kReduceL1, L1OfFloats, L1OfIntegers, nullptr},
    {Operator::kReduceSumSquare, SumSquareOfFloats, SumSquareOfIntegers,
     nullptr},
    {Operator::kReduceL2, L2OfFloats, L2OfIntegers, nullptr},
    {Operator::kReduceMean, MeanOfFloats, MeanOfIntegers, nullptr},
};

}  // namespace

absl::Span<const LocalOperator> LocalSums() { return kSums; }

}  // namespace reductor::check
