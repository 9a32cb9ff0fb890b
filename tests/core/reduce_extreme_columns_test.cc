// ReduceMax and ReduceMin of columns and slabs of many sizes, by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/kernels.h"
#include "core/order.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

ReduceSpec Max(std::vector<int64_t> axes) {
  return Onnx(Operator::kReduceMax, std::move(axes));
}
ReduceSpec Min(std::vector<int64_t> axes) {
  return Onnx(Operator::kReduceMin, std::move(axes));
}

// Columns of numbers of two signs and one of infinities; from some column on of
// zeros of either sign too, and from another on with NaNs.
template <class T>
void ExpectExtremesOfColumns(int64_t rows, int64_t cols, int64_t first_zeros,
                             int64_t first_nan) {
  std::vector<T> x(rows * cols);
  std::vector<T> largest(cols);
  std::vector<T> smallest(cols);
  for (int64_t c = 0; c < cols; ++c) {
    const bool is_infinity = c == cols / 3;
    const bool is_zero = c >= first_zeros && c % 3 == 1;
    smallest[c] = is_infinity ? T{-kInf} : is_zero ? T{-0.0} : -c - 1;
    largest[c] = is_infinity ? T{kInf} : is_zero ? T{0.0} : c + 1;
    for (int64_t r = 0; r < rows; ++r) {
      x[r * cols + c] = r % 2 ? smallest[c] : largest[c];
    }
    if (c % 2 == 0) std::swap(x[c], x[cols + c]);
  }
  for (int64_t c = first_nan; c < cols; c += 50) {
    x[c % rows * cols + c] = c % 4 == 0 ? -kNan : kNan;
    largest[c] = smallest[c] = kNan;
  }
  EXPECT_TRUE(AreSame(Reduced(x, {rows, cols}, Max({0})), largest));
  EXPECT_TRUE(AreSame(Reduced(x, {rows, cols}, Min({0})), smallest));
}

template <class T>
void ExpectExtremesOfAnyColumns(int64_t rows, int64_t cols) {
  SCOPED_TRACE(absl::StrCat(rows, " x ", cols));
  ExpectExtremesOfColumns<T>(rows, cols, cols, cols);
  ExpectExtremesOfColumns<T>(rows, cols, 0, cols);
  ExpectExtremesOfColumns<T>(rows, cols, cols / 2, cols);
  ExpectExtremesOfColumns<T>(rows, cols, 0, cols / 2);
  ExpectExtremesOfColumns<T>(rows, cols, cols, cols / 2);
  ExpectExtremesOfColumns<T>(rows, cols, cols, 0);
}

void ExpectExtremesOnEachTarget(const std::vector<int64_t>& row_counts,
                                const std::vector<int64_t>& col_counts) {
  ForEachTarget([&] {
    for (const int64_t rows : row_counts) {
      for (const int64_t cols : col_counts) {
        ExpectExtremesOfAnyColumns<float>(rows, cols);
        ExpectExtremesOfAnyColumns<double>(rows, cols);
      }
    }
  });
}

TEST(ReduceMax, FindsTheExtremesOfColumnsOfFewRows) {
  ExpectExtremesOnEachTarget({2, 3, 16}, {8192, 8221, 20000});
}

TEST(ReduceMax, FindsTheExtremesOfColumnsOfManyRows) {
  ExpectExtremesOnEachTarget({17, 40, 130}, {5, 67, 256, 1111, 5000});
}

// Rows of one line of memory, two or four, or of which several are a line: one
// is 16 float32 or 8 float64.
TEST(ReduceMax, FindsTheExtremesOfColumnsOfManyLines) {
  ExpectExtremesOnEachTarget({63, 64, 65, 66, 67, 513, 2053},
                             {2, 4, 8, 16, 32, 64});
}

// Columns of -1, whose last rows have a larger number, a NaN and zeros, so that
// what was right of all rows before is no longer.
template <class T>
void ExpectWhatLastRowsHold(int64_t rows, int64_t cols) {
  SCOPED_TRACE(absl::StrCat(rows, " x ", cols));
  std::vector<T> x(rows * cols, -1);
  std::vector<T> largest(cols, -1);
  std::vector<T> smallest(cols, -1);
  const auto put = [&](int64_t rows_before_end, int64_t c, double value) {
    x[(rows - rows_before_end) * cols + c] = static_cast<T>(value);
    largest[c] = static_cast<T>(value);
  };
  put(1, 0, 5);
  put(2, cols / 4, 0.0);
  put(1, cols / 4, -0.0);
  largest[cols / 4] = 0.0;
  EXPECT_TRUE(AreSame(Reduced(x, {rows, cols}, Max({0})), largest));
  put(3, cols / 2, kNan);
  smallest[cols / 2] = kNan;
  EXPECT_TRUE(AreSame(Reduced(x, {rows, cols}, Max({0})), largest));
  EXPECT_TRUE(AreSame(Reduced(x, {rows, cols}, Min({0})), smallest));
}

