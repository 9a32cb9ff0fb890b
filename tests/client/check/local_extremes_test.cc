// ReduceMax, ReduceMin and the logical operators of `reductor check`.
#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "tests/client/check/is_right.h"

namespace reductor::check {
namespace {

using enum Operator;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr Bool kFalse = {0};
constexpr Bool kTrue = {1};

TEST(LocalExtremes, AreNanWhereverANanStands) {
  for (const Operator op : {kReduceMax, kReduceMin}) {
    for (size_t place = 0; place < 34; ++place) {
      std::vector<float> elements(34, 1.0f);
      elements[place] = kNan;
      EXPECT_TRUE(IsRight(op, elements, kNan)) << NameOf(op) << place;
      EXPECT_FALSE(IsRight(op, elements, 1.0f)) << NameOf(op) << place;
    }
  }
}

TEST(LocalExtremes, OrderTheZeros) {
  EXPECT_TRUE(IsRight(kReduceMax, {0.0f, -0.0f}, 0.0f));
  EXPECT_TRUE(IsRight(kReduceMax, {-0.0f, 0.0f}, 0.0f));
  EXPECT_FALSE(IsRight(kReduceMax, {0.0f, -0.0f}, -0.0f));
  EXPECT_TRUE(IsRight(kReduceMin, {0.0f, -0.0f}, -0.0f));
  EXPECT_TRUE(IsRight(kReduceMin, {-0.0f, 0.0f}, -0.0f));
  EXPECT_FALSE(IsRight(kReduceMin, {-0.0f, 0.0f}, 0.0f));
  EXPECT_FALSE(IsRight(kReduceMax, {-0.0f, -0.0f}, 0.0f));
}

TEST(LocalExtremes, CompareIntegersExactly) {
  EXPECT_TRUE(IsOnlyRight<int32_t>(kReduceMax, {2147483646, 1}, 2147483646));
  EXPECT_TRUE(IsRight<uint32_t>(kReduceMax, {4294967295, 1}, 4294967295));
  EXPECT_TRUE(IsOnlyRight<int64_t>(kReduceMax, {1ll << 60, (1ll << 60) + 1},
                                   (1ll << 60) + 1));
  EXPECT_TRUE(IsRight<int8_t>(kReduceMin, {-128, 127}, -128));
}

TEST(LocalExtremes, OfNothingAreTheEndsOfTheType) {
  EXPECT_TRUE(IsRight<float>(kReduceMax, {}, -kInf));
  EXPECT_TRUE(IsRight<float>(kReduceMin, {}, kInf));
  EXPECT_TRUE(IsRight<int8_t>(kReduceMax, {}, -128));
  EXPECT_TRUE(IsRight<int8_t>(kReduceMin, {}, 127));
  EXPECT_TRUE(IsRight<uint64_t>(kReduceMax, {}, 0));
  EXPECT_TRUE(IsRight<uint64_t>(kReduceMin, {}, ~uint64_t{0}));
  EXPECT_TRUE(IsRight<Bool>(kReduceMax, {}, kFalse));
  EXPECT_TRUE(IsRight<Bool>(kReduceMin, {}, kTrue));
}

TEST(LocalExtremes, TakeAnyByteButZeroForTrueAndLetNoneThrough) {
  EXPECT_TRUE(IsRight<Bool>(kReduceMax, {Bool{2}, kTrue}, kTrue));
  EXPECT_FALSE(IsRight<Bool>(kReduceMax, {Bool{2}, kTrue}, Bool{2}));
  EXPECT_TRUE(IsRight<Bool>(kReduceMin, {Bool{2}, Bool{4}}, kTrue));
  EXPECT_TRUE(IsRight<Bool>(kReduceMin, {Bool{2}, kFalse}, kFalse));
}

TEST(LocalLogical, IsAllOrAny) {
  EXPECT_TRUE(IsRight<Bool>(kReduceLogicalAnd, {kTrue, Bool{255}}, kTrue));
  EXPECT_TRUE(IsRight<Bool>(kReduceLogicalAnd, {kTrue, kFalse}, kFalse));
  EXPECT_TRUE(IsRight<Bool>(kReduceLogicalAnd, {}, kTrue));
  EXPECT_TRUE(IsRight<Bool>(kReduceLogicalOr, {kFalse, Bool{128}}, kTrue));
  EXPECT_TRUE(IsRight<Bool>(kReduceLogicalOr, {kFalse, kFalse}, kFalse));
  EXPECT_TRUE(IsRight<Bool>(kReduceLogicalOr, {}, kFalse));
}

TEST(LocalLogical, KnowsBoolsAlone) {
  EXPECT_NE(FindLocalFunction(kReduceLogicalAnd, DType::kBool), nullptr);
  EXPECT_EQ(FindLocalFunction(kReduceLogicalAnd, DType::kUint8), nullptr);
  EXPECT_EQ(FindLocalFunction(kReduceLogicalAnd, DType::kFloat32), nullptr);
}

}  // namespace
}  // namespace reductor::check
