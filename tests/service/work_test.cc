#include "service/work.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace reductor {
namespace {

std::vector<Plan> PlansOf(Operator op, size_t count) {
  return std::vector<Plan>(count, Plan{.op = op,
                                       .dtype = DType::kFloat32,
                                       .output_dtype = DType::kFloat32});
}

TEST(TakesLong, IsFalseForAMebibyteSummedOnce) {
  EXPECT_FALSE(TakesLong(PlansOf(Operator::kReduceSum, 1), 1 << 20, 4));
}

TEST(TakesLong, CountsTheBytesForEachReduction) {
  EXPECT_TRUE(TakesLong(PlansOf(Operator::kReduceSum, 64), 1 << 20, 256));
}

TEST(TakesLong, CountsWhatIsWritten) {
  EXPECT_TRUE(TakesLong(PlansOf(Operator::kReduceSum, 1), 0, 8 << 20));
}

TEST(TakesLong, KnowsThatExponentialsTakeLonger) {
  EXPECT_FALSE(TakesLong(PlansOf(Operator::kReduceSum, 1), 384 << 10, 4));
  EXPECT_TRUE(TakesLong(PlansOf(Operator::kReduceLogSumExp, 1), 384 << 10, 4));
}

TEST(TakesLong, KnowsThatNothingIsDoneToATensorThatIsItsOwnAnswer) {
  std::vector<Plan> plans = PlansOf(Operator::kReduceLogSumExp, 1);
  plans[0].is_identity = true;
  EXPECT_FALSE(TakesLong(plans, 3 << 20, 1 << 20));
}

// Products of what strangers ask for must not overflow.
TEST(TakesLong, IsTrueForAsManyBytesAsCanBeCounted) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_TRUE(TakesLong(PlansOf(Operator::kReduceLogSumExp, 64), kMost, kMost));
}

}  // namespace
}  // namespace reductor