TEST(ReduceMax, FindsWhatOnlyTheLastRowsOfColumnsHold) {
  ForEachTarget([] {
    for (const int64_t rows : {2500, 5001}) {
      for (const int64_t cols : {4, 8, 16, 32, 64}) {
        ExpectWhatLastRowsHold<float>(rows, cols);
        ExpectWhatLastRowsHold<double>(rows, cols);
      }
    }
  });
}

// A slab of as many rows as a kernel takes, which it folds by parts, and whose
// last ones have a NaN in column 1.
template <class T>
void ExpectANanInTheLastRows(int64_t cols) {
  const Kernel& kernel = GetKernel(Operator::kReduceMax, kDTypeOf<T>);
  if (cols * static_cast<int64_t>(sizeof(T)) > kernel.pass_row_bytes) return;
  SCOPED_TRACE(cols);
  constexpr int64_t kRows = kBlockBytes / sizeof(T);
  std::vector<std::byte> states(cols * kernel.state_size);
  const auto fold = [&](const std::vector<T>& x, Into into) {
    kernel.fold_slabs(reinterpret_cast<const std::byte*>(x.data()), 1, kRows,
                      cols, states.data(), into, Source::kOwnCache);
  };
  const auto expect_elsewhere = [&](T value, int64_t count) {
    std::vector<T> results(cols);
    kernel.finish(states.data(), cols, count,
                  reinterpret_cast<std::byte*>(results.data()));
    EXPECT_TRUE(std::isnan(results[1]));
    results[1] = value;
    EXPECT_EQ(results, std::vector<T>(cols, value));
  };
  std::vector<T> x(kRows * cols, 1);
  x[(kRows - 2) * cols + 1] = static_cast<T>(kNan);
  fold(x, Into::kNew);
  expect_elsewhere(1, kRows);
  // States that hold a larger number keep it.
  fold(std::vector<T>(kRows * cols, 2), Into::kNew);
  fold(x, Into::kHeld);
  expect_elsewhere(2, 2 * kRows);
}

TEST(FoldSlabs, FindsANanInTheLastOfManyRows) {
  ForEachTarget([] {
    for (const int64_t lines : {1, 2, 4}) {
      ExpectANanInTheLastRows<float>(16 * lines);
      ExpectANanInTheLastRows<double>(8 * lines);
    }
  });
}

// Slabs of equal elements but for one of each column, which is better than all
// others; where that stands changes from column to column.
template <class T>
void ExpectExtremesOfSlabs(Operator op, T others, T best) {
  constexpr int64_t kSlabs = 3;
  for (const int64_t rows : {2, 3, 7, 16, 17, 40}) {
    for (int64_t cols = 1; cols <= 130; cols += cols < 50 ? 1 : 16) {
      std::vector<T> x(kSlabs * rows * cols, others);
      for (int64_t s = 0; s < kSlabs; ++s) {
        for (int64_t c = 0; c < cols; ++c) {
          x[(s * rows + (s + c) % rows) * cols + c] = best;
        }
      }
      EXPECT_TRUE(AreSame(Reduced(x, {kSlabs, rows, cols}, Onnx(op, {1})),
                          std::vector<T>(kSlabs * cols, best)))
          << rows << " x " << cols;
    }
  }
}

