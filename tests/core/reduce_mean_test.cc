// ReduceMean at the edges, by hand, and of numbers whose sum is known beside
// the CPU's own division.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "tests/core/seeded_test.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

ReduceSpec Mean(std::vector<int64_t> axes) {
  return Onnx(Operator::kReduceMean, std::move(axes));
}

TEST(ReduceMean, TruncatesIntegersTowardZero) {
  EXPECT_THAT(Reduced<int32_t>({-7, 0}, {2}, Mean({0})), ElementsAre(-3));
  EXPECT_THAT(Reduced<int32_t>({-1, -2}, {2}, Mean({0})), ElementsAre(-1));
  EXPECT_THAT(Reduced<int32_t>({-2, 0, 0}, {3}, Mean({0})), ElementsAre(0));
  EXPECT_THAT(Reduced<uint32_t>({7, 0}, {2}, Mean({0})), ElementsAre(3));
}

TEST(ReduceMean, NeverWrapsIntegers) {
  EXPECT_THAT(Reduced<int32_t>({INT32_MAX, INT32_MAX}, {2}, Mean({0})),
              ElementsAre(INT32_MAX));
  EXPECT_THAT(
      Reduced<int64_t>({INT64_MAX, INT64_MAX, INT64_MAX}, {3}, Mean({0})),
      ElementsAre(INT64_MAX));
  EXPECT_THAT(Reduced<uint64_t>({UINT64_MAX, UINT64_MAX}, {2}, Mean({0})),
              ElementsAre(UINT64_MAX));
  EXPECT_THAT(Reduced<int64_t>({kBig, 2}, {2}, Mean({0})),
              ElementsAre((kBig + 2) / 2));
  EXPECT_THAT(
      Reduced<int8_t>({127, 127}, {2}, Openvino(Operator::kReduceMean, {0})),
      ElementsAre(127));
}

TEST(ReduceMean, DividesIntegersOfAnyNumber) {
  constexpr int64_t kCount = 600'000;
  const auto mean_of = [&](auto x, auto last) {
    std::vector<decltype(x)> elements(kCount, x);
    elements.back() = last;
    return Reduced<decltype(x)>(elements, {kCount}, Mean({0}));
  };
  EXPECT_THAT(mean_of(INT64_MIN, INT64_MIN), ElementsAre(INT64_MIN));
  EXPECT_THAT(mean_of(INT64_MAX, INT64_MAX - 1), ElementsAre(INT64_MAX - 1));
  EXPECT_THAT(mean_of(UINT64_MAX, UINT64_MAX), ElementsAre(UINT64_MAX));
  EXPECT_THAT(mean_of(INT32_MIN, INT32_MIN + 1), ElementsAre(INT32_MIN + 1));
  EXPECT_THAT(mean_of(UINT32_MAX, UINT32_MAX), ElementsAre(UINT32_MAX));
}

// Rows of the smallest, of the largest, and of 0, 2^40, 2 * 2^40 and so on, in
// turn: enough of them to fill vectors.
template <class T>
void ExpectMeansOfRows(int64_t n) {
  constexpr T kStep = T{1} << 40;
  constexpr int64_t kTurns = 7;
  std::vector<T> x;
  std::vector<T> means;
  for (int64_t turn = 0; turn < kTurns; ++turn) {
    x.insert(x.end(), n, std::numeric_limits<T>::lowest());
    x.insert(x.end(), n, std::numeric_limits<T>::max());
    for (int64_t i = 0; i < n; ++i) x.push_back(kStep * static_cast<T>(i));
    means.insert(means.end(), {std::numeric_limits<T>::lowest(),
                               std::numeric_limits<T>::max(),
                               kStep / 2 * static_cast<T>(n - 1)});
  }
  EXPECT_THAT(Reduced<T>(x, {3 * kTurns, n}, Mean({1})),
              ElementsAreArray(means))
      << n;
}

