// ReduceSum, ReduceSumSquare, ReduceMean and ReduceL2 at the edges, by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int64_t kBig = (int64_t{1} << 53) + 1;  // No float64 holds it.

ReduceSpec Sum(std::vector<int64_t> axes) {
  return Onnx(Operator::kReduceSum, std::move(axes));
}
ReduceSpec SumSquare(std::vector<int64_t> axes) {
  return Onnx(Operator::kReduceSumSquare, std::move(axes));
}
ReduceSpec Mean(std::vector<int64_t> axes) {
  return Onnx(Operator::kReduceMean, std::move(axes));
}
ReduceSpec L2(std::vector<int64_t> axes) {
  return Onnx(Operator::kReduceL2, std::move(axes));
}

TEST(ReduceSum, AddsAlongEachAxis) {
  const std::vector<float> x = {1, -2, 3, -4, 5, -6};
  EXPECT_THAT(Reduced(x, {2, 3}, Sum({0})), ElementsAre(-3, 3, -3));
  EXPECT_THAT(Reduced(x, {2, 3}, Sum({-1})), ElementsAre(2, -5));
}

TEST(ReduceSum, AddsFewRowsOfManyColumns) {
  for (const int64_t cols : {8192, 8203, 20000}) {
    std::vector<float> x(3 * cols, 0.5f);
    x[cols - 1] = 7;            // The last column,
    x[cols + 8195 % cols] = 2;  // and one of another strip or of none.
    std::vector<float> sums(cols, 1.5f);
    sums[cols - 1] = 8;
    sums[8195 % cols] = 3;
    EXPECT_THAT(Reduced(x, {3, cols}, Sum({0})), ElementsAreArray(sums));
  }
}

TEST(ReduceSum, AddsShortRowsOfManySteps) {
  // Row k of each step holds k + 1, but for one element of the last step.
  for (const int64_t steps : {2, 17, 341, 5000}) {
    std::vector<double> x;
    for (int64_t i = 0; i < steps * 3 * 6; ++i) x.push_back(i / 6 % 3 + 1);
    x.back() += 0.5;
    EXPECT_THAT(Reduced(x, {steps, 3, 6}, Sum({0, 2})),
                ElementsAre(6 * steps, 12 * steps, 18 * steps + 0.5));
    const std::vector<int32_t> whole(x.begin(), x.end());
    EXPECT_THAT(Reduced(whole, {steps, 3, 6}, Sum({0, 2})),
                ElementsAre(6 * steps, 12 * steps, 18 * steps));
  }
}

TEST(ReduceSum, WrapsAndIsExact) {
  EXPECT_THAT(Reduced<int32_t>({INT32_MAX, 1}, {2}, Sum({0})),
              ElementsAre(INT32_MIN));
  EXPECT_THAT(Reduced<int64_t>({kBig, 0}, {2}, Sum({0})), ElementsAre(kBig));
  EXPECT_THAT(
      Reduced<int8_t>({127, 1}, {2}, Openvino(Operator::kReduceSum, {0})),
      ElementsAre(-128));
}

TEST(ReduceSum, CountsSeventeenMillionFloatOnesAlongAxis0) {
  EXPECT_THAT(
      Reduced(std::vector<float>(17'000'000, 1), {17'000'000, 1}, Sum({0})),
      ElementsAre(17000000));
}

TEST(ReduceSum, RoundsBfloat16OnceToEven) {
  EXPECT_THAT(Widened(Reduced(Narrowed<BFloat16>({256, 1.5}), {2}, Sum({0}))),
              ElementsAre(258));
  EXPECT_THAT(Widened(Reduced(Narrowed<BFloat16>(std::vector<double>(5000, 1)),
                              {5000}, Sum({0}))),
              ElementsAre(4992));
}

TEST(ReduceSum, IsNanForOppositeInfinities) {
  EXPECT_TRUE(std::isnan(Reduced<float>({kInf, -kInf}, {2}, Sum({0}))[0]));
}

TEST(ReduceSum, OfMinusZerosIsZero) {
  const std::vector<float> x(600, -0.0f);
  for (const auto& shape : std::vector<std::vector<int64_t>>{
           {300, 2}, {3, 200}, {2, 300}, {75, 4, 2}}) {
    for (const float sum : Reduced(x, shape, Sum({1}))) {
      EXPECT_TRUE(sum == 0 && !std::signbit(sum)) << shape[0];
    }
  }
}

TEST(ReduceSum, GivesZeroForNothing) {
  EXPECT_THAT(Reduced<double>({}, {0, 2}, Sum({0})), ElementsAre(0, 0));
}

TEST(ReduceSumSquare, SquaresWithNoop) {
  EXPECT_THAT(Reduced<float>({-3, 2}, {2}, Noop(Operator::kReduceSumSquare)),
              ElementsAre(9, 4));
}