TEST(ReduceMax, FindsTheExtremesOfSlabsOf64Bits) {
  constexpr int64_t kMiddle = int64_t{1} << 62;
  constexpr uint64_t kUpper = uint64_t{1} << 63;
  ForEachTarget([] {
    const auto max = Operator::kReduceMax;
    const auto min = Operator::kReduceMin;
    ExpectExtremesOfSlabs<int64_t>(max, -kMiddle, kMiddle);
    ExpectExtremesOfSlabs<int64_t>(max, INT64_MIN, INT64_MIN + 1);
    ExpectExtremesOfSlabs<int64_t>(min, kMiddle, -kMiddle);
    ExpectExtremesOfSlabs<int64_t>(min, INT64_MAX, INT64_MAX - 1);
    ExpectExtremesOfSlabs<uint64_t>(max, kUpper - 1, kUpper);
    ExpectExtremesOfSlabs<uint64_t>(max, UINT64_MAX - 1, UINT64_MAX);
    ExpectExtremesOfSlabs<uint64_t>(min, kUpper, kUpper - 1);
    ExpectExtremesOfSlabs<uint64_t>(min, 1, 0);
    ExpectExtremesOfSlabs<double>(max, -2, -1);
    ExpectExtremesOfSlabs<double>(max, -0.0, 0.0);
    ExpectExtremesOfSlabs<double>(max, -kInf, -1e308);
    ExpectExtremesOfSlabs<double>(max, kInf, kNan);
    ExpectExtremesOfSlabs<double>(min, -1, -2);
    ExpectExtremesOfSlabs<double>(min, 0.0, -0.0);
    ExpectExtremesOfSlabs<double>(min, kInf, 1e308);
    ExpectExtremesOfSlabs<double>(min, -kInf, kNan);
  });
}

TEST(ReduceMax, FindsTheExtremesOfSlabsOfFloats) {
  ForEachTarget([] {
    const auto max = Operator::kReduceMax;
    const auto min = Operator::kReduceMin;
    ExpectExtremesOfSlabs<float>(max, -2, -1);
    ExpectExtremesOfSlabs<float>(max, -0.0f, 0.0f);
    ExpectExtremesOfSlabs<float>(max, kInf, kNan);
    ExpectExtremesOfSlabs<float>(min, -1, -2);
    ExpectExtremesOfSlabs<float>(min, 0.0f, -0.0f);
    ExpectExtremesOfSlabs<float>(min, -kInf, kNan);
  });
}

// Three slabs: in one the last row has a NaN in column `nan_column`, in the
// next one the middle row a larger number, and the largest of the last one are
// zeros. That with the NaN comes first, second or third.
template <class T>
void ExpectExtremesBesideANan(int64_t rows, int64_t cols, int64_t nan_slab,
                              int64_t nan_column) {
  const int64_t slab = rows * cols;
  std::vector<T> x(3 * slab, -1);
  std::vector<T> largest(3 * cols, -1);
  const auto element = [&](int64_t s, int64_t r, int64_t c) -> T& {
    return x[(nan_slab + s) % 3 * slab + r * cols + c];
  };
  const auto result = [&](int64_t s, int64_t c) -> T& {
    return largest[(nan_slab + s) % 3 * cols + c];
  };
  element(0, rows - 1, nan_column) = result(0, nan_column) = kNan;
  element(1, rows / 2, 0) = result(1, 0) = 5;
  std::fill_n(&element(2, 0, 0), cols, T{-0.0});
  std::fill_n(&result(2, 0), cols, T{-0.0});
  element(2, rows - 1, cols - 1) = result(2, cols - 1) = 0;
  EXPECT_TRUE(AreSame(Reduced(x, {3, rows, cols}, Max({1})), largest))
      << rows << " x " << cols;
}

TEST(ReduceMax, FindsTheLargestOfSlabsBesideANan) {
  ForEachTarget([] {
    for (const int64_t rows : {2, 5, 16, 85}) {
      for (const int64_t cols : {8, 15, 16, 24, 31, 32, 40, 56, 63, 64, 112}) {
        ExpectExtremesBesideANan<float>(rows, cols, 0, 1);
        ExpectExtremesBesideANan<float>(rows, cols, 2, cols - 1);
        ExpectExtremesBesideANan<double>(rows, cols, 0, 1);
        ExpectExtremesBesideANan<double>(rows, cols, 1, cols - 1);
      }
    }
  });
}

TEST(ReduceMax, FindsTheLargestOfSlabsOfEverySize) {
  for (const auto& [rows, cols] : std::vector<std::pair<int64_t, int64_t>>{
           {30, 30}, {64, 32}, {65, 7}, {100, 2}, {700, 2}, {3, 512}}) {
    std::vector<int32_t> x(5 * rows * cols, -7);
    std::vector<int32_t> largest(5 * cols, -7);
    largest[0] = x[(rows - 1) * cols] = 9;
    largest[5 * cols - 1] = x[5 * rows * cols - 1] = 8;
    largest[2 * cols + 1] = x[(2 * rows + rows / 2) * cols + 1] = 6;
    EXPECT_EQ(Reduced(x, {5, rows, cols}, Max({1})), largest)
        << rows << " x " << cols;
  }
}

}  // namespace
}  // namespace reductor
