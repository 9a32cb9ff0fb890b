#include "core/elementary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace reductor {
namespace {

// The error of `got` in units of its last place.
double UlpsFrom(long double want, double got) {
  const double next =
      std::nextafter(std::fabs(got), std::numeric_limits<double>::infinity());
  return static_cast<double>(std::fabs(got - want) / (next - std::fabs(got)));
}

TEST(ExpOfNonPositive, IsExactAtItsEnds) {
  EXPECT_EQ(ExpOfNonPositive(0), 1);
  EXPECT_EQ(ExpOfNonPositive(-0.0), 1);
  EXPECT_EQ(ExpOfNonPositive(-std::numeric_limits<double>::infinity()), 0);
  EXPECT_EQ(ExpOfNonPositive(-1e300), 0);
}

TEST(ExpOfNonPositive, IsWithinOneUnitOfTheExponential) {
  std::mt19937_64 rng(3);
  std::uniform_real_distribution<double> exponent(-60, std::log2(708));
  for (int i = 0; i < 200000; ++i) {
    const double x = -std::exp2(exponent(rng));
    ASSERT_LE(
        UlpsFrom(std::exp(static_cast<long double>(x)), ExpOfNonPositive(x)), 1)
        << x;
  }
}

TEST(ExpForFloat32, IsOneOfZeroAndNothingBesideItFarBelow) {
  EXPECT_EQ(ExpForFloat32(0), 1);
  EXPECT_EQ(ExpForFloat32(-0.0), 1);
  for (const double x :
       {-708.0, -1e300, -std::numeric_limits<double>::infinity(),
        std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_GT(ExpForFloat32(x), 0);
    EXPECT_LT(ExpForFloat32(x), 1e-307);
  }
}

TEST(ExpForFloat32, HasTwentyOneDigitsMoreThanAFloat32) {
  std::mt19937_64 rng(3);
  std::uniform_real_distribution<double> exponent(-60, std::log2(708));
  for (int i = 0; i < 200000; ++i) {
    const double x = -std::exp2(exponent(rng));
    const long double want = std::exp(static_cast<long double>(x));
    ASSERT_LE(std::fabs(ExpForFloat32(x) - want),
              want * (0x1p-45L - x * 0x1p-53L))
        << x;
  }
}

void ExpectExactEnds(double (*log)(double)) {
  EXPECT_EQ(log(1), 0);
  EXPECT_EQ(log(0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(log(-0.0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(log(std::numeric_limits<double>::infinity()),
            std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(log(-1)));
  EXPECT_TRUE(std::isnan(log(-std::numeric_limits<double>::infinity())));
  EXPECT_TRUE(std::isnan(log(std::numeric_limits<double>::quiet_NaN())));
}

TEST(Log, IsExactAtItsEnds) { ExpectExactEnds(Log); }

TEST(Log, IsWithinOneUnitOfTheLogarithm) {
  std::mt19937_64 rng(5);
  std::uniform_real_distribution<double> exponent(-1074, 1024);
  std::uniform_real_distribution<double> near_one(0.5, 2);
  for (int i = 0; i < 200000; ++i) {
    const double x = i % 2 ? std::exp2(exponent(rng)) : near_one(rng);
    ASSERT_LE(UlpsFrom(std::log(static_cast<long double>(x)), Log(x)), 1) << x;
  }
}

TEST(LogForFloat32, IsExactAtItsEnds) { ExpectExactEnds(LogForFloat32); }

TEST(LogForFloat32, HasTwentyDigitsMoreThanAFloat32) {
  std::mt19937_64 rng(7);
  std::uniform_real_distribution<double> exponent(-1022, 1024);
  std::uniform_real_distribution<double> near_one(-30, 0);
  for (int i = 0; i < 200000; ++i) {
    const double x = i % 2 ? std::exp2(exponent(rng))
                           : 1 + (i % 4 - 1) * std::exp2(near_one(rng)) / 2;
    const long double want = std::log(static_cast<long double>(x));
    ASSERT_LE(std::fabs(LogForFloat32(x) - want), std::fabs(want) * 0x1p-44L)
        << x;
  }
}

}  // namespace
}  // namespace reductor
