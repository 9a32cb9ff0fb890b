#include "client/check/reference.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reductor::check {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<long double> Values(const ExpectedTensor& expected) {
  std::vector<long double> values;
  for (const Expected& element : expected.elements) {
    values.push_back(element.value);
  }
  return values;
}

// [[1, -2, 3], [-4, 5, -6]]
Tensor Matrix() { return MakeTensor<int32_t>({2, 3}, {1, -2, 3, -4, 5, -6}); }

TEST(ExpectedResult, ReducesAllAxesOfOnnxByDefaultAndKeepsThem) {
  const ExpectedTensor expected =
      ExpectedResult(Matrix(), {.op = Operator::kReduceL1});
  EXPECT_THAT(expected.shape, ElementsAre(1, 1));
  EXPECT_THAT(Values(expected), ElementsAre(21));
}

TEST(ExpectedResult, DropsReducedAxesOfOpenvinoByDefault) {
  const ExpectedTensor expected = ExpectedResult(
      Matrix(), {.op = Operator::kReduceL1, .openvino_opset = 4, .axes = {-1}});
  EXPECT_THAT(expected.shape, ElementsAre(2));
  EXPECT_THAT(Values(expected), ElementsAre(6, 15));
}

TEST(ExpectedResult, ReducesOuterAxes) {
  const ExpectedTensor expected = ExpectedResult(
      Matrix(), {.op = Operator::kReduceProd, .axes = {0}, .keep_dims = false});
  EXPECT_THAT(expected.shape, ElementsAre(3));
  EXPECT_THAT(Values(expected), ElementsAre(-4, -10, -18));
}