TEST(ReduceSumSquare, WrapsModuloTheWidthOfTheType) {
  EXPECT_THAT(Reduced<int32_t>({65536, 3}, {2}, SumSquare({0})),
              ElementsAre(9));
  EXPECT_THAT(Reduced<int64_t>({INT64_MIN, 2}, {2}, SumSquare({0})),
              ElementsAre(4));
}

TEST(ReduceSumSquare, OverflowsFloat16OnlyInTheResult) {
  EXPECT_THAT(
      Widened(Reduced(Narrowed<Float16>({300, 400}), {2}, SumSquare({0}))),
      ElementsAre(kInf));
}

TEST(ReduceMean, TruncatesIntegersTowardZero) {
  EXPECT_THAT(Reduced<int32_t>({-7, 0}, {2}, Mean({0})), ElementsAre(-3));
  EXPECT_THAT(Reduced<int32_t>({-1, -2}, {2}, Mean({0})), ElementsAre(-1));
  EXPECT_THAT(Reduced<int32_t>({-2, 0, 0}, {3}, Mean({0})), ElementsAre(0));
  EXPECT_THAT(Reduced<uint32_t>({7, 0}, {2}, Mean({0})), ElementsAre(3));
}

TEST(ReduceMean, NeverWrapsIntegers) {
  EXPECT_THAT(Reduced<int32_t>({INT32_MAX, INT32_MAX}, {2}, Mean({0})),
              ElementsAre(INT32_MAX));
  EXPECT_THAT(
      Reduced<int64_t>({INT64_MAX, INT64_MAX, INT64_MAX}, {3}, Mean({0})),
      ElementsAre(INT64_MAX));
  EXPECT_THAT(Reduced<uint64_t>({UINT64_MAX, UINT64_MAX}, {2}, Mean({0})),
              ElementsAre(UINT64_MAX));
  EXPECT_THAT(Reduced<int64_t>({kBig, 2}, {2}, Mean({0})),
              ElementsAre((kBig + 2) / 2));
  EXPECT_THAT(
      Reduced<int8_t>({127, 127}, {2}, Openvino(Operator::kReduceMean, {0})),
      ElementsAre(127));
}

TEST(ReduceMean, DoesNotOverflowOnTheWay) {
  EXPECT_THAT(Reduced<float>({3e38f, 3e38f}, {2}, Mean({0})),
              ElementsAre(3e38f));
  EXPECT_THAT(Reduced<double>({1.5e308, 1.5e308}, {2}, Mean({0})),
              ElementsAre(1.5e308));
  EXPECT_THAT(
      Reduced<double>({1.5e308, 1.5e308, -1.5e308, -1.5e308}, {4}, Mean({0})),
      ElementsAre(0));
  EXPECT_THAT(Widened(Reduced(Narrowed<Float16>(std::vector<double>(5000, 20)),
                              {5000}, Mean({0}))),
              ElementsAre(20));
}

TEST(ReduceMean, KeepsTinyFloat64s) {
  EXPECT_THAT(Reduced<double>({0x1p-1070, 0x3p-1070}, {2}, Mean({0})),
              ElementsAre(0x2p-1070));
}

TEST(ReduceMean, PropagatesInfinityAndNan) {
  EXPECT_THAT(Reduced<double>({kInf, 1}, {2}, Mean({0})), ElementsAre(kInf));
  EXPECT_TRUE(std::isnan(Reduced<double>({kInf, -kInf}, {2}, Mean({0}))[0]));
  EXPECT_TRUE(std::isnan(Reduced<double>({kNan, 1}, {2}, Mean({0}))[0]));
}

TEST(ReduceMean, IsNanForNothingAndZeroForNoIntegers) {
  EXPECT_TRUE(std::isnan(Reduced<float>({}, {0}, Mean({}))[0]));
  EXPECT_TRUE(std::isnan(Reduced<double>({}, {0}, Mean({}))[0]));
  EXPECT_THAT(Reduced<int32_t>({}, {0}, Mean({})), ElementsAre(0));
  EXPECT_THAT(Reduced<float>({}, {2, 0}, Mean({0})), IsEmpty());
}

TEST(ReduceL2, IsRightWhereSquaresLeaveTheType) {
  EXPECT_THAT(Widened(Reduced(Narrowed<Float16>({300, 400}), {2}, L2({0}))),
              ElementsAre(500));
  EXPECT_THAT(Reduced<float>({3e30f, 4e30f}, {2}, L2({0})), ElementsAre(5e30f));
  EXPECT_THAT(Reduced<float>({3e-30f, 4e-30f}, {2}, L2({0})),
              ElementsAre(5e-30f));
  EXPECT_THAT(Reduced<double>({0x3p900, 0x4p900}, {2}, L2({0})),
              ElementsAre(0x5p900));
  EXPECT_THAT(Reduced<double>({0x3p-1000, -0x4p-1000}, {2}, L2({0})),
              ElementsAre(0x5p-1000));
  EXPECT_THAT(Reduced<double>({0x3p480, 0x4p480}, {2}, L2({0})),
              ElementsAre(0x5p480));
  EXPECT_THAT(Reduced<double>({0x3p-481, 0x4p-481}, {2}, L2({0})),
              ElementsAre(0x5p-481));
  EXPECT_THAT(Reduced<double>({0x1p1000, 1, 0x1p-1000}, {3}, L2({0})),
              ElementsAre(0x1p1000));
}

