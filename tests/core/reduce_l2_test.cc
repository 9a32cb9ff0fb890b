// ReduceL2 at the edges, by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/shape.h"
#include "tests/core/slab_layout.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::SizeIs;

ReduceSpec L2(std::vector<int64_t> axes) {
  return Onnx(Operator::kReduceL2, std::move(axes));
}

TEST(ReduceL2, IsRightWhereSquaresLeaveTheType) {
  EXPECT_THAT(Widened(Reduced(Narrowed<Float16>({300, 400}), {2}, L2({0}))),
              ElementsAre(500));
  EXPECT_THAT(Reduced<float>({3e30f, 4e30f}, {2}, L2({0})), ElementsAre(5e30f));
  EXPECT_THAT(Reduced<float>({3e-30f, 4e-30f}, {2}, L2({0})),
              ElementsAre(5e-30f));
  EXPECT_THAT(Reduced<double>({0x3p900, 0x4p900}, {2}, L2({0})),
              ElementsAre(0x5p900));
  EXPECT_THAT(Reduced<double>({0x3p-1000, -0x4p-1000}, {2}, L2({0})),
              ElementsAre(0x5p-1000));
  EXPECT_THAT(Reduced<double>({0x3p480, 0x4p480}, {2}, L2({0})),
              ElementsAre(0x5p480));
  EXPECT_THAT(Reduced<double>({0x3p-481, 0x4p-481}, {2}, L2({0})),
              ElementsAre(0x5p-481));
  EXPECT_THAT(Reduced<double>({0x1p1000, 1, 0x1p-1000}, {3}, L2({0})),
              ElementsAre(0x1p1000));
}

// More of them than are gathered where they are cut, and the means beside them.
TEST(ReduceL2, OfSingleElementsIsTheirMagnitude) {
  constexpr int64_t kCount = 10'000;
  std::vector<double> x(kCount);
  std::vector<double> magnitudes(kCount);
  for (int64_t i = 0; i < kCount; ++i) {
    // From 2^-700 to 2^699, whose squares are beyond float64 at both ends.
    magnitudes[i] = std::ldexp(1 + i % 7, static_cast<int>(i % 1400) - 700);
    x[i] = i % 3 == 0 ? -magnitudes[i] : magnitudes[i];
  }
  ForEachTarget([&] {
    EXPECT_EQ(Reduced(x, {kCount, 1}, L2({1})), magnitudes);
    EXPECT_EQ(Reduced(x, {kCount, 1}, Onnx(Operator::kReduceMean, {1})), x);
  });
}

TEST(ReduceL2, PropagatesInfinityAndNan) {
  EXPECT_THAT(Reduced<double>({-kInf, 1, 1e-300}, {3}, L2({0})),
              ElementsAre(kInf));
  EXPECT_TRUE(std::isnan(Reduced<double>({kNan, kInf}, {2}, L2({0}))[0]));
  EXPECT_TRUE(std::isnan(Reduced<double>({kNan, 1e-300}, {2}, L2({0}))[0]));
}

