// ReduceMax and ReduceMin at the edges, by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

ReduceSpec Max(std::vector<int64_t> axes) {
  return Onnx(Operator::kReduceMax, std::move(axes));
}
ReduceSpec Min(std::vector<int64_t> axes) {
  return Onnx(Operator::kReduceMin, std::move(axes));
}

template <class T>
bool IsNan(T x) {
  return Widen(x) != Widen(x);
}

// A NaN at every position of a row, of columns, and of a middle axis.
template <class T>
void ExpectNanFromEveryPosition() {
  for (const Operator op : {Operator::kReduceMax, Operator::kReduceMin}) {
    for (int64_t position = 0; position < 34; ++position) {
      std::vector<double> values(34, 1);
      values[position] = kNan;
      const std::vector<T> x = Narrowed<T>(values);
      EXPECT_TRUE(IsNan(Reduced(x, {34}, Onnx(op, {0}))[0])) << position;
      EXPECT_TRUE(IsNan(Reduced(x, {34, 1}, Onnx(op, {0}))[0])) << position;
      const std::vector<T> columns = Reduced(x, {17, 2}, Onnx(op, {0}));
      EXPECT_TRUE(IsNan(columns[position % 2])) << position;
      EXPECT_FALSE(IsNan(columns[1 - position % 2])) << position;
    }
  }
}

TEST(ReduceMax, PropagatesANanFromEveryPosition) {
  ExpectNanFromEveryPosition<float>();
  ExpectNanFromEveryPosition<double>();
  ExpectNanFromEveryPosition<Float16>();
  ExpectNanFromEveryPosition<BFloat16>();
}

TEST(ReduceMax, IsNanBesideInfinity) {
  EXPECT_TRUE(IsNan(Reduced<float>({kInf, kNan}, {2}, Max({0}))[0]));
  EXPECT_TRUE(IsNan(Reduced<float>({-kInf, -kNan}, {2}, Min({0}))[0]));
}

TEST(ReduceMax, IsNanOfSixteenWithNanLastAndOfSixteenNans) {
  std::vector<float> x(16, 1);
  x[15] = kNan;
  EXPECT_TRUE(IsNan(Reduced(x, {16}, Max({0}))[0]));
  x.assign(16, kNan);
  EXPECT_TRUE(IsNan(Reduced(x, {16}, Max({0}))[0]));
}

TEST(ReduceMax, PrefersPositiveZero) {
  for (const std::vector<float>& x :
       {std::vector<float>{0.0f, -0.0f}, {-0.0f, 0.0f}}) {
    EXPECT_FALSE(std::signbit(Reduced(x, {2}, Max({0}))[0]));
    EXPECT_TRUE(std::signbit(Reduced(x, {2}, Min({0}))[0]));
  }
}

// The bits order negative values the other way round; and sums of the elements
// overflow, or are NaN where no element is.
template <class T>
void ExpectExtremesOfLongRowsOfAnySigns(int64_t n) {
  const T inf = std::numeric_limits<T>::infinity();
  const T most = std::numeric_limits<T>::max();
  const struct {
    T others;
    T one;
    T largest;
    T smallest;
  } cases[] = {{1, 2, 2, 1},
               {-1, -2, -1, -2},
               {-1, 2, 2, -1},
               {1, -2, 1, -2},
               {-0.0, 0.0, 0.0, -0.0},
               {0.0, -0.0, 0.0, -0.0},
               {-inf, -1, -1, -inf},
               {inf, 1, inf, 1},
               {-1, -0.0, -0.0, -1},
               {inf, -inf, inf, -inf},
               {most, -inf, most, -inf},
               {-most, most, most, -most}};
  for (const auto& c : cases) {
    for (const int64_t position : {int64_t{0}, n / 2, n - 1}) {
      std::vector<T> x(n, c.others);
      x[position] = c.one;
      const T largest = Reduced(x, {n}, Max({0}))[0];
      const T smallest = Reduced(x, {n}, Min({0}))[0];
      EXPECT_EQ(largest, c.largest);
      EXPECT_EQ(std::signbit(largest), std::signbit(c.largest));
      EXPECT_EQ(smallest, c.smallest);
      EXPECT_EQ(std::signbit(smallest), std::signbit(c.smallest));
      for (const T nan : {T{kNan}, T{-kNan}}) {
        x[position] = nan;
        EXPECT_TRUE(IsNan(Reduced(x, {n}, Max({0}))[0]));
        EXPECT_TRUE(IsNan(Reduced(x, {n}, Min({0}))[0]));
      }
    }
  }
}

