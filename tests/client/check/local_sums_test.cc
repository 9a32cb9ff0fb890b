// ReduceSum, ReduceSumSquare, ReduceL2 and ReduceMean of `reductor check`.
// ReduceL1 stands for the sums in reference_test.cc.
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "tests/client/check/is_right.h"

namespace reductor::check {
namespace {

using enum Operator;

constexpr int32_t kMin32 = std::numeric_limits<int32_t>::min();
constexpr int32_t kMax32 = std::numeric_limits<int32_t>::max();
constexpr int64_t kMax64 = std::numeric_limits<int64_t>::max();
constexpr uint64_t kMaxU64 = std::numeric_limits<uint64_t>::max();
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

constexpr Float16 Half(double x) { return Narrow<Float16>(x); }
constexpr BFloat16 Brain(double x) { return Narrow<BFloat16>(x); }

TEST(LocalSum, WrapsIntegers) {
  EXPECT_TRUE(IsRight<int32_t>(kReduceSum, {kMax32, 1}, kMin32));
  EXPECT_FALSE(IsRight<int32_t>(kReduceSum, {kMax32, 1}, kMax32));
  EXPECT_TRUE(
      IsRight<int64_t>(kReduceSum, {(1ll << 53) + 1, 0}, (1ll << 53) + 1));
  EXPECT_FALSE(IsRight<int64_t>(kReduceSum, {(1ll << 53) + 1, 0}, 1ll << 53));
  EXPECT_TRUE(IsRight<uint8_t>(kReduceSum, {200, 100}, 44));
}

TEST(LocalSum, RoundsNarrowFloatsOnce) {
  EXPECT_TRUE(IsRight(kReduceSum, {Brain(256), Brain(1.5)}, Brain(258)));
  EXPECT_FALSE(IsRight(kReduceSum, {Brain(256), Brain(1.5)}, Brain(256)));
  const std::vector<BFloat16> ones(5000, Brain(1));
  EXPECT_TRUE(IsRight(kReduceSum, ones, Brain(4992)));
  EXPECT_FALSE(IsRight(kReduceSum, ones, Brain(5024)));
}

TEST(LocalSum, IsExactWhereNoOrderRounds) {
  // 2^-48 of the steps would be many neighbours of the sum.
  EXPECT_TRUE(IsRight(kReduceSum, {1.0f, 0x1p-30f, -1.0f}, 0x1p-30f));
  EXPECT_FALSE(IsRight(kReduceSum, {1.0f, 0x1p-30f, -1.0f},
                       std::nextafter(0x1p-30f, 1.0f)));
}

TEST(LocalSum, HasTheContractsBoundForFloat64) {
  const std::vector<double> elements = {1, 0x1p-53, 0x1p-53};
  EXPECT_TRUE(IsRight(kReduceSum, elements, 1.0));
  EXPECT_TRUE(IsRight(kReduceSum, elements, 1 + 0x1p-52));
  EXPECT_FALSE(IsRight(kReduceSum, elements, 1 + 0x1p-50));
}

TEST(LocalSum, LeavesToTheOrderWhetherAPartialSumOverflows) {
  EXPECT_TRUE(IsRight(kReduceSum, {1e308, 1e308, -1e308}, 1e308));
  EXPECT_TRUE(IsRight(kReduceSum, {1e308, 1e308, -1e308}, HUGE_VAL));
  EXPECT_FALSE(IsRight(kReduceSum, {1e308, 1e308}, 1e308));
  EXPECT_TRUE(IsRight(kReduceSum, {1e308, 1e308}, HUGE_VAL));
}

TEST(LocalSum, FollowsIeeeThroughSpecialValues) {
  EXPECT_TRUE(IsRight(kReduceSum, {kInf, -kInf}, kNan));
  EXPECT_TRUE(IsRight(kReduceSum, {-kInf, 1.0f}, -kInf));
  EXPECT_TRUE(IsRight(kReduceSum, {-0.0f}, 0.0f));
}

TEST(LocalSumSquare, WrapsIntegers) {
  EXPECT_TRUE(IsRight<int32_t>(kReduceSumSquare, {65536}, 0));
  EXPECT_TRUE(IsRight<int32_t>(kReduceSumSquare, {-3, 4}, 25));
  EXPECT_TRUE(IsRight<uint16_t>(kReduceSumSquare, {65535}, 1));
}

TEST(LocalSumSquare, OverflowsOnlyInTheEnd) {
  EXPECT_TRUE(
      IsRight(kReduceSumSquare, {Half(300), Half(400)}, Half(HUGE_VAL)));
  EXPECT_TRUE(IsRight(kReduceSumSquare, {Half(150), Half(200)}, Half(62500)));
}

TEST(LocalL2, NeitherOverflowsNorVanishes) {
  EXPECT_TRUE(IsRight(kReduceL2, {Half(300), Half(400)}, Half(500)));
  EXPECT_TRUE(IsRight(kReduceL2, {3e30f, 4e30f}, 5e30f));
  EXPECT_TRUE(IsRight(kReduceL2, {3e-30f, 4e-30f}, 5e-30f));
  EXPECT_TRUE(IsRight(kReduceL2, {0x3p1000, 0x4p1000}, 0x5p1000));
  EXPECT_TRUE(IsRight(kReduceL2, {0x3p-1060, 0x4p-1060}, 0x5p-1060));
  EXPECT_FALSE(IsRight(kReduceL2, {0x3p1000, 0x4p1000}, HUGE_VAL));
  EXPECT_FALSE(IsRight(kReduceL2, {0x3p-1060, 0x4p-1060}, 0.0));
}

TEST(LocalL2, IsTheFlooredRootOfIntegersWithinTheirType) {
  EXPECT_TRUE(IsOnlyRight<int32_t>(kReduceL2, {3, 3}, 4));  // 4.24
  EXPECT_TRUE(IsOnlyRight<int32_t>(kReduceL2, {65536, 65536}, 92681));
  EXPECT_TRUE(IsRight<int32_t>(kReduceL2, {kMin32}, kMax32));
  EXPECT_TRUE(IsOnlyRight<int64_t>(kReduceL2, {5149438430121834735},
                                   5149438430121834735));
  EXPECT_TRUE(IsRight<int64_t>(kReduceL2, {kMax64, kMax64}, kMax64));
  EXPECT_TRUE(IsRight<uint64_t>(kReduceL2, {kMaxU64}, kMaxU64));
  EXPECT_TRUE(IsRight<uint64_t>(kReduceL2, {kMaxU64, kMaxU64}, kMaxU64));
  EXPECT_TRUE(IsRight<int8_t>(kReduceL2, {127, 127}, 127));
}

TEST(LocalMean, TruncatesIntegersAndNeverWraps) {
  EXPECT_TRUE(IsOnlyRight<int32_t>(kReduceMean, {-7, 0}, -3));
  EXPECT_TRUE(IsOnlyRight<int32_t>(kReduceMean, {-1, -2}, -1));
  EXPECT_TRUE(IsOnlyRight<int32_t>(kReduceMean, {-2, 0, 0}, 0));
  EXPECT_TRUE(IsRight<int32_t>(kReduceMean, {kMax32, kMax32}, kMax32));
  EXPECT_TRUE(
      IsOnlyRight<int64_t>(kReduceMean, {(1ll << 53) + 1, 2}, (1ll << 52) + 1));
  EXPECT_TRUE(IsRight<uint64_t>(kReduceMean, {kMaxU64, kMaxU64}, kMaxU64));
}

TEST(LocalMean, DoesNotOverflowWhereTheMeanIsRepresentable) {
  const std::vector<Float16> twenties(5000, Half(20));
  EXPECT_TRUE(IsRight(kReduceMean, twenties, Half(20)));
  EXPECT_TRUE(IsRight(kReduceMean, {3e38f, 3e38f}, 3e38f));
  constexpr double kLargest = std::numeric_limits<double>::max();
  EXPECT_TRUE(IsRight(kReduceMean, {kLargest, kLargest}, kLargest));
  EXPECT_FALSE(IsRight(kReduceMean, {kLargest, kLargest}, HUGE_VAL));
}

TEST(LocalSums, OfNothingAreZeroAndTheMeanIsNan) {
  for (const Operator op : {kReduceSum, kReduceSumSquare, kReduceL2}) {
    EXPECT_TRUE(IsRight<float>(op, {}, 0)) << NameOf(op);
    EXPECT_TRUE(IsRight<int32_t>(op, {}, 0)) << NameOf(op);
  }
  EXPECT_TRUE(IsRight<float>(kReduceMean, {}, kNan));
  EXPECT_TRUE(IsRight<int32_t>(kReduceMean, {}, 0));
}

}  // namespace
}  // namespace reductor::check
