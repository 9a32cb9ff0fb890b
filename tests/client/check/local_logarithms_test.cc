// ReduceLogSum and ReduceLogSumExp of `reductor check`.
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/client/check/is_right.h"

namespace reductor::check {
namespace {

using enum Operator;

constexpr int32_t kMin32 = std::numeric_limits<int32_t>::min();
constexpr int32_t kMax32 = std::numeric_limits<int32_t>::max();
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kLog2 = 0.693147180559945309;

TEST(LocalLogSum, IsTheLogarithmOfTheSum) {
  EXPECT_TRUE(IsRight(kReduceLogSum, {0.5, 1.5}, kLog2));
  EXPECT_FALSE(IsRight(kReduceLogSum, {0.5, 1.5}, kLog2 + 0x1p-50));
  EXPECT_TRUE(IsRight(kReduceLogSum, {1.0f}, 0.0f));
}

TEST(LocalLogSum, FollowsIeeeThroughSpecialValues) {
  EXPECT_TRUE(IsRight(kReduceLogSum, {1.0, -1.0}, -kInf));
  EXPECT_FALSE(IsRight(kReduceLogSum, {1.0, -1.0}, kNan));
  EXPECT_TRUE(IsRight(kReduceLogSum, {1.0, -2.0}, kNan));
  EXPECT_TRUE(IsRight(kReduceLogSum, {kInf, -kInf}, kNan));
  EXPECT_TRUE(IsRight(kReduceLogSum, {kInf, -1.0}, kInf));
  EXPECT_TRUE(IsRight<double>(kReduceLogSum, {}, -kInf));
}

TEST(LocalLogSum, TakesAnythingWhereRoundingDecidesTheSign) {
  // 1 + 2^-53 is 1 or not, by the order.
  const std::vector<double> elements = {1, 0x1p-53, -1};
  EXPECT_TRUE(IsRight(kReduceLogSum, elements, -kInf));
  EXPECT_TRUE(IsRight(kReduceLogSum, elements, -36.7368005696771014));
}

TEST(LocalLogSum, TakesWhatCancellationLeavesOpen) {
  // The sum, 2^-40, is known to some 2^-51: its logarithm to some 2^-11.
  const std::vector<double> elements = {1, 0x1p-40 + 0x1p-54, -1};
  EXPECT_TRUE(IsRight(kReduceLogSum, elements, -40 * kLog2));
  EXPECT_TRUE(IsRight(kReduceLogSum, elements, -40 * kLog2 + 0x1p-12));
  EXPECT_FALSE(IsRight(kReduceLogSum, elements, -40 * kLog2 + 0x1p-8));
}

TEST(LocalLogSum, TruncatesIntegers) {
  EXPECT_TRUE(IsOnlyRight<int32_t>(kReduceLogSum, {20}, 2));  // 2.996
  EXPECT_TRUE(IsOnlyRight<int32_t>(kReduceLogSum, {kMax32, 1}, 21));
  EXPECT_TRUE(IsRight<int32_t>(kReduceLogSum, {3, -3}, kMin32));
  EXPECT_TRUE(IsRight<int32_t>(kReduceLogSum, {-5}, kMin32));
  EXPECT_TRUE(IsRight<int32_t>(kReduceLogSum, {}, kMin32));
  EXPECT_TRUE(IsRight<uint32_t>(kReduceLogSum, {0}, 0));
}

TEST(LocalLogSumExp, IsShiftedByTheLargest) {
  EXPECT_TRUE(IsRight(kReduceLogSumExp, {1000.0, 1000.0}, 1000 + kLog2));
  EXPECT_TRUE(IsRight(kReduceLogSumExp, {-1000.0, -1000.0}, -1000 + kLog2));
  EXPECT_TRUE(IsRight(kReduceLogSumExp,
                      {Narrow<Float16>(800.0), Narrow<Float16>(800.0)},
                      Narrow<Float16>(800.5)));
  EXPECT_TRUE(IsRight(kReduceLogSumExp, {-745.25f}, -745.25f));
}

TEST(LocalLogSumExp, FollowsTheTableOfSpecialValues) {
  const std::pair<std::vector<double>, double> rows[] = {
      {{-kInf, 1}, 1},       {{-kInf, -kInf}, -kInf},
      {{kInf, 1}, kInf},     {{kInf, kInf}, kInf},
      {{kInf, -kInf}, kInf}, {{kNan, 1}, kNan},
      {{kInf, kNan}, kNan},  {{-kInf, kNan}, kNan},
      {{kInf}, kInf},        {{-kInf}, -kInf},
      {{}, -kInf},
  };
  for (const auto& [elements, answer] : rows) {
    EXPECT_TRUE(IsRight(kReduceLogSumExp, elements, answer))
        << ::testing::PrintToString(elements);
    EXPECT_FALSE(IsRight(kReduceLogSumExp, elements, 7.0))
        << ::testing::PrintToString(elements);
  }
}

TEST(LocalLogSumExp, TruncatesIntegersTowardZero) {
  EXPECT_TRUE(IsOnlyRight<int32_t>(kReduceLogSumExp, {1, 1}, 1));     // 1.69
  EXPECT_TRUE(IsOnlyRight<int32_t>(kReduceLogSumExp, {-5, -5}, -4));  // -4.31
  EXPECT_TRUE(IsOnlyRight<int32_t>(kReduceLogSumExp, {-1, -1}, 0));   // -0.31
  EXPECT_TRUE(IsOnlyRight<int32_t>(kReduceLogSumExp, {1, 1, 1, 1}, 2));
  EXPECT_TRUE(IsOnlyRight<int32_t>(kReduceLogSumExp, {0, 0, -1, -1}, 1));
  EXPECT_TRUE(IsOnlyRight<int32_t>(kReduceLogSumExp, {-56, -46}, -45));
  EXPECT_TRUE(
      IsOnlyRight<int32_t>(kReduceLogSumExp, {10, 9, 9, 9, 9, 9, 9}, 11));
}

TEST(LocalLogSumExp, KeepsOneIntegerAndTheEndsOfTheType) {
  constexpr int64_t kMin64 = std::numeric_limits<int64_t>::min();
  EXPECT_TRUE(IsOnlyRight<uint32_t>(kReduceLogSumExp, {3}, 3));
  EXPECT_TRUE(IsRight<int32_t>(kReduceLogSumExp, {kMax32, kMax32}, kMax32));
  EXPECT_TRUE(IsRight<int64_t>(kReduceLogSumExp, {kMin64}, kMin64));
  EXPECT_TRUE(IsRight<int64_t>(kReduceLogSumExp, {kMin64, kMin64}, kMin64 + 1));
  EXPECT_TRUE(IsRight<int32_t>(kReduceLogSumExp, {}, kMin32));
}

TEST(LocalLogSumExp, TakesBothAnswersWhereFloat64CannotSeeTheRest) {
  // -5 + e^-95: -4 exactly truncated, -5 in float64.
  EXPECT_TRUE(IsRight<int32_t>(kReduceLogSumExp, {-5, -100}, -4));
  EXPECT_TRUE(IsRight<int32_t>(kReduceLogSumExp, {-5, -100}, -5));
  EXPECT_TRUE(IsOnlyRight<int32_t>(kReduceLogSumExp, {5, -100}, 5));
}

}  // namespace
}  // namespace reductor::check
