// ArgMax and ArgMin of `reductor check`.
#include <cstdint>
#include <limits>
#include <vector>

#include "client/check/reference.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reductor::check {
namespace {

using enum Operator;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// What the local computation expects of a vector.
template <Element T>
int64_t PositionOf(const Reduction& reduction, const std::vector<T>& elements) {
  const auto count = static_cast<int64_t>(elements.size());
  return static_cast<int64_t>(
      ExpectedResult(MakeTensor<T>({count}, elements), reduction)
          .elements[0]
          .value);
}

template <Element T>
int64_t FirstOf(Operator op, const std::vector<T>& elements) {
  return PositionOf(Reduction{.op = op}, elements);
}

template <Element T>
int64_t LastOf(Operator op, const std::vector<T>& elements) {
  return PositionOf(Reduction{.op = op, .select_last_index = true}, elements);
}

TEST(LocalPositions, AreThoseOfTheFirstOrTheLastOfEqualValues) {
  EXPECT_EQ(FirstOf<int32_t>(kArgMax, {1, 3, 3, 2}), 1);
  EXPECT_EQ(LastOf<int32_t>(kArgMax, {1, 3, 3, 2}), 2);
  EXPECT_EQ(FirstOf<int32_t>(kArgMin, {5, 1, 4, 1, 5}), 1);
  EXPECT_EQ(LastOf<int32_t>(kArgMin, {5, 1, 4, 1, 5}), 3);
}

TEST(LocalPositions, TakeTheZerosForEqual) {
  EXPECT_EQ(FirstOf<double>(kArgMax, {-0.0, 0.0}), 0);
  EXPECT_EQ(FirstOf<double>(kArgMin, {0.0, -0.0}), 0);
  EXPECT_EQ(LastOf<double>(kArgMax, {0.0, -0.0}), 1);
}

TEST(LocalPositions, AreThoseOfNansBeforeAllElse) {
  EXPECT_EQ(FirstOf<double>(kArgMax, {8, kNan, 3, kNan, 5}), 1);
  EXPECT_EQ(FirstOf<double>(kArgMin, {8, kNan, 3, kNan, 5}), 1);
  EXPECT_EQ(LastOf<double>(kArgMax, {8, kNan, 3, kNan, 5}), 3);
  EXPECT_EQ(LastOf<double>(kArgMin, {8, kNan, 3, kNan, 5}), 3);
}

TEST(LocalPositions, CompareIntegersExactly) {
  EXPECT_EQ(FirstOf<int64_t>(kArgMax, {1ll << 60, (1ll << 60) + 1}), 1);
  EXPECT_EQ(FirstOf<uint64_t>(kArgMin, {~uint64_t{0}, ~uint64_t{0} - 1}), 1);
}

TEST(LocalPositions, AreInt64AlongAxisZeroByDefault) {
  const Tensor matrix = MakeTensor<int8_t>({2, 3}, {1, 5, 3, 4, 2, 6});
  const ExpectedTensor expected = ExpectedResult(matrix, {.op = kArgMax});
  EXPECT_FALSE(FindMismatch(expected, MakeTensor<int64_t>({1, 3}, {1, 0, 1})));
  EXPECT_TRUE(FindMismatch(expected, MakeTensor<int8_t>({1, 3}, {1, 0, 1})));
  EXPECT_FALSE(FindMismatch(
      ExpectedResult(matrix, {.op = kArgMin, .axes = {-1}, .keep_dims = false}),
      MakeTensor<int64_t>({2}, {0, 1})));
}

TEST(LocalPositions, AreZeroOfAScalarAndNoneWhereAKeptAxisIsEmpty) {
  EXPECT_FALSE(FindMismatch(ExpectedResult(MakeTensor<float>({}, {7}),
                                           {.op = kArgMax, .onnx_opset = 1}),
                            MakeTensor<int64_t>({}, {0})));
  const ExpectedTensor none = ExpectedResult(
      MakeTensor<float>({2, 0}, {}), {.op = kArgMax, .keep_dims = false});
  EXPECT_THAT(none.shape, ElementsAre(0));
  EXPECT_THAT(none.elements, IsEmpty());
}

}  // namespace
}  // namespace reductor::check
