// ReduceLogSum and ReduceLogSumExp at the edges, by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/core/targets.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::Pointwise;

constexpr Operator kLogSum = Operator::kReduceLogSum;
constexpr Operator kLogSumExp = Operator::kReduceLogSumExp;

template <class T>
double LogSumExpOf(const std::vector<double>& values) {
  const auto n = static_cast<int64_t>(values.size());
  return Widened(Reduced(Narrowed<T>(values), {n}, Onnx(kLogSumExp, {0})))[0];
}

TEST(ReduceLogSum, IsTheLogarithmOfTheSum) {
  EXPECT_THAT(Reduced<float>({1, 1.7182818f}, {2}, Onnx(kLogSum, {0})),
              Pointwise(testing::FloatEq(), {1.0f}));
  EXPECT_THAT(Reduced<float>({0, 0}, {2}, Onnx(kLogSum, {0})),
              ElementsAre(-kInf));
  EXPECT_TRUE(std::isnan(Reduced<float>({-1}, {1}, Onnx(kLogSum, {0}))[0]));
  EXPECT_TRUE(
      std::isnan(Reduced<float>({kInf, -kInf}, {2}, Onnx(kLogSum, {0}))[0]));
}

TEST(ReduceLogSum, OfNothingIsMinusInfinity) {
  EXPECT_THAT(Reduced<float>({}, {0}, Onnx(kLogSum, {})), ElementsAre(-kInf));
  EXPECT_THAT(Reduced<int32_t>({}, {0}, Onnx(kLogSum, 27, {})),
              ElementsAre(INT32_MIN));
  EXPECT_THAT(Reduced<uint32_t>({}, {0}, Onnx(kLogSum, 27, {})),
              ElementsAre(0));
}

TEST(ReduceLogSum, TruncatesIntegers) {
  EXPECT_THAT(Reduced<int32_t>({12, 8}, {2}, Onnx(kLogSum, 18, {0})),
              ElementsAre(2));
  EXPECT_THAT(Reduced<int32_t>({-1, 1}, {2}, Onnx(kLogSum, 18, {0})),
              ElementsAre(INT32_MIN));
  EXPECT_THAT(
      Reduced<uint64_t>({UINT64_MAX, UINT64_MAX}, {2}, Onnx(kLogSum, 18, {0})),
      ElementsAre(45));  // 65 ln 2 = 45.05
}

TEST(ReduceLogSum, TakesLogarithmsWithNoop) {
  EXPECT_THAT(Reduced<float>({1, 0}, {2}, Noop(kLogSum)),
              ElementsAre(0, -kInf));
}

TEST(ReduceLogSumExp, IsStable) {
  EXPECT_NEAR(LogSumExpOf<double>({1000, 1000}), 1000.6931471805599, 1e-12);
  EXPECT_NEAR(LogSumExpOf<double>({-1000, -1000}), -999.3068528194401, 1e-12);
  EXPECT_FLOAT_EQ(LogSumExpOf<float>({1000, 1000}), 1000.69315f);
  EXPECT_EQ(LogSumExpOf<Float16>({800, 800}), 800.5);
  EXPECT_EQ(LogSumExpOf<Float16>({-800, -800}), -799.5);
}

TEST(ReduceLogSumExp, KnowsEveryInfinity) {
  EXPECT_EQ(LogSumExpOf<float>({-kInf, 1}), 1);
  EXPECT_EQ(LogSumExpOf<float>({-kInf, -kInf}), -kInf);
  EXPECT_EQ(LogSumExpOf<float>({kInf, 1}), kInf);
  EXPECT_EQ(LogSumExpOf<float>({kInf, kInf}), kInf);
  EXPECT_EQ(LogSumExpOf<float>({kInf, -kInf}), kInf);
  EXPECT_EQ(LogSumExpOf<double>({-kInf, -kInf, -kInf}), -kInf);
}

TEST(ReduceLogSumExp, PropagatesANanFromEveryPosition) {
  for (int position = 0; position < 34; ++position) {
    std::vector<double> x(34, kInf);
    x[position] = kNan;
    EXPECT_TRUE(std::isnan(LogSumExpOf<float>(x))) << position;
    EXPECT_TRUE(std::isnan(Reduced(x, {34, 1}, Onnx(kLogSumExp, {0}))[0]))
        << position;
  }
}

