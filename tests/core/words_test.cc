// Words against the compiler's own integers of 128 bits.
#include "core/reducers/words.h"

#include <gtest/gtest.h>

#include <cstdint>

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

TEST(MagnitudeOf, NegatesAcrossWords) {
  const Words<uint64_t> of_2_64 = MagnitudeOf(Words<int64_t>{0, -1});
  EXPECT_EQ(of_2_64.lower, 0);
  EXPECT_EQ(of_2_64.upper, 1);
}

TEST(ToDouble, RoundsOnceToEven) {
  // 2^64 + 2^11 is a tie, whatever is added decides it.
  EXPECT_EQ(ToDouble(Words<int64_t>{1 << 11, 1}), 0x1p64);
  EXPECT_EQ(ToDouble(Words<int64_t>{(1 << 11) + 1, 1}), 0x1.0000000000001p64);
  EXPECT_EQ(ToDouble(Words<int64_t>{3 << 11, 1}), 0x1.0000000000002p64);
  EXPECT_EQ(ToDouble(Words<int64_t>{(3 << 11) - 1, 1}), 0x1.0000000000001p64);
  EXPECT_EQ(ToDouble(Words<int64_t>{UINT64_MAX, -1}), -1);
}

TEST(Divide, IsExactAtTheEdges) {
  EXPECT_EQ(Divide(WordsOf(Unsigned128{0}), 3), 0);
  EXPECT_EQ(Divide(WordsOf(Unsigned128{UINT64_MAX}), 1), UINT64_MAX);
  EXPECT_EQ(Divide({UINT64_MAX, 1}, 2), UINT64_MAX);
  EXPECT_EQ(Divide({UINT64_MAX - 1, 0}, 2), (uint64_t{1} << 63) - 1);
  const Unsigned128 most = Unsigned128{kMostCount} * UINT64_MAX;
  EXPECT_EQ(Divide(WordsOf(most), kMostCount), UINT64_MAX);
  EXPECT_EQ(Divide(WordsOf(most - 1), kMostCount), UINT64_MAX - 1);
}

TEST(Divide32, TruncatesTowardZero) {
  EXPECT_EQ(Divide32(int64_t{-7}, 2), -3);
  EXPECT_EQ(Divide32(int64_t{7}, 2), 3);
  EXPECT_EQ(Divide32(int64_t{-8}, 2), -4);
  EXPECT_EQ(Divide32(int64_t{-1}, kMostCount), 0);
  EXPECT_EQ(Divide32(INT64_MAX, int64_t{1} << 47), (1 << 16) - 1);
  EXPECT_EQ(Divide32(INT64_MIN, int64_t{1} << 47), -(1 << 16));
  EXPECT_EQ(Divide32(Words<int64_t>{UINT64_MAX, -1}, 2), 0);
  EXPECT_EQ(Divide32(SignedWordsOf(Signed128{kMostCount} * UINT32_MAX - 1),
                     kMostCount),
            UINT32_MAX - int64_t{1});
  EXPECT_EQ(Divide32(SignedWordsOf(Signed128{kMostCount} * INT32_MIN + 1),
                     kMostCount),
            INT32_MIN + int64_t{1});
}

TEST(IntegerRoot, IsExactAtTheEdges) {
  EXPECT_EQ(IntegerRoot({0, 0}), 0);
  EXPECT_EQ(IntegerRoot({3, 0}), 1);
  EXPECT_EQ(IntegerRoot({4, 0}), 2);
  EXPECT_EQ(IntegerRoot({0, 1}), uint64_t{1} << 32);
  EXPECT_EQ(IntegerRoot({UINT64_MAX, 0}), (uint64_t{1} << 32) - 1);
  EXPECT_EQ(IntegerRoot({UINT64_MAX, UINT64_MAX}), UINT64_MAX);
  EXPECT_EQ(IntegerRoot(UINT64_MAX), UINT32_MAX);
  EXPECT_EQ(IntegerRoot(UINT32_MAX), UINT16_MAX);
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

TEST_F(AnyWords, DivideWithWhatTheyLeave) {
  for (int i = 0; i < 100000; ++i) {
    const uint64_t quotient = AnyWord(rng_);
    const int64_t count = 1 + static_cast<int64_t>(AnyWord(rng_) >> 15);
    const int64_t lefts[] = {0, count - 1,
                             static_cast<int64_t>(rng_() % count)};
    for (const int64_t left : lefts) {
      const Unsigned128 x =
          Unsigned128{quotient} * static_cast<Unsigned128>(count) + left;
      ASSERT_EQ(Divide(WordsOf(x), count), quotient) << count;
    }
  }
}

TEST_F(AnyWords, DivideWithTheirSign) {
  for (int i = 0; i < 100000; ++i) {
    const auto quotient = static_cast<int64_t>(AnyWord(rng_) >> 32);
    const int64_t count = 1 + static_cast<int64_t>(AnyWord(rng_) >> 15);
    const auto left = static_cast<int64_t>(rng_() % count);
    const Signed128 x = Signed128{quotient} * count + left;
    ASSERT_EQ(Divide32(SignedWordsOf(x), count), quotient) << count;
    ASSERT_EQ(Divide32(SignedWordsOf(-x), count), -quotient) << count;
    if (x >> 63 == 0) {
      ASSERT_EQ(Divide32(static_cast<int64_t>(x), count), quotient) << count;
      ASSERT_EQ(Divide32(static_cast<int64_t>(-x), count), -quotient) << count;
    }
  }
}

TEST_F(AnyWords, HaveTheRootOfTheSquareBelow) {
  for (int i = 0; i < 100000; ++i) {
    const uint64_t root = AnyWord(rng_) | 1;
    const Unsigned128 square = Unsigned128{root} * root;
    ASSERT_EQ(IntegerRoot(WordsOf(square)), root);
    ASSERT_EQ(IntegerRoot(WordsOf(square - 1)), root - 1);
    ASSERT_EQ(IntegerRoot(WordsOf(square + 2 * Unsigned128{root})), root);
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
