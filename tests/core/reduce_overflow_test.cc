// Means and L2 of float64 whose sums overflow or vanish somewhere: only there
// are they folded by more than one sum, and nobody sees where that is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "tests/core/targets.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

constexpr double kHuge = 0x1.8p1023;  // Two of them overflow.

ReduceSpec Mean(std::vector<int64_t> axes) {
  return Onnx(Operator::kReduceMean, std::move(axes));
}
ReduceSpec Sum(std::vector<int64_t> axes) {
  return Onnx(Operator::kReduceSum, std::move(axes));
}

// `outer` slabs of `rows` rows of `cols` ones, but for one column of one slab,
// in which all elements are `x`.
std::vector<double> OnesBut(double x, int64_t slab, int64_t col, int64_t outer,
                            int64_t rows, int64_t cols) {
  std::vector<double> elements(outer * rows * cols, 1);
  for (int64_t r = 0; r < rows; ++r) {
    elements[(slab * rows + r) * cols + col] = x;
  }
  return elements;
}

struct Slabs {
  int64_t outer;
  int64_t rows;
  int64_t cols;
};

// Rows, slabs, columns and strips of them, of one range and of many. Among the
// rows are some whose lanes are filled anew, a last time by one turn or more.
constexpr Slabs kSlabs[] = {
    {5, 2, 1},    {70, 9, 1},    {9000, 5, 1},  {3, 40000, 1}, {100, 8, 8},
    {9, 1056, 1}, {9, 1100, 1},  {9, 3135, 1},  {9, 4000, 1},  {9, 300, 3},
    {1, 9000, 7}, {2, 500, 200}, {1, 3, 9000},  {3, 40, 9000}, {1, 700, 2501},
    {9, 100, 2},  {40, 3, 13},   {7, 16, 1024}, {9, 20, 150},  {3, 40, 300}};

TEST(Float64Mean, OfHugeElementsIsTheirsAmongOthers) {
  ForEachTarget([] {
    for (const auto& [outer, rows, cols] : kSlabs) {
      const int64_t slab = outer / 2;
      const int64_t col = cols - 1;
      std::vector<double> means(outer * cols, 1);
      means[slab * cols + col] = kHuge;
      EXPECT_THAT(Reduced(OnesBut(kHuge, slab, col, outer, rows, cols),
                          {outer, rows, cols}, Mean({1})),
                  ElementsAreArray(means))
          << outer << " x " << rows << " x " << cols;
    }
  });
}

TEST(Float64Mean, IsInfiniteWhereAnElementIs) {
  for (const auto& [outer, rows, cols] : kSlabs) {
    std::vector<double> elements(outer * rows * cols, 1);
    elements.back() = -kInf;
    std::vector<double> means(outer * cols, 1);
    means.back() = -kInf;
    EXPECT_THAT(Reduced(elements, {outer, rows, cols}, Mean({1})),
                ElementsAreArray(means))
        << outer << " x " << rows << " x " << cols;
  }
}

TEST(Float64Mean, IsNanWhereAnElementIs) {
  for (const auto& [outer, rows, cols] : kSlabs) {
    std::vector<double> elements(outer * rows * cols, 1);
    elements.front() = kNan;
    const std::vector<double> means =
        Reduced(elements, {outer, rows, cols}, Mean({1}));
    EXPECT_TRUE(std::isnan(means[0]));
    EXPECT_THAT(std::vector<double>(means.begin() + 1, means.end()), Each(1));
  }
}

TEST(Float64L2, OfHugeTinyOrNoElementsIsTheirsAmongOthers) {
  ForEachTarget([] {
    for (const auto& [outer, rows, cols] : kSlabs) {
      const double root = std::sqrt(static_cast<double>(rows));
      const int64_t slab = outer / 2;
      const int64_t col = cols - 1;
      for (const double x : {0x1p1000, 0x1p-1000, 0.0}) {
        std::vector<double> norms(outer * cols, root);
        norms[slab * cols + col] = x * root;
        EXPECT_THAT(
            Reduced(OnesBut(x, slab, col, outer, rows, cols),
                    {outer, rows, cols}, Onnx(Operator::kReduceL2, {1})),
            ElementsAreArray(norms))
            << x << ": " << outer << " x " << rows << " x " << cols;
      }
    }
  });
}

