// Long rows and many rows of columns, which loops whose order does not count
// may walk as four quarters: none of their elements is lost, nor taken twice.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/plan.h"
#include "tests/core/positions.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

// Rows of all remainders beside turns of some elements, and of no quarter.
std::vector<int64_t> RowLengths() {
  return {2047, 2048, 4095, 4096, 4100, 8192, 8231, 16384, 20011, 70001};
}

// The ends of a row, and of its quarters.
std::vector<int64_t> PlacesIn(int64_t n) {
  const int64_t quarter = n / 4;
  return {0,
          1,
          quarter - 1,
          quarter,
          quarter + 1,
          2 * quarter,
          3 * quarter - 1,
          3 * quarter,
          n - 40,
          n - 2,
          n - 1};
}

template <class T>
void ExpectTheOneOfALongRow(Operator op, double others, double one) {
  for (const int64_t n : RowLengths()) {
    std::vector<T> x(n, Narrow<T>(others));
    for (const int64_t place : PlacesIn(n)) {
      SCOPED_TRACE(testing::Message() << place << " of " << n);
      x[place] = Narrow<T>(one);
      EXPECT_TRUE(AreSame(Reduced(x, {n}, Onnx(op, {0})), {Narrow<T>(one)}));
      x[place] = Narrow<T>(others);
    }
  }
}

TEST(ReduceMax, FindsTheOneLargestOfALongRow) {
  ForEachTarget([] {
    const auto max = Operator::kReduceMax;
    ExpectTheOneOfALongRow<float>(max, -3, 2);
    ExpectTheOneOfALongRow<float>(max, -3, -0.0);
    ExpectTheOneOfALongRow<float>(max, kInf, kNan);
    ExpectTheOneOfALongRow<double>(max, -3, 2);
    ExpectTheOneOfALongRow<double>(max, -3, kNan);
    ExpectTheOneOfALongRow<Float16>(max, -3, 2);
    ExpectTheOneOfALongRow<int8_t>(max, -3, 2);
    ExpectTheOneOfALongRow<BFloat16>(max, -3, 2);
    ExpectTheOneOfALongRow<int32_t>(max, -3, 2);
    ExpectTheOneOfALongRow<int64_t>(max, -3, 2);
    ExpectTheOneOfALongRow<uint64_t>(max, 3, 1e18);
  });
}

TEST(ReduceMin, FindsTheOneSmallestOfALongRow) {
  ForEachTarget([] {
    const auto min = Operator::kReduceMin;
    ExpectTheOneOfALongRow<float>(min, 3, 2);
    ExpectTheOneOfALongRow<double>(min, 3, -2);
    ExpectTheOneOfALongRow<uint8_t>(min, 3, 2);
    ExpectTheOneOfALongRow<uint32_t>(min, 4e9, 3e9);
    ExpectTheOneOfALongRow<int64_t>(min, 3, -2);
  });
}

// Each element counts once: it is 1 where it is none of the last two of its
// seven.
template <class T>
void ExpectCountOfALongRow(Operator op) {
  for (const int64_t n : RowLengths()) {
    std::vector<double> x(n);
    for (int64_t i = 0; i < n; ++i) x[i] = i % 7 < 5 ? 1 : 0;
    const int64_t count = n / 7 * 5 + std::min<int64_t>(n % 7, 5);
    EXPECT_EQ(Widened(Reduced(Narrowed<T>(x), {n}, Onnx(op, {0}))),
              std::vector<double>{static_cast<double>(count)})
        << n;
  }
}

TEST(ReduceSum, AddsEachElementOfALongRowOnce) {
  ForEachTarget([] {
    ExpectCountOfALongRow<int32_t>(Operator::kReduceSum);
    ExpectCountOfALongRow<uint64_t>(Operator::kReduceSum);
    ExpectCountOfALongRow<float>(Operator::kReduceSum);
    ExpectCountOfALongRow<double>(Operator::kReduceSum);
    ExpectCountOfALongRow<int64_t>(Operator::kReduceL1);
    ExpectCountOfALongRow<int32_t>(Operator::kReduceSumSquare);
  });
}