TEST(ReduceL2, GivesTheIntegerPartOfTheExactRoot) {
  EXPECT_THAT(Reduced<int32_t>({3, 3}, {2}, L2({0})), ElementsAre(4));
  EXPECT_THAT(Reduced<int32_t>({65536, 65536}, {2}, L2({0})),
              ElementsAre(92681));
  EXPECT_THAT(Reduced<int32_t>({46341, 0}, {2}, L2({0})), ElementsAre(46341));
  EXPECT_THAT(Reduced<int64_t>({5149438430121834735, 0}, {2}, L2({0})),
              ElementsAre(5149438430121834735));
  // One below the square of 2k^2 + 1.
  EXPECT_THAT(Reduced<int64_t>({8'000'000'000'000'000'000, 4'000'000'000}, {2},
                               L2({0})),
              ElementsAre(8'000'000'000'000'000'000));
}

TEST(ReduceL2, GivesBackAnyUnsignedInteger) {
  const std::vector<uint64_t> any = {0,
                                     1,
                                     2,
                                     (uint64_t{1} << 53) + 1,
                                     (uint64_t{1} << 63) - 1,
                                     uint64_t{1} << 63,
                                     UINT64_MAX - 1,
                                     UINT64_MAX};
  EXPECT_THAT(Reduced<uint64_t>(any, {8}, Noop(Operator::kReduceL2)),
              ElementsAreArray(any));
}

TEST(ReduceL2, ClampsToTheLargestInteger) {
  EXPECT_THAT(Reduced<int32_t>({INT32_MIN}, {1}, L2({0})),
              ElementsAre(INT32_MAX));
  EXPECT_THAT(Reduced<uint64_t>({UINT64_MAX, UINT64_MAX}, {2}, L2({0})),
              ElementsAre(UINT64_MAX));
  EXPECT_THAT(
      Reduced<int8_t>({127, 127}, {2}, Openvino(Operator::kReduceL2, {0})),
      ElementsAre(127));
}

// Four of these squares make 2^64.
TEST(ReduceL2, ClampsWhereTheSumLeavesAWordInAnyShape) {
  ForEachTarget([] {
    for (const int64_t n : {4, 5, 8, 16, 17, 64, 1000, 5000}) {
      const auto expect_clamped = [n](const std::vector<int64_t>& shape,
                                      int64_t axis) {
        const int64_t elements = CountElements(shape, sizeof(int32_t)).value();
        const std::vector<int32_t> x(elements, INT32_MIN);
        EXPECT_THAT(Reduced<int32_t>(x, shape, L2({axis})),
                    AllOf(SizeIs(elements / n), Each(INT32_MAX)))
            << n;
      };
      expect_clamped({n}, 0);
      expect_clamped({3, n}, 1);
      expect_clamped({n, 3}, 0);
      expect_clamped({n, 100}, 0);
      expect_clamped({2, n, 5}, 1);
      expect_clamped({2, n, 100}, 1);
    }
  });
}

// Four of these squares make 2^128: each row stays below that, several do not.
TEST(ReduceL2, ClampsWhereTheSumLeavesTwoWordsInNests) {
  ForEachTarget([] {
    for (const int64_t rows : {2, 3, 16, 17}) {
      for (const int64_t cols : {2, 7, 9}) {
        const std::vector<int64_t> x(3 * rows * cols * 2, INT64_MIN);
        EXPECT_THAT(Reduced<int64_t>(x, {3, rows, cols, 2}, L2({1, 3})),
                    AllOf(SizeIs(3 * cols), Each(INT64_MAX)))
            << rows << " x " << cols;
      }
    }
  });
}

// Slabs whose columns' squares add up to what those of `elements` do: these lie
// anywhere in the column, among zeros. Expects `root` of each.
template <class T>
void ExpectRootInEachColumn(const std::vector<T>& elements, T root) {
  for (const SlabLayout& layout : {SlabLayout{5, 3, 1},
                                   {19, 2, 1},
                                   {21, 3, 1},
                                   {11, 4, 1},
                                   {19, 7, 1},
                                   {5, 8, 1},
                                   {21, 40, 1},
                                   {3, 9, 1},
                                   {2, 17, 1},
                                   {4, 66, 1},
                                   {2, 1000, 1},
                                   {1, 65'537, 1},
                                   {1, 3, 100},
                                   {1, 5, 1068},
                                   {1, 66, 3},
                                   {2, 172, 17},
                                   {1, 100, 100},
                                   {1, 2100, 40},
                                   {1, 8193, 3}}) {
    const auto count = static_cast<int64_t>(elements.size());
    if (layout.n < count) continue;
    std::vector<T> x(layout.elements());
    for (int64_t r = 0; r < layout.results(); ++r) {
      for (int64_t k = 0; k < count; ++k) {
        const int64_t row = (7 * r + k * (layout.n / count)) % layout.n;
        x[layout.At(r, row)] = elements[k];
      }
    }
    EXPECT_THAT(Reduced<T>(x, layout.shape(), L2({1})), Each(root))
        << layout.name();
  }
}

// The squares of 2 t^2 and 2 t are one less than that of 2 t^2 + 1, and those
// of y^2, 64 times, and 4 y than that of 8 y^2 + 1.
template <class T>
void ExpectExactRoots(T t, T y) {
  const auto minus = static_cast<T>(std::is_signed_v<T> ? -1 : 1);
  const T x = 2 * t * t;
  ExpectRootInEachColumn<T>({x, 2 * t}, x);
  ExpectRootInEachColumn<T>({minus * x, 2 * t, 1}, x + 1);

  std::vector<T> many(64, y * y);
  many[5] *= minus;
  many.push_back(4 * y);
  ExpectRootInEachColumn<T>(many, 8 * y * y);
  many.push_back(minus);
  ExpectRootInEachColumn<T>(many, 8 * y * y + 1);
}

TEST(ReduceL2, TakesSumsOfTwoWordsToTheLastUnit) {
  ForEachTarget([] {
    ExpectExactRoots<int64_t>(2'147'483'647, 1'073'741'823);
    ExpectExactRoots<int64_t>(2'000'000'011, 987'654'321);
    ExpectExactRoots<uint64_t>(3'037'000'499, 1'518'500'249);
    ExpectExactRoots<uint64_t>(2'147'483'647, 1'073'741'823);
  });
}

// Enough rows to fill vectors, and some left over: each has its own root.
TEST(ReduceL2, OfShortRowsOf64BitsIsEachRowsAndClamped) {
  constexpr int64_t kRows = 21;
  ForEachTarget([&] {
    for (const int64_t n : {2, 3, 4, 5, 8, 17, 40, 41}) {
      EXPECT_THAT(Reduced<int64_t>(std::vector<int64_t>(kRows * n, INT64_MIN),
                                   {kRows, n}, L2({1})),
                  AllOf(SizeIs(kRows), Each(INT64_MAX)));
      EXPECT_THAT(
          Reduced<uint64_t>(std::vector<uint64_t>(kRows * n, UINT64_MAX),
                            {kRows, n}, L2({1})),
          AllOf(SizeIs(kRows), Each(UINT64_MAX)));
      std::vector<uint64_t> x(kRows * n);
      std::vector<uint64_t> roots(kRows);
      for (int64_t r = 0; r < kRows; ++r) {
        roots[r] = (uint64_t{1} << 63) + static_cast<uint64_t>(r);
        x[r * n + r % n] = roots[r];
      }
      EXPECT_THAT(Reduced<uint64_t>(x, {kRows, n}, L2({1})),
                  ElementsAreArray(roots))
          << n;
    }
  });
}

// As many as a partial state takes, and more.
TEST(ReduceL2, HoldsTheSquaresOfManyRows) {
  ForEachTarget([] {
    for (const int64_t rows : {8192, 8193, 9000}) {
      const std::vector<uint8_t> largest(rows * 3, 255);
      EXPECT_THAT(Reduced<uint8_t>(largest, {rows, 3},
                                   Openvino(Operator::kReduceL2, {0})),
                  AllOf(SizeIs(3), Each(255)));
      const std::vector<int16_t> x(rows * 3, -64);
      // The integer part of 64 sqrt(rows).
      const int16_t root = rows == 9000 ? 6071 : 5792;
      EXPECT_THAT(
          Reduced<int16_t>(x, {rows, 3}, Openvino(Operator::kReduceL2, {0})),
          AllOf(SizeIs(3), Each(root)));
    }
  });
}

// Columns whose squares leave float64 beside such whose squares do not.
TEST(ReduceL2, IsRightInWideColumnsOfManyRows) {
  constexpr int64_t kRows = 64;
  constexpr int64_t kCols = 2100;
  for (const int64_t huge : {kCols, int64_t{0}, int64_t{300}, kCols - 1}) {
    std::vector<double> row(kCols, 3);
    std::vector<double> roots(kCols, 24);
    if (huge < kCols) {
      row[huge] = 0x1p700;
      roots[huge] = 0x1p703;
      row[(huge + 1) % kCols] = 0x1p-600;
      roots[(huge + 1) % kCols] = 0x1p-597;
    }
    std::vector<double> x;
    for (int64_t r = 0; r < kRows; ++r) {
      x.insert(x.end(), row.begin(), row.end());
    }
    EXPECT_TRUE(Reduced(x, {kRows, kCols}, L2({0})) == roots) << huge;
  }
}

TEST(ReduceL2, TakesAbsoluteValuesWithNoop) {
  EXPECT_THAT(Reduced<float>({-1e30f, 1e-30f}, {2}, Noop(Operator::kReduceL2)),
              ElementsAre(1e30f, 1e-30f));
  EXPECT_THAT(Reduced<double>({-1e300, 1e-300}, {2}, Noop(Operator::kReduceL2)),
              ElementsAre(1e300, 1e-300));
}

TEST(ReduceL2, LeavesNegativeValuesAloneForOpenvinoWithoutAxes) {
  EXPECT_THAT(Reduced<float>({-2, 3}, {2}, Openvino(Operator::kReduceL2, {})),
              ElementsAre(-2, 3));
}

}  // namespace
}  // namespace reductor
