// ReduceSum and ReduceSumSquare at the edges, by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/dtype.h"
#include "core/shape.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

ReduceSpec Sum(std::vector<int64_t> axes) {
  return Onnx(Operator::kReduceSum, std::move(axes));
}
ReduceSpec SumSquare(std::vector<int64_t> axes) {
  return Onnx(Operator::kReduceSumSquare, std::move(axes));
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

// Element r of column c is r % 3 + c % 5.
template <class T>
void ExpectSumsOfSlabs(int64_t rows, int64_t cols) {
  constexpr int64_t kSlabs = 5;
  // What r % 3 adds up to in a column.
  const int64_t sum_of_rows = rows / 3 * 3 + (rows % 3 == 2 ? 1 : 0);
  std::vector<double> x;
  std::vector<double> sums;
  for (int64_t s = 0; s < kSlabs; ++s) {
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t c = 0; c < cols; ++c) x.push_back(r % 3 + c % 5);
    }
    for (int64_t c = 0; c < cols; ++c) {
      sums.push_back(sum_of_rows + rows * (c % 5));
    }
  }
  EXPECT_TRUE(AreSame(Reduced(Narrowed<T>(x), {kSlabs, rows, cols}, Sum({1})),
                      Narrowed<T>(sums)))
      << rows << " x " << cols;
}

TEST(ReduceSum, AddsColumnsOfSmallSlabs) {
  ForEachTarget([] {
    for (const int64_t rows : {15, 16, 17, 20, 32, 33, 60, 100}) {
      for (const int64_t cols : {8, 16, 17, 33, 67, 100}) {
        ExpectSumsOfSlabs<float>(rows, cols);
        ExpectSumsOfSlabs<double>(rows, cols);
        ExpectSumsOfSlabs<Float16>(rows, cols);
        ExpectSumsOfSlabs<int32_t>(rows, cols);
        ExpectSumsOfSlabs<uint64_t>(rows, cols);
      }
    }
  });
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

// Sums of an element and a zero each, which are the elements: in columns, and
// in rows of as many elements as `cols` of which one is no zero.
template <class T>
void ExpectEachIsItsOwnSum(int64_t cols) {
  constexpr int64_t kAll = 1 << 16;
  std::vector<T> elements;
  for (int64_t bits = 0; bits < kAll; ++bits) {
    elements.push_back(T{static_cast<uint16_t>(bits)});
  }
  std::vector<T> sums = elements;
  sums[0x8000] = T{0};  // Of -0 and 0.
  for (T& sum : sums) {
    if (std::isnan(Widen(sum))) sum = Narrow<T>(kNan);  // Of any NaN.
  }
  const int64_t slabs = (kAll + cols - 1) / cols;
  std::vector<T> columns(slabs * 2 * cols);
  std::vector<T> rows(kAll * cols);
  for (int64_t i = 0; i < kAll; ++i) {
    columns[i / cols * 2 * cols + i % cols] = elements[i];
    rows[i * cols + i % cols] = elements[i];
  }
  std::vector<T> sums_of_columns = Reduced(columns, {slabs, 2, cols}, Sum({1}));
  sums_of_columns.resize(kAll);
  EXPECT_TRUE(AreSame(sums_of_columns, sums)) << cols << " columns";
  EXPECT_TRUE(AreSame(Reduced(rows, {kAll, cols}, Sum({1})), sums))
      << "rows of " << cols;
}

TEST(ReduceSum, OfA16BitFloatAndZerosIsThatFloat) {
  ForEachTarget([] {
    for (const int64_t cols : {2, 6, 8, 13, 64, 100, 512}) {
      ExpectEachIsItsOwnSum<BFloat16>(cols);
      ExpectEachIsItsOwnSum<Float16>(cols);
    }
  });
}

TEST(ReduceSum, IsNanForOppositeInfinities) {
  EXPECT_TRUE(std::isnan(Reduced<float>({kInf, -kInf}, {2}, Sum({0}))[0]));
}

TEST(ReduceSum, OfMinusZerosIsZero) {
  ForEachTarget([] {
    for (const auto& shape : std::vector<std::vector<int64_t>>{{300, 2},
                                                               {3, 200},
                                                               {2, 300},
                                                               {75, 4, 2},
                                                               {2, 1000},
                                                               {3, 513},
                                                               {1, 300, 16},
                                                               {1, 40, 300}}) {
      const std::vector<float> x(CountElements(shape, sizeof(float)).value(),
                                 -0.0f);
      for (const float sum : Reduced(x, shape, Sum({1}))) {
        EXPECT_TRUE(sum == 0 && !std::signbit(sum)) << shape[0];
      }
    }
  });
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

// The last two squares are half a unit of the last place of the others' sum,
// 2049: joined first they make it more than halfway from 2048 to 2050.
TEST(ReduceSumSquare, JoinsFewElementsInTheSameOrderOnEveryInstructionSet) {
  ForEachTarget([] {
    EXPECT_THAT(Widened(Reduced(Narrowed<Float16>({44, 8, 7, 0x1p-21, 0x1p-21}),
                                {1, 5}, SumSquare({1}))),
                ElementsAre(2050));
  });
}

TEST(NoopWithEmptyAxes, LeavesSumMeanAndTheirShapeAlone) {
  for (const Operator op : {Operator::kReduceSum, Operator::kReduceMean}) {
    EXPECT_THAT(Reduced<int32_t>({-1, 2, 3}, {3}, Noop(op)),
                ElementsAre(-1, 2, 3));
  }
}

}  // namespace
}  // namespace reductor
