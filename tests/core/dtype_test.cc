#include "core/dtype.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/ordered.h"

namespace reductor {
namespace {

TEST(DType, KnowsItsNamesAndSizes) {
  EXPECT_EQ(NameOf(DType::kFloat32), "float32");
  EXPECT_EQ(SizeOf(DType::kFloat32), 4);
  EXPECT_EQ(NameOf(DType::kBFloat16), "bfloat16");
  EXPECT_EQ(SizeOf(DType::kBFloat16), 2);
  EXPECT_EQ(NameOf(DType::kUint64), "uint64");
  EXPECT_EQ(SizeOf(DType::kUint64), 8);
  EXPECT_EQ(NameOf(DType::kBool), "bool");
  EXPECT_EQ(SizeOf(DType::kBool), 1);
}

TEST(DType, IsKnownOnlyWhereTheListNamesIt) {
  EXPECT_FALSE(IsKnown(DType::kUnspecified));
  EXPECT_FALSE(IsKnown(static_cast<DType>(-1)));
  EXPECT_FALSE(IsKnown(static_cast<DType>(14)));
  for (const DType dtype : kDTypes) EXPECT_TRUE(IsKnown(dtype));
}

TEST(Float16, WidensToTheValueOfItsBits) {
  EXPECT_EQ(Widen(Float16{0x0000}), 0.0f);
  EXPECT_TRUE(std::signbit(Widen(Float16{0x8000})));
  EXPECT_EQ(Widen(Float16{0x3c00}), 1.0f);
  EXPECT_EQ(Widen(Float16{0xc000}), -2.0f);
  EXPECT_EQ(Widen(Float16{0x3555}), 0.333251953125f);
  EXPECT_EQ(Widen(Float16{0x7bff}), 65504.0f);
  EXPECT_EQ(Widen(Float16{0x0400}), 0x1p-14f);    // The smallest normal,
  EXPECT_EQ(Widen(Float16{0x03ff}), 0x3ffp-24f);  // the largest subnormal,
  EXPECT_EQ(Widen(Float16{0x0001}), 0x1p-24f);    // and the smallest.
  EXPECT_EQ(Widen(Float16{0x7c00}), std::numeric_limits<float>::infinity());
  EXPECT_EQ(Widen(Float16{0xfc00}), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(Widen(Float16{0x7e00})));
  EXPECT_TRUE(std::isnan(Widen(Float16{0x7c01})));
}

TEST(Float16, WidensEveryFiniteNumber) {
  for (int bits = 0; bits < 0x7c00; ++bits) {
    const int exponent = bits >> 10;
    const int digits = exponent == 0 ? bits : (bits & 0x3ff) + 0x400;
    const float value =
        std::ldexp(static_cast<float>(digits), std::max(exponent, 1) - 25);
    EXPECT_EQ(Widen(Float16{static_cast<uint16_t>(bits)}), value) << bits;
    EXPECT_EQ(Widen(Float16{static_cast<uint16_t>(bits | 0x8000)}), -value);
  }
}

TEST(BFloat16, WidensToTheValueOfItsBits) {
  EXPECT_EQ(Widen(BFloat16{0x3f80}), 1.0f);
  EXPECT_EQ(Widen(BFloat16{0xc3a8}), -336.0f);
  EXPECT_EQ(Widen(BFloat16{0x0001}), 0x1p-133f);
  EXPECT_EQ(Widen(BFloat16{0x7f80}), std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(Widen(BFloat16{0x7fc0})));
}

TEST(Float16, KeepsEveryValueWhenNarrowedBack) {
  for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const Float16 x{static_cast<uint16_t>(bits)};
    if (std::isnan(Widen(x))) {
      ASSERT_TRUE(std::isnan(Widen(Narrow<Float16>(Widen(x))))) << bits;
    } else {
      ASSERT_EQ(Narrow<Float16>(Widen(x)).bits, x.bits);
    }
  }
}

TEST(BFloat16, KeepsEveryValueWhenNarrowedBack) {
  for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const BFloat16 x{static_cast<uint16_t>(bits)};
    if (std::isnan(Widen(x))) {
      ASSERT_TRUE(std::isnan(Widen(Narrow<BFloat16>(Widen(x))))) << bits;
    } else {
      ASSERT_EQ(Narrow<BFloat16>(Widen(x)).bits, x.bits);
    }
  }
}