TEST(ReduceMean, DividesIntegersOf64BitsInRowsOfAnyLength) {
  ForEachTarget([] {
    for (const int64_t n :
         {2,  3,  4,  5,   6,    7,    8,    9,      12,     13,
          17, 20, 21, 100, 1024, 1025, 2717, 65'536, 65'537, 100'000}) {
      ExpectMeansOfRows<int64_t>(n);
      ExpectMeansOfRows<uint64_t>(n);
    }
  });
}

TEST(ReduceMean, DoesNotOverflowOnTheWay) {
  EXPECT_THAT(Reduced<float>({3e38f, 3e38f}, {2}, Mean({0})),
              ElementsAre(3e38f));
  EXPECT_THAT(Reduced<double>({1.5e308, 1.5e308}, {2}, Mean({0})),
              ElementsAre(1.5e308));
  EXPECT_THAT(
      Reduced<double>({1.5e308, 1.5e308, -1.5e308, -1.5e308}, {4}, Mean({0})),
      ElementsAre(0));
  EXPECT_THAT(Widened(Reduced(Narrowed<Float16>(std::vector<double>(5000, 20)),
                              {5000}, Mean({0}))),
              ElementsAre(20));
}

TEST(ReduceMean, CarriesWhatTheSumsOfNestsOverflow) {
  ForEachTarget([] {
    for (const int64_t rows : {2, 3, 16, 17}) {
      for (const int64_t cols : {1, 3, 4, 7, 9, 16, 21}) {
        // Pairs of elements, by their column, and their means.
        constexpr int64_t kPairs[][2] = {{INT64_MAX, INT64_MAX},
                                         {-1, -1},
                                         {INT64_MIN, INT64_MIN},
                                         {INT64_MAX, INT64_MIN}};
        constexpr int64_t kMeans[] = {INT64_MAX, -1, INT64_MIN, 0};
        std::vector<int64_t> x;
        for (int64_t row = 0; row < 3 * rows; ++row) {
          for (int64_t c = 0; c < cols; ++c) {
            x.insert(x.end(), {kPairs[c % 4][0], kPairs[c % 4][1]});
          }
        }
        std::vector<int64_t> means;
        for (int64_t i = 0; i < 3 * cols; ++i) {
          means.push_back(kMeans[i % cols % 4]);
        }
        EXPECT_THAT(Reduced<int64_t>(x, {3, rows, cols, 2}, Mean({1, 3})),
                    ElementsAreArray(means))
            << rows << " x " << cols;
      }
    }
  });
}

TEST(ReduceMean, KeepsTinyFloat64s) {
  EXPECT_THAT(Reduced<double>({0x1p-1070, 0x3p-1070}, {2}, Mean({0})),
              ElementsAre(0x2p-1070));
}

TEST(ReduceMean, PropagatesInfinityAndNan) {
  EXPECT_THAT(Reduced<double>({kInf, 1}, {2}, Mean({0})), ElementsAre(kInf));
  EXPECT_TRUE(std::isnan(Reduced<double>({kInf, -kInf}, {2}, Mean({0}))[0]));
  EXPECT_TRUE(std::isnan(Reduced<double>({kNan, 1}, {2}, Mean({0}))[0]));
}

TEST(ReduceMean, IsNanForNothingAndZeroForNoIntegers) {
  EXPECT_TRUE(std::isnan(Reduced<float>({}, {0}, Mean({}))[0]));
  EXPECT_TRUE(std::isnan(Reduced<double>({}, {0}, Mean({}))[0]));
  EXPECT_THAT(Reduced<int32_t>({}, {0}, Mean({})), ElementsAre(0));
  EXPECT_THAT(Reduced<float>({}, {2, 0}, Mean({0})), IsEmpty());
}

// Of columns and of rows, the first element of which is all there is.
class Quotients : public SeededTest {
 protected:
  template <class T, class Bits>
  void ExpectThoseOfDivisions(int64_t count) {
    constexpr int64_t kMeans = 200;
    std::vector<T> columns(count * kMeans);
    std::vector<T> rows(count * kMeans);
    std::vector<T> quotients;
    while (std::ssize(quotients) < kMeans) {
      const T x = std::bit_cast<T>(static_cast<Bits>(any_(rng_)));
      if (!std::isfinite(x)) continue;
      columns[quotients.size()] = x;
      rows[quotients.size() * count] = x;
      quotients.push_back(
          static_cast<T>(double{x} / static_cast<double>(count)));
    }
    EXPECT_THAT(Reduced(columns, {count, kMeans}, Mean({0})),
                ElementsAreArray(quotients));
    EXPECT_THAT(Reduced(rows, {kMeans, count}, Mean({1})),
                ElementsAreArray(quotients));
  }

 private:
  std::uniform_int_distribution<uint64_t> any_;
};

TEST_F(Quotients, AreRoundedOnceOnEveryInstructionSet) {
  ForEachTarget([this] {
    for (const int64_t count : {1, 2, 3, 5, 7, 10, 16, 17, 49, 100, 1021}) {
      SCOPED_TRACE(count);
      ExpectThoseOfDivisions<float, uint32_t>(count);
      ExpectThoseOfDivisions<double, uint64_t>(count);
    }
  });
}

// 1.5 of the smallest float64, to an even number of them.
TEST(ReduceMean, RoundsSubnormalFloat64sOnce) {
  ForEachTarget([] {
    std::vector<double> columns(10 * 40, 0);
    std::fill_n(columns.begin(), 40, 0xfp-1074);
    EXPECT_THAT(Reduced(columns, {10, 40}, Mean({0})), Each(0x2p-1074));
    std::vector<double> rows(40 * 10, 0);
    for (int64_t r = 0; r < 40; ++r) rows[r * 10] = 0xfp-1074;
    EXPECT_THAT(Reduced(rows, {40, 10}, Mean({1})), Each(0x2p-1074));
    EXPECT_THAT(Reduced(rows, {40, 10, 1}, Mean({1})), Each(0x2p-1074));
  });
}

// Of few rows and of several chains, by a power of two and by others.
TEST(ReduceMean, HandsInfinitiesNansAndZerosOnInEachColumn) {
  ForEachTarget([] {
    for (const int64_t rows : {2, 3, 4, 17, 32}) {
      SCOPED_TRACE(rows);
      constexpr int64_t kCols = 150;
      std::vector<float> x(rows * kCols, 3);
      float* const last = x.data() + (rows - 1) * kCols;
      x[0] = kInf;
      last[1] = -kInf;
      x[2] = kNan;
      x[3] = kInf;
      last[3] = -kInf;
      for (int64_t r = 0; r < rows; ++r) {
        x[r * kCols + 4] = -0.0f;
        x[r * kCols + 5] = 3e38f;
        x[r * kCols + 6] = 0x1p-149f;
      }
      const std::vector<float> means = Reduced(x, {rows, kCols}, Mean({0}));
      EXPECT_EQ(means[0], kInf);
      EXPECT_EQ(means[1], -kInf);
      EXPECT_TRUE(std::isnan(means[2]));
      EXPECT_TRUE(std::isnan(means[3]));
      EXPECT_EQ(std::bit_cast<uint32_t>(means[4]), 0);
      EXPECT_EQ(means[5], 3e38f);
      EXPECT_EQ(means[6], 0x1p-149f);
      EXPECT_THAT(std::vector(means.begin() + 7, means.end()), Each(3));
    }
  });
}

}  // namespace
}  // namespace reductor