// 3 * 2^-500 and 4 * 2^-500, in equal numbers, far from each other.
TEST(Float64L2, IsRightWhereRangesOfVanishingSquaresJoin) {
  std::vector<double> x(1 << 19, 0x3p-500);
  std::fill(x.begin() + (1 << 18), x.end(), 0x4p-500);
  const auto l2 = [&x] {
    return Reduced(x, {1 << 19}, Onnx(Operator::kReduceL2, {0}))[0];
  };
  EXPECT_EQ(l2(), 0x5p-491);
  x[0] = 1;
  EXPECT_EQ(l2(), 1);
  x[0] = 0x1p600;
  EXPECT_EQ(l2(), 0x1p600);
}

// Each range's sum is finite or not, and so is that of two.
TEST(Float64Mean, ComesBackFromInfinityBetweenRanges) {
  constexpr int64_t kCount = 200'000;
  std::vector<double> x(4 * kCount, 0x1p1000);
  std::fill(x.begin() + kCount, x.begin() + 2 * kCount, -0x1p1000);
  std::fill(x.begin() + 2 * kCount, x.begin() + 3 * kCount, 0x1p1022);
  std::fill(x.begin() + 3 * kCount, x.end(), -0x1p1022);
  EXPECT_THAT(Reduced(x, {4 * kCount}, Mean({0})), ElementsAre(0));
  x[0] += 0x1p1018;
  EXPECT_THAT(Reduced(x, {4 * kCount}, Mean({0})),
              ElementsAre(0x1p1018 / (4 * kCount)));
}

TEST(Float64Mean, OfNegativeZerosIsZero) {
  const std::vector<double> means =
      Reduced(std::vector<double>(30, -0.0), {3, 10}, Mean({1}));
  EXPECT_THAT(means, Each(0));
  EXPECT_FALSE(std::signbit(means[0]));
}

TEST(Float64Mean, IsTheSumDividedByTheCount) {
  for (const auto& [outer, rows, cols] : kSlabs) {
    std::vector<double> x(outer * rows * cols);
    for (size_t i = 0; i < x.size(); ++i) x[i] = 1.0 / (3 + i * 7919 % 1009);
    std::vector<double> means = Reduced(x, {outer, rows, cols}, Sum({1}));
    for (double& each : means) each /= static_cast<double>(rows);
    EXPECT_THAT(Reduced(x, {outer, rows, cols}, Mean({1})),
                ElementsAreArray(means))
        << outer << " x " << rows << " x " << cols;
  }
}

// Numbers of 53 digits between 1/2 and 1.
std::vector<double> Fractions(int64_t count) {
  std::mt19937_64 rng(11);
  std::uniform_real_distribution<double> fraction(0.5, 1);
  std::vector<double> x(count);
  for (double& each : x) each = fraction(rng);
  return x;
}

std::vector<double> Scaled(std::vector<double> x, double scale) {
  for (double& each : x) each *= scale;
  return x;
}

// By powers of two nothing is rounded otherwise, so that another order of the
// additions shows.
TEST(Float64Mean, OfHugeElementsIsRoundedAsThatOfSmallOnes) {
  ForEachTarget([] {
    for (const auto& [outer, rows, cols] : kSlabs) {
      const std::vector<double> x = Fractions(outer * rows * cols);
      const std::vector<int64_t> shape = {outer, rows, cols};
      EXPECT_THAT(
          Reduced(Scaled(x, 0x1p1023), shape, Mean({1})),
          ElementsAreArray(Scaled(Reduced(x, shape, Mean({1})), 0x1p1023)))
          << outer << " x " << rows << " x " << cols;
    }
  });
}

TEST(Float64L2, OfHugeAndTinyElementsIsRoundedAsThatOfOthers) {
  const ReduceSpec l2 = Onnx(Operator::kReduceL2, {1});
  ForEachTarget([&l2] {
    for (const auto& [outer, rows, cols] : kSlabs) {
      const std::vector<double> x = Fractions(outer * rows * cols);
      const std::vector<int64_t> shape = {outer, rows, cols};
      for (const double scale : {0x1p700, 0x1p-700}) {
        EXPECT_THAT(Reduced(Scaled(x, scale), shape, l2),
                    ElementsAreArray(Scaled(Reduced(x, shape, l2), scale)))
            << scale << ": " << outer << " x " << rows << " x " << cols;
      }
    }
  });
}

}  // namespace
}  // namespace reductor