// What lies half way between two neighbours, and the float64s beside that; the
// last of the neighbours is infinity, which stands for the next power of two.
template <class T>
void ExpectToNarrowToTheNearest() {
  for (uint16_t bits = 0; bits < kInfinityBits<T>; ++bits) {
    const auto next_bits = static_cast<uint16_t>(bits + 1);
    const double value = Widen(T{bits});
    const double next =
        next_bits == kInfinityBits<T>
            ? 2 * value - Widen(T{static_cast<uint16_t>(bits - 1)})
            : Widen(T{next_bits});
    const double half_way = (value + next) / 2;
    const uint16_t even = bits % 2 == 0 ? bits : next_bits;
    const auto expect = [](double x, uint16_t expected) {
      ASSERT_EQ(Narrow<T>(x).bits, expected) << x;
      ASSERT_EQ(Narrow<T>(-x).bits, expected | 0x8000) << -x;
    };
    expect(std::nextafter(half_way, 0), bits);
    expect(half_way, even);
    expect(std::nextafter(half_way, 1e300), next_bits);
  }
}

TEST(Float16, NarrowsToTheNearestOfAllNeighbours) {
  ExpectToNarrowToTheNearest<Float16>();
}

TEST(BFloat16, NarrowsToTheNearestOfAllNeighbours) {
  ExpectToNarrowToTheNearest<BFloat16>();
}

TEST(Float16, NarrowsToTheNearestTiesToEven) {
  const auto narrowed = [](double x) { return Widen(Narrow<Float16>(x)); };
  EXPECT_EQ(narrowed(2049.0), 2048.0f);
  EXPECT_EQ(narrowed(2051.0), 2052.0f);
  EXPECT_EQ(narrowed(2049.0000001), 2050.0f);
  EXPECT_EQ(narrowed(-2049.0000001), -2050.0f);
  EXPECT_EQ(narrowed(0x1p-25), 0.0f);
  EXPECT_EQ(narrowed(0x1.000001p-25), 0x1p-24f);
  EXPECT_EQ(narrowed(0x1.8p-24), 0x1p-23f);
  EXPECT_EQ(narrowed(1e-300), 0.0f);
  // Half way between the largest subnormal and the smallest normal.
  EXPECT_EQ(narrowed(0x1.ffep-15), 0x1p-14f);
}

TEST(Float16, NarrowsToInfinityFromHalfAnUlpAboveTheLargest) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(Widen(Narrow<Float16>(65519.999)), 65504.0f);
  EXPECT_EQ(Widen(Narrow<Float16>(65520.0)), infinity);
  EXPECT_EQ(Widen(Narrow<Float16>(-1e300)), -infinity);
}

TEST(BFloat16, NarrowsOnceAndNotThroughFloat32) {
  const auto narrowed = [](double x) { return Widen(Narrow<BFloat16>(x)); };
  EXPECT_EQ(narrowed(257.0), 256.0f);
  EXPECT_EQ(narrowed(259.0), 260.0f);
  // Float32 would drop the last bit and make a tie of it.
  EXPECT_EQ(narrowed(257.0 + 0x1p-40), 258.0f);
  EXPECT_EQ(narrowed(5000.0), 4992.0f);
  EXPECT_EQ(narrowed(3.39e38), 0x1.fep127f);
  EXPECT_EQ(narrowed(3.4e39), std::numeric_limits<float>::infinity());
}

TEST(Narrow, MakesEveryNanTheOneQuietNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double payload = std::bit_cast<double>(0xfff8'0000'dead'beef);
  for (const double x : {nan, -nan, payload}) {
    EXPECT_EQ(Narrow<Float16>(x).bits, 0x7e00);
    EXPECT_EQ(Narrow<BFloat16>(x).bits, 0x7fc0);
    EXPECT_EQ(std::bit_cast<uint32_t>(Narrow<float>(x)), 0x7fc00000u);
    EXPECT_EQ(std::bit_cast<uint64_t>(Narrow<double>(x)), 0x7ff8000000000000u);
  }
}

TEST(Bool, IsTrueForAnyByteButZero) {
  EXPECT_FALSE(Widen(Bool{0}));
  EXPECT_TRUE(Widen(Bool{1}));
  EXPECT_TRUE(Widen(Bool{2}));
  EXPECT_EQ(Narrow<Bool>(true).byte, 1);
}

}  // namespace
}  // namespace reductor
