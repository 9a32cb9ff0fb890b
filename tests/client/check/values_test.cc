#include "client/check/values.h"

#include <cmath>
#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reductor::check {
namespace {

using ::testing::ElementsAre;

constexpr FloatFormat kHalf = {.exponent_bits = 5, .mantissa_bits = 10};
constexpr FloatFormat kBrain = {.exponent_bits = 8, .mantissa_bits = 7};
constexpr FloatFormat kSingle = {.exponent_bits = 8, .mantissa_bits = 23};
constexpr FloatFormat kDouble = {.exponent_bits = 11, .mantissa_bits = 52};

TEST(ValueOf, ReadsFloat16) {
  EXPECT_EQ(ValueOf(DType::kFloat16, 0x3c00), 1.0L);
  EXPECT_EQ(ValueOf(DType::kFloat16, 0xc000), -2.0L);
  EXPECT_EQ(ValueOf(DType::kFloat16, 0x7bff), 65504.0L);
  EXPECT_EQ(ValueOf(DType::kFloat16, 0x0001), 0x1p-24L);
  EXPECT_EQ(ValueOf(DType::kFloat16, 0x0400), 0x1p-14L);
  EXPECT_EQ(ValueOf(DType::kFloat16, 0xfc00), -INFINITY);
  EXPECT_TRUE(std::isnan(ValueOf(DType::kFloat16, 0x7c01)));
  EXPECT_TRUE(std::signbit(ValueOf(DType::kFloat16, 0x8000)));
}

TEST(ValueOf, ReadsBFloat16) {
  EXPECT_EQ(ValueOf(DType::kBFloat16, 0x3f80), 1.0L);
  EXPECT_EQ(ValueOf(DType::kBFloat16, 0x4381), 258.0L);
  EXPECT_EQ(ValueOf(DType::kBFloat16, 0x0001), 0x1p-133L);
}

TEST(ValueOf, ReadsTheEndsOfTheIntegers) {
  EXPECT_EQ(ValueOf(DType::kInt8, 0x80), -128.0L);
  EXPECT_EQ(ValueOf(DType::kUint8, 0xff), 255.0L);
  EXPECT_EQ(ValueOf(DType::kInt64, uint64_t{1} << 63), -0x1p63L);
  EXPECT_EQ(ValueOf(DType::kInt64, (uint64_t{1} << 63) - 1), 0x1p63L - 1);
  EXPECT_EQ(ValueOf(DType::kUint64, ~uint64_t{0}), 0x1p64L - 1);
}

TEST(ValuesOf, ReadsElementsInOrder) {
  EXPECT_THAT(ValuesOf(MakeTensor<float>({2}, {0.1f, -3})),
              ElementsAre(0.1f, -3.0L));
  EXPECT_THAT(ValuesOf(MakeTensor<int16_t>({2}, {-1, 300})),
              ElementsAre(-1.0L, 300.0L));
}

TEST(Wrap, IsModuloTheTypesRange) {
  EXPECT_EQ(Wrap(DType::kInt32, 0x80000000), -0x1p31L);
  EXPECT_EQ(Wrap(DType::kInt32, 0x100000005), 5.0L);
  EXPECT_EQ(Wrap(DType::kUint8, 257), 1.0L);
}

TEST(Integers, HaveTheEndsOfTheirType) {
  EXPECT_EQ(SmallestInteger(DType::kInt8), -128.0L);
  EXPECT_EQ(LargestInteger(DType::kInt8), 127.0L);
  EXPECT_EQ(SmallestInteger(DType::kUint64), 0.0L);
  EXPECT_EQ(LargestInteger(DType::kUint64), 0x1p64L - 1);
}

TEST(Round, GoesToTheEvenOneOfTwo) {
  EXPECT_EQ(Round(kHalf, 2049), 2048.0L);
  EXPECT_EQ(Round(kHalf, 2051), 2052.0L);
  EXPECT_EQ(Round(kBrain, 257), 256.0L);
  EXPECT_EQ(Round(kBrain, 257.5L), 258.0L);
  EXPECT_EQ(Round(kBrain, 5000), 4992.0L);
  EXPECT_EQ(Round(kSingle, 16777217), 16777216.0L);
  EXPECT_EQ(Round(kDouble, 0x1p53L + 1), 0x1p53L);
}

TEST(Round, GoesOnceAndNotThroughAWiderFormat) {
  // Above the middle of 1 and the next float16, but at the middle in float32.
  EXPECT_EQ(Round(kHalf, 1 + 0x1p-11L + 0x1p-40L), 1 + 0x1p-10L);
}

TEST(Round, KeepsSubnormalsAndOverflowsToInfinity) {
  EXPECT_EQ(Round(kHalf, 0x1p-24L), 0x1p-24L);
  EXPECT_EQ(Round(kHalf, 0x1p-25L), 0.0L);
  EXPECT_EQ(Round(kHalf, 0x1.8p-25L), 0x1p-24L);
  EXPECT_EQ(Round(kHalf, 65519), 65504.0L);
  EXPECT_EQ(Round(kHalf, 65520), INFINITY);
  EXPECT_EQ(Round(kHalf, -65520), -INFINITY);
  EXPECT_EQ(Round(kDouble, 0x1p1024L), INFINITY);
  EXPECT_TRUE(std::isnan(Round(kSingle, NAN)));
}

}  // namespace
}  // namespace reductor::check
