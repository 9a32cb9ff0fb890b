// Quotients without a remainder, against the compiler's own integers.
#include "core/reducers/few_divisor.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "tests/core/reference.h"
#include "tests/core/seeded_test.h"

namespace reductor {
namespace {

constexpr int64_t kMost = FewDivisor::kMost;
constexpr double kLargest = 0x1p51 - 1;

// Of both parts of a sum, as many as there are.
template <class T>
T DivideSum(Signed128 sum, int64_t count) {
  const auto lower = static_cast<uint64_t>(sum) & 0xffffffff;
  const auto upper = static_cast<int64_t>(sum >> 32);
  return FewDivisor(count).Divide<T>(upper, lower);
}

TEST(FewDivisor, TruncatesTowardZero) {
  EXPECT_EQ(FewDivisor(2).Divide(7), 3);
  EXPECT_EQ(FewDivisor(2).Divide(-7), -3);
  EXPECT_EQ(FewDivisor(2).Divide(-8), -4);
  EXPECT_EQ(FewDivisor(3).Divide(-2), 0);
  EXPECT_EQ(FewDivisor(kMost).Divide(0), 0);
}

TEST(FewDivisor, IsExactOfTheLargestSums) {
  EXPECT_EQ(FewDivisor(1).Divide(kLargest), kLargest);
  EXPECT_EQ(FewDivisor(1).Divide(-kLargest), -kLargest);
  EXPECT_EQ(FewDivisor(2).Divide(kLargest), 0x1p50 - 1);
  EXPECT_EQ(FewDivisor(kMost).Divide(kLargest), 0xffffffff);
}

TEST(FewDivisor, DividesWords) {
  EXPECT_EQ(DivideSum<int64_t>(-7, 2), -3);
  EXPECT_EQ(DivideSum<int64_t>(-8, 2), -4);
  EXPECT_EQ(DivideSum<int64_t>(-1, 3), 0);
  EXPECT_EQ(DivideSum<int64_t>(-(Signed128{1} << 32), 2), -(int64_t{1} << 31));
  EXPECT_EQ(DivideSum<int64_t>(Signed128{INT64_MIN} * kMost, kMost), INT64_MIN);
  EXPECT_EQ(DivideSum<int64_t>(Signed128{INT64_MAX} * kMost, kMost), INT64_MAX);
  EXPECT_EQ(DivideSum<uint64_t>(Signed128{UINT64_MAX} * kMost, kMost),
            UINT64_MAX);
  EXPECT_EQ(DivideSum<uint64_t>(Signed128{UINT64_MAX} * 3 - 1, 3),
            UINT64_MAX - 1);
}

// The lower part of a sum may have more than 32 bits, as loops have it.
TEST(FewDivisor, CarriesBetweenWords) {
  constexpr uint64_t kLower = (uint64_t{1} << 51) - 1;
  EXPECT_EQ(FewDivisor(1).Divide<uint64_t>(1, kLower),
            (uint64_t{1} << 32) + kLower);
  EXPECT_EQ(FewDivisor(2).Divide<int64_t>(-2, uint64_t{3} << 32),
            int64_t{1} << 31);
}

using AnyFew = SeededTest;

TEST_F(AnyFew, LeaveLessThanTheirNumber) {
  for (int i = 0; i < 300000; ++i) {
    const int64_t count =
        1 + static_cast<int64_t>(rng_() % kMost >> rng_() % 19);
    const uint64_t bits = uint64_t{rng_()} << 32 | rng_();
    const auto small = static_cast<int64_t>(bits >> 13 >> rng_() % 51);
    // Sums of which nothing is left, and almost another.
    const int64_t whole = small - small % count;
    for (const int64_t x : {small, whole, whole - 1, 1 - whole, -small}) {
      ASSERT_EQ(FewDivisor(count).Divide(static_cast<double>(x)), x / count)
          << x << " / " << count;
    }
    const auto any = static_cast<int64_t>(bits) >> rng_() % 63;
    const auto left = static_cast<int64_t>(rng_() % count);
    const Signed128 signed_sum =
        Signed128{any} * count + (any < 0 ? -left : left);
    ASSERT_EQ(DivideSum<int64_t>(signed_sum, count), any) << count;
    const Signed128 sum = Signed128{bits} * count + left;
    ASSERT_EQ(DivideSum<uint64_t>(sum, count), bits) << count;
  }
}

}  // namespace
}  // namespace reductor