// From memory. No sum of these is rounded.
TEST(ReduceSum, AddsEachElementOfARowOfManyMegabytesOnce) {
  constexpr int64_t kSevens = 700'001;
  std::vector<float> x(7 * kSevens + 1, 3);
  for (int64_t i = 0; i < 7 * kSevens; ++i) x[i] = static_cast<float>(i % 7);
  ForEachTarget([&] {
    EXPECT_EQ(Reduced(x, {7 * kSevens + 1}, Onnx(Operator::kReduceSum, {0})),
              std::vector<float>{21 * kSevens + 3});
    EXPECT_EQ(Reduced(x, {7 * kSevens + 1}, Onnx(Operator::kReduceMean, {0})),
              std::vector<float>{3});
  });
}

// In column c the one is in row c * 389 % rows.
template <class T>
void ExpectTheOneOfEachColumn(Operator op, double others, double one) {
  for (const auto& [rows, cols] : std::vector<std::pair<int64_t, int64_t>>{
           {8001, 3}, {1002, 16}, {403, 100}, {251, 129}, {67, 1000}}) {
    std::vector<double> x(rows * cols, others);
    for (int64_t c = 0; c < cols; ++c) x[c * 389 % rows * cols + c] = one;
    EXPECT_EQ(Widened(Reduced(Narrowed<T>(x), {rows, cols}, Onnx(op, {0}))),
              std::vector<double>(cols, one))
        << rows << " x " << cols;
  }
}

TEST(ReduceMax, FindsTheOneLargestOfEachOfManyRows) {
  ForEachTarget([] {
    const auto max = Operator::kReduceMax;
    ExpectTheOneOfEachColumn<float>(max, -3, 2);
    ExpectTheOneOfEachColumn<double>(max, -3, 2);
    ExpectTheOneOfEachColumn<uint8_t>(max, 3, 200);
    ExpectTheOneOfEachColumn<int8_t>(max, -3, 2);
    ExpectTheOneOfEachColumn<int64_t>(max, -3, 2);
    ExpectTheOneOfEachColumn<Float16>(max, -3, 2);
  });
}

TEST(ReduceSum, AddsTheOneOfEachOfManyRows) {
  ForEachTarget([] {
    ExpectTheOneOfEachColumn<int32_t>(Operator::kReduceSum, 0, 5);
    ExpectTheOneOfEachColumn<int64_t>(Operator::kReduceSum, 0, 5);
    ExpectTheOneOfEachColumn<float>(Operator::kReduceSum, 0, 5);
    ExpectTheOneOfEachColumn<int32_t>(Operator::kReduceL2, 0, 5);
    ExpectTheOneOfEachColumn<int32_t>(Operator::kReduceProd, 1, 5);
  });
}

// So many come from memory (kFarBytes), and are walked otherwise than those in
// cache.
constexpr int64_t kCountFromMemory =
    kFarBytes / static_cast<int64_t>(sizeof(int32_t));

// In row r the largest is element r * 389 % n.
TEST(ArgMax, FindsThePlacesInRowsOfManyMegabytes) {
  for (const int64_t n : {3, 8, 300, 5000}) {
    const int64_t rows = kCountFromMemory / n + 1;
    std::vector<int32_t> x(rows * n, -3);
    std::vector<int64_t> places(rows);
    for (int64_t r = 0; r < rows; ++r) {
      places[r] = r * 389 % n;
      x[r * n + places[r]] = 2;
    }
    EXPECT_EQ(Positions(x, {rows, n}, ArgMax({1})), places) << n;
  }
}

// The same of columns, few rows of them and more than a chain.
TEST(ReduceSum, AddsColumnsOfManyMegabytesOnce) {
  for (const int64_t rows : {16, 40, 100}) {
    const int64_t cols = kCountFromMemory / rows + 1;
    EXPECT_EQ(Reduced(std::vector<int32_t>(rows * cols, 7), {rows, cols},
                      Onnx(Operator::kReduceSum, {0})),
              std::vector<int32_t>(cols, static_cast<int32_t>(7 * rows)))
        << rows;
  }
}

}  // namespace
}  // namespace reductor