TEST(ExpectedResult, ReducesTheMiddleAxis) {
  // Along axis 1: 1 2 / 3 4 gives 4 6; 5 6 / 7 8 gives 12 14.
  const Tensor cube = MakeTensor<uint8_t>({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  const ExpectedTensor expected =
      ExpectedResult(cube, {.op = Operator::kReduceL1, .axes = {-2}});
  EXPECT_THAT(expected.shape, ElementsAre(2, 1, 2));
  EXPECT_THAT(Values(expected), ElementsAre(4, 6, 12, 14));
}

TEST(ExpectedResult, IsTheElementwiseStepForNoop) {
  const ExpectedTensor expected =
      ExpectedResult(Matrix(), {.op = Operator::kReduceL1,
                                .keep_dims = false,
                                .noop_with_empty_axes = true});
  EXPECT_THAT(expected.shape, ElementsAre(2, 3));
  EXPECT_THAT(Values(expected), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(ExpectedResult, IsTheTensorItselfForOpenvinoWithoutAxes) {
  const ExpectedTensor expected = ExpectedResult(
      Matrix(), {.op = Operator::kReduceL1, .openvino_opset = 16});
  EXPECT_EQ(expected.data, Matrix().data);
  EXPECT_THAT(expected.shape, ElementsAre(2, 3));
}

TEST(ExpectedResult, IsTheIdentityWhereNothingIsReduced) {
  const Tensor empty = MakeTensor<float>({2, 0}, {});
  EXPECT_THAT(
      Values(ExpectedResult(empty, {.op = Operator::kReduceL1, .axes = {1}})),
      ElementsAre(0, 0));
  EXPECT_THAT(
      Values(ExpectedResult(empty, {.op = Operator::kReduceProd, .axes = {1}})),
      ElementsAre(1, 1));
  EXPECT_THAT(
      Values(ExpectedResult(empty, {.op = Operator::kReduceProd, .axes = {0}})),
      IsEmpty());
}

long double L1Of(const Tensor& tensor) {
  return ExpectedResult(tensor, {.op = Operator::kReduceL1}).elements[0].value;
}

long double ProdOf(const Tensor& tensor) {
  return ExpectedResult(tensor, {.op = Operator::kReduceProd})
      .elements[0]
      .value;
}

TEST(ExpectedResult, WrapsIntegers) {
  constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
  constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
  EXPECT_EQ(L1Of(MakeTensor<int32_t>({1}, {kMin})), -0x1p31L);
  EXPECT_EQ(L1Of(MakeTensor<int32_t>({2}, {kMin, kMin})), 0);
  EXPECT_EQ(L1Of(MakeTensor<int32_t>({2}, {kMax, 1})), -0x1p31L);
  EXPECT_EQ(L1Of(MakeTensor<int8_t>({2}, {-128, -1})), -127);
  EXPECT_EQ(ProdOf(MakeTensor<uint8_t>({2}, {255, 255})), 1);
  EXPECT_EQ(ProdOf(MakeTensor<uint16_t>({2}, {65535, 65535})), 1);
  EXPECT_EQ(ProdOf(MakeTensor<int32_t>({2}, {kMax, 3})), 0x7ffffffdL);
  EXPECT_EQ(ProdOf(MakeTensor<int64_t>({2}, {-3, 0x2000000000000001})),
            -0x6000000000000003LL);
}

TEST(ExpectedResult, IsExactBeyondTheMantissaOfFloat64) {
  EXPECT_EQ(L1Of(MakeTensor<int64_t>({2}, {(int64_t{1} << 53) + 1, 0})),
            0x1p53L + 1);
}

TEST(ExpectedResult, FollowsIeeeThroughSpecialValues) {
  EXPECT_EQ(L1Of(MakeTensor<float>({2}, {1, -kInf})), kInf);
  EXPECT_TRUE(std::isnan(L1Of(MakeTensor<float>({2}, {kInf, kNan}))));
  EXPECT_TRUE(std::isnan(ProdOf(MakeTensor<float>({2}, {0, kInf}))));
  EXPECT_TRUE(std::isnan(ProdOf(MakeTensor<float>({2}, {0, kNan}))));
  EXPECT_EQ(ProdOf(MakeTensor<float>({2}, {-2, kInf})), -kInf);
}

// What FindMismatch() says of one float32, given the expected value.
bool Matches(const Expected& expected, float actual) {
  return !FindMismatch({.dtype = DType::kFloat32, .elements = {expected}},
                       MakeTensor<float>({}, {actual}))
              .has_value();
}

TEST(FindMismatch, TakesOnlyTheRoundedValueWhereThereIsNoError) {
  EXPECT_TRUE(Matches({.value = 0.1L}, 0.1f));
  EXPECT_FALSE(Matches({.value = 0.1L}, std::nextafter(0.1f, 1.0f)));
  EXPECT_FALSE(Matches({.value = 0.1L}, std::nextafter(0.1f, 0.0f)));
}

TEST(FindMismatch, TakesBothNeighboursOfAValueNearTheirMiddle) {
  const Expected middle = {.value = 16777217, .error = 0x1p-20L};
  EXPECT_TRUE(Matches(middle, 16777216));
  EXPECT_TRUE(Matches(middle, 16777218));
  EXPECT_FALSE(Matches(middle, 16777220));
}

TEST(FindMismatch, TakesNanForNanAlone) {
  EXPECT_TRUE(Matches({.value = NAN}, kNan));
  EXPECT_FALSE(Matches({.value = NAN}, 1));
  EXPECT_FALSE(Matches({.value = 1}, kNan));
  EXPECT_TRUE(Matches({.value = INFINITY}, kInf));
  EXPECT_FALSE(Matches({.value = INFINITY}, -kInf));
}

TEST(FindMismatch, TakesAnythingWhereTheOrderDecides) {
  const Tensor far_apart =
      MakeTensor<double>({4}, {1e300, 1e300, 1e-300, 1e-300});
  const ExpectedTensor expected =
      ExpectedResult(far_apart, {.op = Operator::kReduceProd});
  EXPECT_FALSE(
      FindMismatch(expected, MakeTensor<double>({1}, {1.0})).has_value());
  EXPECT_FALSE(
      FindMismatch(expected, MakeTensor<double>({1}, {INFINITY})).has_value());
}

TEST(FindMismatch, SaysBothValues) {
  const ExpectedTensor expected =
      ExpectedResult(Matrix(), {.op = Operator::kReduceL1, .axes = {1}});
  EXPECT_EQ(FindMismatch(expected, MakeTensor<int32_t>({2, 1}, {6, 16})),
            "element 1 of the result: expected 15 within 0, got 16");
  EXPECT_EQ(FindMismatch(expected, MakeTensor<int32_t>({2}, {6, 15})),
            "expected int32[2,1], got int32[2]");
  EXPECT_EQ(FindMismatch(expected, MakeTensor<int64_t>({2, 1}, {6, 15})),
            "expected int32[2,1], got int64[2,1]");
}

TEST(FindMismatch, ComparesAnIdentityByteForByte) {
  const Tensor zero = MakeTensor<float>({1}, {0.0f});
  const ExpectedTensor expected =
      ExpectedResult(zero, {.op = Operator::kReduceL1, .openvino_opset = 4});
  EXPECT_FALSE(FindMismatch(expected, zero).has_value());
  EXPECT_TRUE(
      FindMismatch(expected, MakeTensor<float>({1}, {-0.0f})).has_value());
}

TEST(FindMismatch, ExpectsZeroAndOneOfAnIdentityOfBools) {
  const ExpectedTensor expected =
      ExpectedResult(MakeTensor<Bool>({3}, {Bool{0}, Bool{2}, Bool{1}}),
                     {.op = Operator::kReduceLogicalOr, .openvino_opset = 1});
  EXPECT_FALSE(FindMismatch(
      expected, MakeTensor<Bool>({3}, {Bool{0}, Bool{1}, Bool{1}})));
  EXPECT_TRUE(FindMismatch(expected,
                           MakeTensor<Bool>({3}, {Bool{0}, Bool{2}, Bool{1}})));
}

}  // namespace
}  // namespace reductor::check
