#include "core/ordered.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace reductor {
namespace {

template <class T>
void ExpectAscending(const std::vector<double>& values) {
  for (size_t i = 1; i < values.size(); ++i) {
    const T lower = Narrow<T>(values[i - 1]);
    const T upper = Narrow<T>(values[i]);
    EXPECT_LT(KeyOf<NanPlace::kHighest>(lower),
              KeyOf<NanPlace::kHighest>(upper))
        << values[i - 1] << " and " << values[i];
    EXPECT_LT(KeyOf<NanPlace::kLowest>(lower), KeyOf<NanPlace::kLowest>(upper))
        << values[i - 1] << " and " << values[i];
  }
}

TEST(KeyOf, OrdersFloatsAsTheirValuesWithNanAtTheEndThatIsAskedFor) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> ascending = {-inf, -3, -0.5, -0.0, 0, 0.5, 3, inf};
  ExpectAscending<float>(ascending);
  ExpectAscending<double>(ascending);
  ExpectAscending<Float16>(ascending);
  ExpectAscending<BFloat16>(ascending);
  for (const double either : {nan, -nan}) {
    EXPECT_GT(KeyOf<NanPlace::kHighest>(static_cast<float>(either)),
              KeyOf<NanPlace::kHighest>(static_cast<float>(inf)));
    EXPECT_LT(KeyOf<NanPlace::kLowest>(static_cast<float>(either)),
              KeyOf<NanPlace::kLowest>(static_cast<float>(-inf)));
  }
}

TEST(KeyOf, IsTheValueOfAnInteger) {
  EXPECT_EQ(KeyOf<NanPlace::kHighest>(int8_t{-128}), -128);
  EXPECT_EQ(KeyOf<NanPlace::kHighest>(UINT64_MAX), UINT64_MAX);
}

TEST(KeyOf, IsTheByteOfABoolAndAnyButZeroIsTrueAgain) {
  EXPECT_EQ(KeyOf<NanPlace::kHighest>(Bool{7}), 7);
  EXPECT_EQ((FromKey<NanPlace::kHighest, Bool>(0).byte), 0);
  EXPECT_EQ((FromKey<NanPlace::kHighest, Bool>(7).byte), 1);
  EXPECT_EQ((FromKey<NanPlace::kLowest, Bool>(255).byte), 1);
}

template <class T>
void ExpectAsValues() {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double least = std::is_same_v<T, Float16> ? 0x1p-24 : 0x1p-133;
  const auto highest = [](double x) {
    return KeyOfValue<NanPlace::kHighest>(Narrow<T>(x));
  };
  const auto lowest = [](double x) {
    return KeyOfValue<NanPlace::kLowest>(Narrow<T>(x));
  };
  const std::vector<double> ascending = {-inf,  -3,  -0.5, -least, 0,
                                         least, 0.5, 3,    inf};
  for (size_t i = 1; i < ascending.size(); ++i) {
    EXPECT_LT(highest(ascending[i - 1]), highest(ascending[i]));
    EXPECT_LT(lowest(ascending[i - 1]), lowest(ascending[i]));
  }
  EXPECT_EQ(highest(-0.0), highest(0));
  EXPECT_EQ(lowest(-0.0), lowest(0));
  EXPECT_GT(highest(nan), highest(inf));
  EXPECT_LT(lowest(nan), lowest(-inf));
  // Narrow() makes one NaN of all.
  const T negative_nan = std::bit_cast<T>(static_cast<Key<T>>(-1));
  EXPECT_EQ(KeyOfValue<NanPlace::kHighest>(negative_nan), highest(nan));
  EXPECT_EQ(KeyOfValue<NanPlace::kLowest>(negative_nan), lowest(nan));
}

TEST(KeyOfValue, IsTheSameOfBothZerosAndOfAllNans) {
  ExpectAsValues<float>();
  ExpectAsValues<double>();
  ExpectAsValues<Float16>();
  ExpectAsValues<BFloat16>();
  // Of other bits than the quiet ones.
  EXPECT_EQ(KeyOfValue<NanPlace::kHighest>(Float16{0x7c01}),
            KeyOfValue<NanPlace::kHighest>(Float16{0xffff}));
  EXPECT_EQ(KeyOfValue<NanPlace::kLowest>(BFloat16{0x7f81}),
            KeyOfValue<NanPlace::kLowest>(BFloat16{0xffff}));
}

template <NanPlace kNan>
void ExpectBack() {
  for (const float x : {-2.5f, -0.0f, 0.0f, 1e-45f, 3e38f}) {
    const float back = FromKey<kNan, float>(KeyOf<kNan>(x));
    EXPECT_EQ(back, x);
    EXPECT_EQ(std::signbit(back), std::signbit(x));
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(FromKey<kNan, double>(KeyOf<kNan>(nan))));
  EXPECT_TRUE(std::isnan(FromKey<kNan, double>(KeyOf<kNan>(-nan))));
}

TEST(FromKey, GivesTheElementBack) {
  ExpectBack<NanPlace::kHighest>();
  ExpectBack<NanPlace::kLowest>();
  EXPECT_EQ((FromKey<NanPlace::kLowest, int16_t>(int16_t{-7})), -7);
}

}  // namespace
}  // namespace reductor