// Each row has a largest element of its own, beside those of others.
TEST(ReduceLogSumExp, OfShortRowsAndColumnsKeepsTheirLargestApart) {
  const std::vector<double> x = {kInf,  -kInf, -kInf, -kInf, 700,  -700,
                                 -kInf, 5,     5,     kNan,  kInf, 0};
  EXPECT_THAT(
      Reduced(x, {6, 2}, Onnx(kLogSumExp, {1})),
      Pointwise(testing::NanSensitiveDoubleEq(),
                std::vector<double>{kInf, -kInf, 700.0, 5.0, kNan, kInf}));
  EXPECT_THAT(Reduced(x, {2, 3, 2}, Onnx(kLogSumExp, {1})),
              Pointwise(testing::NanSensitiveDoubleEq(),
                        std::vector<double>{kInf, -700.0, kInf, kNan}));
}

// A float16 row of 5,000 is several blocks, each of several tiles.
TEST(ReduceLogSumExp, OfLongRowsFindsOneLargeElementAnywhere) {
  for (const int64_t at : {0, 1023, 1024, 3000, 4095, 4096, 4999}) {
    std::vector<double> x(5000, -20000);
    x[at] = 12;
    EXPECT_EQ(LogSumExpOf<Float16>(x), 12) << at;
  }
  // log(4096) = 8.317766
  EXPECT_FLOAT_EQ(LogSumExpOf<float>(std::vector<double>(4096, -3)), 5.317766f);
}

// Blocks of it whose largest element is no number join with others.
template <class T>
void ExpectALongRowKnowsWhatIsNoNumber() {
  for (const int64_t at : {0, 5000, 200000, 299999}) {
    std::vector<double> x(300000, -kInf);
    EXPECT_EQ(LogSumExpOf<T>(x), -kInf);
    x[at] = 7;
    EXPECT_EQ(LogSumExpOf<T>(x), 7) << at;
    x[100000] = kInf;
    EXPECT_EQ(LogSumExpOf<T>(x), kInf) << at;
    x[at] = kNan;
    EXPECT_TRUE(std::isnan(LogSumExpOf<T>(x))) << at;
  }
}

TEST(ReduceLogSumExp, OfALongRowKnowsWhatIsNoNumberAnywhere) {
  ForEachTarget([] {
    ExpectALongRowKnowsWhatIsNoNumber<float>();
    ExpectALongRowKnowsWhatIsNoNumber<double>();
    ExpectALongRowKnowsWhatIsNoNumber<Float16>();
    ExpectALongRowKnowsWhatIsNoNumber<BFloat16>();
  });
}

// Rows of n equal elements, 300 of each length: short ones become results tile
// by tile, the others many at a time. log n is libm's.
template <class T>
void ExpectRowsAreApart() {
  for (const int64_t n : {1, 3, 8, 9, 16, 33, 64, 65, 100, 300, 1025}) {
    std::vector<double> x;
    std::vector<double> expected;
    for (int64_t r = 0; r < 300; ++r) {
      const double value = r * 7 % 50;
      x.insert(x.end(), n, value);
      const double sum = value + std::log(static_cast<double>(n));
      expected.push_back(kIsFloat<T> ? sum : std::floor(sum));
    }
    // Some that are no numbers, and some beside these.
    if constexpr (kIsFloat<T>) {
      x[11 * n - 1] = kInf;
      expected[10] = kInf;
      std::fill_n(x.begin() + 140 * n, n, -kInf);
      expected[140] = -kInf;
      x[299 * n] = kNan;
      expected[299] = kNan;
    }
    EXPECT_THAT(
        Widened(Reduced(Narrowed<T>(x), {300, n}, Onnx(kLogSumExp, 27, {1}))),
        Pointwise(testing::NanSensitiveDoubleEq(),
                  Widened(Narrowed<T>(expected))))
        << "rows of " << n;
  }
}

TEST(ReduceLogSumExp, OfManyRowsOfAnyLengthIsThatOfEach) {
  ForEachTarget([] {
    ExpectRowsAreApart<float>();
    ExpectRowsAreApart<double>();
    ExpectRowsAreApart<Float16>();
    ExpectRowsAreApart<BFloat16>();
    ExpectRowsAreApart<int32_t>();
    ExpectRowsAreApart<int64_t>();
  });
}