TEST(ReduceMax, FindsTheExtremesOfLongRowsOfAnySigns) {
  for (const int64_t n : {32, 64, 100, 1000, 5000}) {
    ExpectExtremesOfLongRowsOfAnySigns<float>(n);
    ExpectExtremesOfLongRowsOfAnySigns<double>(n);
  }
}

TEST(ReduceMax, TakesInfinitiesAsValues) {
  EXPECT_THAT(Reduced<float>({-kInf, -kInf}, {2}, Max({0})),
              ElementsAre(-kInf));
  EXPECT_THAT(Reduced<float>({-kInf, 3}, {2}, Max({0})), ElementsAre(3));
  EXPECT_THAT(Reduced<float>({kInf, kInf}, {2}, Min({0})), ElementsAre(kInf));
}

TEST(ReduceMax, TakesNoDetourThroughFloats) {
  EXPECT_THAT(Reduced<int32_t>({INT32_MAX, 1}, {2}, Max({0})),
              ElementsAre(INT32_MAX));
  EXPECT_THAT(Reduced<uint32_t>({UINT32_MAX, 1}, {2}, Max({0})),
              ElementsAre(UINT32_MAX));
  EXPECT_THAT(Reduced<int64_t>({INT64_MAX, INT64_MAX - 1}, {2}, Min({0})),
              ElementsAre(INT64_MAX - 1));
  EXPECT_THAT(Reduced<uint64_t>({UINT64_MAX, 1}, {2}, Min({0})),
              ElementsAre(1));
}

TEST(ReduceMax, OfNothingIsTheLowestValue) {
  EXPECT_THAT(Reduced<float>({}, {0, 2}, Max({0})), Each(-kInf));
  EXPECT_THAT(Widened(Reduced<BFloat16>({}, {0}, Max({0}))),
              ElementsAre(-kInf));
  EXPECT_THAT(Reduced<int8_t>({}, {0}, Max({0})), ElementsAre(-128));
  EXPECT_THAT(Reduced<uint64_t>({}, {0}, Max({0})), ElementsAre(0));
}

TEST(ReduceMin, OfNothingIsTheHighestValue) {
  EXPECT_THAT(Reduced<double>({}, {0}, Min({0})), ElementsAre(kInf));
  EXPECT_THAT(Reduced<int64_t>({}, {0}, Min({0})), ElementsAre(INT64_MAX));
  EXPECT_THAT(Reduced<uint8_t>({}, {0}, Min({0})), ElementsAre(255));
}

TEST(ReduceMax, IsOrOfBooleansAndMinIsAnd) {
  const auto reduced = [](std::vector<Bool> x, const ReduceSpec& spec) {
    const auto n = static_cast<int64_t>(x.size());
    return Reduced(x, {n}, spec)[0].byte;
  };
  EXPECT_EQ(reduced({{0}, {2}, {1}}, Max({0})), 1);
  EXPECT_EQ(reduced({{0}, {2}}, Min({0})), 0);
  EXPECT_EQ(reduced({{3}, {2}}, Min({0})), 1);
  EXPECT_EQ(reduced({}, Max({0})), 0);
  EXPECT_EQ(reduced({}, Min({0})), 1);
}

TEST(ReduceMax, LeavesTheTensorAloneWithNoop) {
  EXPECT_THAT(Reduced<float>({-1, kInf}, {2}, Noop(Operator::kReduceMax)),
              ElementsAre(-1, kInf));
  EXPECT_EQ(Reduced<Bool>({{7}}, {1}, Noop(Operator::kReduceMin))[0].byte, 1);
}

}  // namespace
}  // namespace reductor
