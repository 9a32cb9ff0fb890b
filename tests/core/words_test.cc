// Words against the compiler's own integers of 128 bits.
#include "core/reducers/words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>

#include "tests/core/reference.h"
#include "tests/core/seeded_test.h"

namespace reductor {
namespace {

constexpr int64_t kMostCount = (int64_t{1} << 49) - 1;

Words<uint64_t> WordsOf(Unsigned128 x) {
  return {static_cast<uint64_t>(x), static_cast<uint64_t>(x >> 64)};
}

Words<int64_t> SignedWordsOf(Signed128 x) {
  return {static_cast<uint64_t>(x), static_cast<int64_t>(x >> 64)};
}

// Of any length up to that of the type.
uint64_t AnyWord(std::mt19937& rng) {
  const uint64_t bits = uint64_t{rng()} << 32 | rng();
  return bits >> rng() % 64;
}

TEST(Words, CarryIntoTheUpperOne) {
  const Words<int64_t> sum =
      Words<int64_t>{UINT64_MAX, -3} + Words<int64_t>{2, 1};
  EXPECT_EQ(sum.lower, 1);
  EXPECT_EQ(sum.upper, -1);
}

TEST(ToDouble, RoundsOnceToEven) {
  // 2^64 + 2^11 is a tie, whatever is added decides it.
  EXPECT_EQ(ToDouble(Words<int64_t>{1 << 11, 1}), 0x1p64);
  EXPECT_EQ(ToDouble(Words<int64_t>{(1 << 11) + 1, 1}), 0x1.0000000000001p64);
  EXPECT_EQ(ToDouble(Words<int64_t>{3 << 11, 1}), 0x1.0000000000002p64);
  EXPECT_EQ(ToDouble(Words<int64_t>{(3 << 11) - 1, 1}), 0x1.0000000000001p64);
  EXPECT_EQ(ToDouble(Words<int64_t>{UINT64_MAX, -1}), -1);
}

TEST(Divide, TruncatesTowardZero) {
  EXPECT_EQ(Divide(SignedWordsOf(-7), 2), uint64_t{0} - 3);
  EXPECT_EQ(Divide(SignedWordsOf(7), 2), 3);
  EXPECT_EQ(Divide(SignedWordsOf(-1), kMostCount), 0);
  EXPECT_EQ(Divide(Words<int64_t>{UINT64_MAX, 1}, 2), UINT64_MAX);
  EXPECT_EQ(Divide(Words<int64_t>{0, -1}, 2), uint64_t{1} << 63);
}

TEST(IntegerRoot, IsExactAtTheEdges) {
  EXPECT_EQ(IntegerRoot<uint64_t>(Digits{0, 0, 0, 0}), 0);
  EXPECT_EQ(IntegerRoot<uint64_t>(Digits{3, 0, 0, 0}), 1);
  EXPECT_EQ(IntegerRoot<uint64_t>(Digits{4, 0, 0, 0}), 2);
  EXPECT_EQ(IntegerRoot<uint64_t>(Digits{0, 0, 1, 0}), uint64_t{1} << 32);
  EXPECT_EQ(IntegerRoot<uint64_t>(Digits{UINT32_MAX, UINT32_MAX, 0, 0}),
            UINT32_MAX);
  EXPECT_EQ(IntegerRoot<uint64_t>(
                Digits{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}),
            UINT64_MAX);
  EXPECT_EQ(IntegerRoot(UINT64_MAX), UINT32_MAX);
  EXPECT_EQ(IntegerRoot(UINT32_MAX), UINT16_MAX);
}

TEST(IntegerRoot, IsTheLargestOfTheTypeWhereItIsMore) {
  constexpr uint64_t kLargestDigit = (uint64_t{1} << 52) - 1;
  const Digits largest = {kLargestDigit, kLargestDigit, kLargestDigit,
                          kLargestDigit};
  EXPECT_EQ(IntegerRoot<uint64_t>(largest), UINT64_MAX);
  EXPECT_EQ(IntegerRoot<int64_t>(largest), INT64_MAX);
  // 2^128, and 2^126, of which a signed type has the number before the root.
  EXPECT_EQ(IntegerRoot<uint64_t>(Digits{0, 0, 0, uint64_t{1} << 32}),
            UINT64_MAX);
  EXPECT_EQ(IntegerRoot<int64_t>(Digits{0, 0, 0, uint64_t{1} << 30}),
            INT64_MAX);
  EXPECT_EQ(IntegerRoot<uint64_t>(Digits{0, 0, 0, uint64_t{1} << 30}),
            uint64_t{1} << 63);
  // Roots of 2^64, 1.25 and 1.5 times as much, and far more.
  for (const uint64_t at96 :
       {(uint64_t{1} << 32) + 1, uint64_t{25} << 28, (uint64_t{25} << 28) + 1,
        uint64_t{9} << 30, uint64_t{1} << 34, uint64_t{1} << 51}) {
    EXPECT_EQ(IntegerRoot<uint64_t>(Digits{0, 0, 0, at96}), UINT64_MAX) << at96;
    EXPECT_EQ(IntegerRoot<int64_t>(Digits{0, 0, 0, at96 >> 2}), INT64_MAX)
        << at96;
  }
}

// The most that lower digits may carry into higher ones.
TEST(IntegerRoot, TakesDigitsOf52Bits) {
  constexpr uint64_t kLargestDigit = (uint64_t{1} << 52) - 1;
  // 2^116 - 1, and 2^84 + 2^52 - 2^32 - 1, which is less than (2^42 + 2^9)^2.
  EXPECT_EQ(
      IntegerRoot<int64_t>(Digits{UINT32_MAX, UINT32_MAX, kLargestDigit, 0}),
      (int64_t{1} << 58) - 1);
  EXPECT_EQ(IntegerRoot<int64_t>(Digits{kLargestDigit, kLargestDigit, 0, 0}),
            (int64_t{1} << 42) + 511);
}

TEST(IntegerRoot, IsExactAroundEverySquareOf32Bits) {
  for (uint32_t root = 1; root <= UINT16_MAX; ++root) {
    const uint32_t square = root * root;
    ASSERT_EQ(IntegerRoot(square), root);
    ASSERT_EQ(IntegerRoot(square - 1), root - 1);
    ASSERT_EQ(IntegerRoot(square + 2 * root), root);
  }
}

using AnyWords = SeededTest;

// What a sum of numbers of 32 bits each may have by their places.
Digits AnyDigitsOf(Unsigned128 x, std::mt19937& rng) {
  Digits d = DigitsOf(WordsOf(x));
  const auto move = [&rng](uint64_t& from, uint64_t& to) {
    const uint64_t moved = std::min<uint64_t>(from, rng() % (1 << 19));
    from -= moved;
    to += moved << 32;
  };
  move(d.at96, d.at64);
  move(d.at64, d.at32);
  move(d.at32, d.at0);
  return d;
}

TEST_F(AnyWords, HaveTheRootOfTheSquareBelow) {
  const auto root_of = [this](Unsigned128 x) {
    const auto root = IntegerRoot<uint64_t>(DigitsOf(WordsOf(x)));
    EXPECT_EQ(IntegerRoot<uint64_t>(AnyDigitsOf(x, rng_)), root);
    EXPECT_EQ(IntegerRoot<int64_t>(AnyDigitsOf(x, rng_)),
              std::min<uint64_t>(root, INT64_MAX));
    return root;
  };
  for (int i = 0; i < 100000; ++i) {
    const uint64_t root = AnyWord(rng_) | 1;
    const Unsigned128 square = Unsigned128{root} * root;
    ASSERT_EQ(root_of(square), root);
    ASSERT_EQ(root_of(square - 1), root - 1);
    ASSERT_EQ(root_of(square + 2 * Unsigned128{root}), root);
    ASSERT_EQ(root_of(square + root), root);
    ASSERT_EQ(root_of(square + root / 2), root);
    if (root >> 32 == 0) {
      const auto word = static_cast<uint64_t>(square);
      ASSERT_EQ(IntegerRoot(word), root);
      ASSERT_EQ(IntegerRoot(word - 1), root - 1);
      ASSERT_EQ(IntegerRoot(word + 2 * root), root);
    }
  }
}

TEST_F(AnyWords, RoundAsTheCompilerDoes) {
  for (int i = 0; i < 100000; ++i) {
    const auto upper = static_cast<int64_t>(AnyWord(rng_) >> 23);
    const Signed128 x = (Signed128{upper} << 64) + AnyWord(rng_);
    ASSERT_EQ(ToDouble(SignedWordsOf(x)), static_cast<double>(x));
    ASSERT_EQ(ToDouble(SignedWordsOf(-x)), static_cast<double>(-x));
    const uint64_t word = AnyWord(rng_);
    ASSERT_EQ(ToDouble(word), static_cast<double>(word));
    ASSERT_EQ(ToDouble(static_cast<int64_t>(0 - word)),
              static_cast<double>(static_cast<int64_t>(0 - word)));
  }
}

}  // namespace
}  // namespace reductor