// Differences of 709 and more have no exponential left; that of 708 is 3e-308,
// which no sum with 1 shows.
TEST(ReduceLogSumExp, OfIntegersFarApartIsTheLargest) {
  EXPECT_THAT(Reduced<int64_t>({INT64_MAX, INT64_MIN, 0, -708, 0, -709}, {3, 2},
                               Onnx(kLogSumExp, 27, {1})),
              ElementsAre(INT64_MAX, 0, 0));
  EXPECT_THAT(Reduced<uint32_t>({UINT32_MAX, 0, 4, 3, 3, 3}, {2, 3},
                                Onnx(kLogSumExp, 27, {1})),
              ElementsAre(UINT32_MAX, 4));
  EXPECT_THAT(Reduced<int32_t>({3, 3, 3, 4, 3, 3, 3, 3}, {8},
                               Onnx(kLogSumExp, 27, {0})),
              ElementsAre(5));  // 3 + log(7 + e) = 5.27
}

// Ten of the largest, wherever they are, among many that are too far below to
// count: log 10 is 2.3.
TEST(ReduceLogSumExp, OfIntegersFindsTheFewThatCount) {
  constexpr int64_t kLargest = int64_t{1} << 40;
  const auto expect_two_more = [](int64_t outer, int64_t rows, int64_t cols) {
    std::vector<int64_t> x(outer * rows * cols, INT64_MIN);
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t c = 0; c < cols; ++c) {
        for (int64_t i = 0; i < 10; ++i) {
          const int64_t row = (c * 7 + i * (rows / 10)) % rows;
          x[(o * rows + row) * cols + c] = kLargest + o;
        }
      }
    }
    std::vector<int64_t> two_more;
    for (int64_t i = 0; i < outer * cols; ++i) {
      two_more.push_back(kLargest + i / cols + 2);
    }
    EXPECT_THAT(
        Reduced<int64_t>(x, {outer, rows, cols}, Onnx(kLogSumExp, 27, {1})),
        ElementsAreArray(two_more))
        << outer << " x " << rows << " x " << cols;
  };
  ForEachTarget([&] {
    for (const int64_t rows : {10, 20, 64, 100, 1000, 1500}) {
      for (const int64_t cols : {1, 2, 3, 7, 8, 20, 300}) {
        expect_two_more(4, rows, cols);
      }
    }
  });
}

TEST(ReduceLogSumExp, GivesOneElementItself) {
  EXPECT_THAT(Reduced<float>({-kInf, 0.1f, kInf}, {3}, Noop(kLogSumExp)),
              ElementsAre(-kInf, 0.1f, kInf));
  EXPECT_THAT(Reduced<uint32_t>({2, 3}, {2}, Noop(kLogSumExp, 27)),
              ElementsAre(2, 3));
  EXPECT_THAT(
      Reduced<int64_t>({INT64_MIN, INT64_MAX}, {2}, Noop(kLogSumExp, 27)),
      ElementsAre(INT64_MIN, INT64_MAX));
  EXPECT_THAT(Reduced<float>({7}, {}, Onnx(kLogSumExp, {})), ElementsAre(7));
}

TEST(ReduceLogSumExp, TruncatesIntegersTowardZero) {
  const auto of = [](std::vector<int32_t> x) {
    const auto n = static_cast<int64_t>(x.size());
    return Reduced(x, {n}, Onnx(kLogSumExp, 27, {0}))[0];
  };
  EXPECT_EQ(of({1, 1}), 1);
  EXPECT_EQ(of({-5, -5}), -4);
  EXPECT_EQ(of({1, 1, 1, 1}), 2);
  EXPECT_EQ(of({0, 0, -1, -1}), 1);
  EXPECT_EQ(of({-56, -46}), -45);
  EXPECT_EQ(of({10, 9, 9, 9, 9, 9, 9}), 11);
  EXPECT_EQ(of({INT32_MAX, INT32_MAX}), INT32_MAX);
  EXPECT_EQ(of({INT32_MIN, INT32_MAX}), INT32_MAX);
  EXPECT_EQ(of({-1, -1, -1, -1}), 0);
}

TEST(ReduceLogSumExp, OfNothingIsTheLowestValue) {
  EXPECT_EQ(LogSumExpOf<double>({}), -kInf);
  EXPECT_THAT(Reduced<int32_t>({}, {0}, Onnx(kLogSumExp, 27, {})),
              ElementsAre(INT32_MIN));
}

}  // namespace
}  // namespace reductor
