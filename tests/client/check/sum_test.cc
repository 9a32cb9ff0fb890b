#include "client/check/sum.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace reductor::check {
namespace {

Sum SumOf(DType dtype, const std::vector<long double>& steps) {
  Sum sum(dtype);
  for (const long double step : steps) sum.Add(step);
  return sum;
}

TEST(Sum, KeepsWhatALongDoubleLoses) {
  const Sum sum = SumOf(DType::kFloat64, {0x1p80L, 1, 0x1p-20L, -0x1p80L});
  EXPECT_EQ(sum.value(), 1 + 0x1p-20L);
}

TEST(Sum, FollowsIeeeThroughSpecialValues) {
  EXPECT_EQ(SumOf(DType::kFloat32, {1, INFINITY}).value(), INFINITY);
  EXPECT_TRUE(
      std::isnan(SumOf(DType::kFloat32, {INFINITY, -INFINITY}).value()));
  EXPECT_EQ(SumOf(DType::kFloat32, {}).value(), 0);
}

TEST(Sum, HasNoErrorWhereNoOrderRounds) {
  // Multiples of 2^-40: float64 holds them exactly up to 2^13.
  EXPECT_EQ(SumOf(DType::kFloat64, {0x1p12L, 0x1p-40L, -0x1p11L}).error(), 0);
  EXPECT_GT(SumOf(DType::kFloat64, {0x1p13L, 0x1p-40L, -0x1p11L}).error(), 0);
}

TEST(Sum, HasTheContractsErrorElsewhere) {
  // Of the absolute steps, 2 and a little: 3 roundings, or 2^-48.
  const std::vector<long double> steps = {1, 0x1p-60L, -1};
  EXPECT_NEAR(SumOf(DType::kFloat64, steps).error() / 0x1p-53L, 6, 0.1);
  EXPECT_NEAR(SumOf(DType::kFloat32, steps).error() / 0x1p-48L, 2, 0.1);
}

TEST(Sum, OverflowsOnTheWayOnlyInFloat64AndWithBothSigns) {
  EXPECT_TRUE(SumOf(DType::kFloat64, {1e308L, 1e308L, -1}).may_overflow());
  EXPECT_FALSE(SumOf(DType::kFloat64, {1e308L, 1e308L, 1}).may_overflow());
  EXPECT_FALSE(SumOf(DType::kFloat64, {1e308L, -1e308L}).may_overflow());
  EXPECT_FALSE(SumOf(DType::kFloat32, {1e308L, 1e308L, -1}).may_overflow());
}

TEST(RelativeSumBound, GrowsWithChainsUpTo128) {
  EXPECT_EQ(RelativeSumBound(DType::kFloat64, 1), 0);
  EXPECT_EQ(RelativeSumBound(DType::kFloat64, 100), 100 * 0x1p-53L);
  EXPECT_EQ(RelativeSumBound(DType::kFloat64, 1 << 20), 147 * 0x1p-53L);
}

TEST(SumOfIntegers, IsExactBeyond64Bits) {
  const std::vector<long double> elements(4, 0x1p64L - 1);
  EXPECT_EQ(SumOfIntegers(elements),
            absl::MakeInt128(3, ~uint64_t{0} - 3));  // 2^66 - 4
}

}  // namespace
}  // namespace reductor::check