TEST(ReduceL2, PropagatesInfinityAndNan) {
  EXPECT_THAT(Reduced<double>({-kInf, 1, 1e-300}, {3}, L2({0})),
              ElementsAre(kInf));
  EXPECT_TRUE(std::isnan(Reduced<double>({kNan, kInf}, {2}, L2({0}))[0]));
  EXPECT_TRUE(std::isnan(Reduced<double>({kNan, 1e-300}, {2}, L2({0}))[0]));
}

TEST(ReduceL2, GivesTheIntegerPartOfTheExactRoot) {
  EXPECT_THAT(Reduced<int32_t>({3, 3}, {2}, L2({0})), ElementsAre(4));
  EXPECT_THAT(Reduced<int32_t>({65536, 65536}, {2}, L2({0})),
              ElementsAre(92681));
  EXPECT_THAT(Reduced<int32_t>({46341, 0}, {2}, L2({0})), ElementsAre(46341));
  EXPECT_THAT(Reduced<int64_t>({5149438430121834735, 0}, {2}, L2({0})),
              ElementsAre(5149438430121834735));
  // One below the square of 2k^2 + 1.
  EXPECT_THAT(Reduced<int64_t>({8'000'000'000'000'000'000, 4'000'000'000}, {2},
                               L2({0})),
              ElementsAre(8'000'000'000'000'000'000));
}

TEST(ReduceL2, GivesBackAnyUnsignedInteger) {
  const std::vector<uint64_t> any = {0,
                                     1,
                                     2,
                                     (uint64_t{1} << 53) + 1,
                                     (uint64_t{1} << 63) - 1,
                                     uint64_t{1} << 63,
                                     UINT64_MAX - 1,
                                     UINT64_MAX};
  EXPECT_THAT(Reduced<uint64_t>(any, {8}, Noop(Operator::kReduceL2)),
              ElementsAreArray(any));
}

TEST(ReduceL2, ClampsToTheLargestInteger) {
  EXPECT_THAT(Reduced<int32_t>({INT32_MIN}, {1}, L2({0})),
              ElementsAre(INT32_MAX));
  EXPECT_THAT(Reduced<uint64_t>({UINT64_MAX, UINT64_MAX}, {2}, L2({0})),
              ElementsAre(UINT64_MAX));
  EXPECT_THAT(
      Reduced<int8_t>({127, 127}, {2}, Openvino(Operator::kReduceL2, {0})),
      ElementsAre(127));
}

// Four of these squares make 2^64.
TEST(ReduceL2, ClampsWhereTheSumLeavesAWordInAnyShape) {
  for (const int64_t n : {4, 5, 8, 16, 17, 64, 1000, 5000}) {
    const auto expect_clamped = [n](std::vector<int64_t> shape, int64_t axis) {
      int64_t outputs = 1;
      for (const int64_t d : shape) outputs *= d;
      const std::vector<int32_t> x(outputs, INT32_MIN);
      EXPECT_THAT(Reduced<int32_t>(x, shape, L2({axis})),
                  AllOf(SizeIs(outputs / n), Each(INT32_MAX)))
          << n;
    };
    expect_clamped({n}, 0);
    expect_clamped({3, n}, 1);
    expect_clamped({n, 3}, 0);
    expect_clamped({n, 100}, 0);
    expect_clamped({2, n, 5}, 1);
    expect_clamped({2, n, 100}, 1);
  }
}

TEST(ReduceL2, TakesAbsoluteValuesWithNoop) {
  EXPECT_THAT(Reduced<float>({-1e30f, 1e-30f}, {2}, Noop(Operator::kReduceL2)),
              ElementsAre(1e30f, 1e-30f));
  EXPECT_THAT(Reduced<double>({-1e300, 1e-300}, {2}, Noop(Operator::kReduceL2)),
              ElementsAre(1e300, 1e-300));
}

TEST(ReduceL2, LeavesNegativeValuesAloneForOpenvinoWithoutAxes) {
  EXPECT_THAT(Reduced<float>({-2, 3}, {2}, Openvino(Operator::kReduceL2, {})),
              ElementsAre(-2, 3));
}

TEST(NoopWithEmptyAxes, LeavesSumMeanAndTheirShapeAlone) {
  for (const Operator op : {Operator::kReduceSum, Operator::kReduceMean}) {
    EXPECT_THAT(Reduced<int32_t>({-1, 2, 3}, {3}, Noop(op)),
                ElementsAre(-1, 2, 3));
  }
}

}  // namespace
}  // namespace reductor
