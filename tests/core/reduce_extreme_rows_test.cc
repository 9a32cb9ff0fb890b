// The largest and the smallest of rows of every short length, and of pages:
// among rows of floats that are compared together some have what the CPU's own
// comparison does not know.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/core/targets.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

constexpr int64_t kRows = 11;
constexpr int64_t kZeroRow = 2;
constexpr int64_t kMinusZeroRow = 5;
constexpr int64_t kNanRow = 6;
constexpr int64_t kInfinityRow = 9;

// All short ones, and some of about a page of 32 bits.
std::vector<int64_t> Lengths(int64_t shortest) {
  std::vector<int64_t> lengths = {767, 768, 1000, 1024, 2001, 4095};
  for (int64_t n = shortest; n <= 140; ++n) lengths.push_back(n);
  return lengths;
}

// All elements of row r are at -sign * (r + 1) or beyond, but for one: that is
// its extreme, -sign * (r + 0.5), or what the row is named after.
template <class T>
std::vector<T> RowsOf(int64_t n, T sign) {
  std::vector<T> x(kRows * n);
  for (int64_t r = 0; r < kRows; ++r) {
    for (int64_t i = 0; i < n; ++i) x[r * n + i] = -sign * (r + 1 + i % 7);
    T& one = x[r * n + (r * 5) % n];
    one = -sign * (r + T{0.5});
    if (r == kZeroRow) one = 0;
    if (r == kMinusZeroRow) one = -T{0};
    if (r == kNanRow) one = static_cast<T>(kNan);
    if (r == kInfinityRow) one = sign * static_cast<T>(kInf);
  }
  // Both zeros.
  x[kZeroRow * n + (kZeroRow * 5 + 1) % n] = -T{0};
  return x;
}

template <class T>
void ExpectExtremes(Operator op, T sign) {
  for (const int64_t n : Lengths(3)) {
    SCOPED_TRACE(n);
    const std::vector<T> found =
        Reduced<T>(RowsOf<T>(n, sign), {kRows, n}, Onnx(op, {1}));
    for (int64_t r = 0; r < kRows; ++r) {
      if (r == kNanRow) {
        EXPECT_TRUE(std::isnan(found[r]));
      } else if (r == kZeroRow) {
        EXPECT_EQ(found[r], 0);
        EXPECT_EQ(std::signbit(found[r]), sign < 0);
      } else if (r == kMinusZeroRow) {
        EXPECT_EQ(found[r], 0);
        EXPECT_TRUE(std::signbit(found[r]));
      } else if (r == kInfinityRow) {
        EXPECT_EQ(found[r], sign * static_cast<T>(kInf));
      } else {
        EXPECT_EQ(found[r], -sign * (r + T{0.5}));
      }
    }
  }
}

TEST(ReduceMax, FindsWhatRowsBesideEachOtherHave) {
  ForEachTarget([] {
    ExpectExtremes<float>(Operator::kReduceMax, 1);
    ExpectExtremes<double>(Operator::kReduceMax, 1);
  });
}

TEST(ReduceMin, FindsWhatRowsBesideEachOtherHave) {
  ForEachTarget([] {
    ExpectExtremes<float>(Operator::kReduceMin, -1);
    ExpectExtremes<double>(Operator::kReduceMin, -1);
  });
}

// All elements of row r are `others`, but for one, which is better by r + 1.
template <class T>
void ExpectExtremesOfIntegers(Operator op, T others, T better) {
  for (const int64_t n : Lengths(2)) {
    SCOPED_TRACE(n);
    std::vector<T> x(kRows * n, others);
    std::vector<T> expected(kRows);
    for (int64_t r = 0; r < kRows; ++r) {
      expected[r] = static_cast<T>(others + better * static_cast<T>(r + 1));
      x[r * n + (r * 5) % n] = expected[r];
    }
    EXPECT_EQ(Reduced<T>(x, {kRows, n}, Onnx(op, {1})), expected);
  }
}

TEST(ReduceMax, FindsTheIntegersOfRowsBesideEachOther) {
  ForEachTarget([] {
    ExpectExtremesOfIntegers<int32_t>(Operator::kReduceMax, INT32_MIN, 1);
    ExpectExtremesOfIntegers<int32_t>(Operator::kReduceMax, -6, 1);
    ExpectExtremesOfIntegers<int32_t>(Operator::kReduceMin, INT32_MAX, -1);
    ExpectExtremesOfIntegers<int32_t>(Operator::kReduceMin, 6, -1);
    ExpectExtremesOfIntegers<uint32_t>(Operator::kReduceMax, 0, 1);
    ExpectExtremesOfIntegers<uint32_t>(Operator::kReduceMax, INT32_MAX, 1);
    ExpectExtremesOfIntegers<uint32_t>(Operator::kReduceMin, UINT32_MAX, ~0U);
    ExpectExtremesOfIntegers<uint32_t>(Operator::kReduceMin, 1U << 31, ~0U);
  });
}

// Row r has -0 but for one 0, or 0 but for one -0, at r; the last one has none.
template <class T>
void ExpectZeros(int64_t n) {
  SCOPED_TRACE(n);
  std::vector<T> minus((n + 1) * n, -T{0});
  std::vector<T> plus((n + 1) * n, T{0});
  for (int64_t r = 0; r < n; ++r) {
    minus[r * n + r] = T{0};
    plus[r * n + r] = -T{0};
  }
  const std::vector<T> largest =
      Reduced<T>(minus, {n + 1, n}, Onnx(Operator::kReduceMax, {1}));
  const std::vector<T> smallest =
      Reduced<T>(plus, {n + 1, n}, Onnx(Operator::kReduceMin, {1}));
  for (int64_t r = 0; r <= n; ++r) {
    EXPECT_EQ(std::signbit(largest[r]), r == n) << r;
    EXPECT_EQ(std::signbit(smallest[r]), r < n) << r;
  }
}

TEST(ReduceMax, FindsTheOnlyZeroOfItsSignWhereverItStands) {
  ForEachTarget([] {
    for (const int64_t n : {9, 17, 32, 65, 100, 300}) {
      ExpectZeros<float>(n);
      ExpectZeros<double>(n);
    }
  });
}

// Keys look at every row once more, and at none twice.
TEST(ReduceMax, FindsZerosOfEveryRow) {
  ForEachTarget([] {
    for (const int64_t n : {8, 9, 15, 16, 31, 64, 100}) {
      for (const int64_t rows : {1, 3, 4, 64, 65, 131}) {
        EXPECT_EQ(Reduced<float>(std::vector<float>(rows * n), {rows, n},
                                 Onnx(Operator::kReduceMax, {1})),
                  std::vector<float>(rows));
      }
    }
  });
}

}  // namespace
}  // namespace reductor
