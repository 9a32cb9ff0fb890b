// The same request gives the same bits on every instruction set, with any
// number of threads, and however its bytes were cut: of slabs, which go by
// other loops as they are few rows, small, or larger.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/reduce.h"
#include "tests/core/same_bits.h"
#include "tests/core/tensors.h"

namespace reductor {
namespace {

using SlabBits = SameBits;

struct Slabs {
  int64_t slabs;
  int64_t rows;
  int64_t cols;
};

// Those of more than 32 KiB are not gathered where they are cut.
TEST_F(SlabBits, OfEveryOperatorAndTypeInSlabsOfFewRows) {
  for (const DType dtype : kDTypes) {
    SCOPED_TRACE(NameOf(dtype));
    const int64_t size = SizeOf(dtype);
    for (const auto& [rows, cols] : {std::pair{int64_t{3}, 64 / size + 5},
                                     {16, 1'000 / size + 1},
                                     {16, 8'000 / size + 1}}) {
      const int64_t slabs = 400'000 / (rows * cols * size);
      const std::string bytes = RandomBytes(slabs * rows * cols * size, rng_);
      ExpectSameBitsOfEveryOperator(dtype, {slabs, rows, cols}, {{1}}, bytes);
    }
  }
}

// Of several chains of rows, and still small. A single one as a whole has
// states, cut it has none.
TEST_F(SlabBits, OfEveryOperatorAndTypeInSmallSlabs) {
  for (const DType dtype : kDTypes) {
    SCOPED_TRACE(NameOf(dtype));
    for (const auto& [rows, cols] : {std::pair<int64_t, int64_t>{17, 85},
                                     {33, 62},
                                     {20, 33},
                                     {60, 34},
                                     {100, 17}}) {
      for (const int64_t slabs : {1, 7}) {
        const std::string bytes =
            RandomBytes(slabs * rows * cols * SizeOf(dtype), rng_);
        ExpectSameBitsOfEveryOperator(dtype, {slabs, rows, cols}, {{1}}, bytes);
      }
    }
  }
}

TEST_F(SlabBits, OfFloat64InSlabs) {
  for (const auto& [slabs, rows, cols] :
       std::vector<std::tuple<int64_t, int64_t, int64_t>>{{7, 17, 85},
                                                          {7, 60, 34},
                                                          {1, 60, 34},
                                                          {1, 100, 17},
                                                          {2, 200, 8},
                                                          {5, 17, 130},
                                                          {3, 48, 300},
                                                          {3, 49, 300},
                                                          {1, 33, 900}}) {
    const std::string bytes = RandomFloat64s(slabs * rows * cols, rng_);
    ExpectSameBitsOfEveryOperator(DType::kFloat64, {slabs, rows, cols}, {{1}},
                                  bytes);
  }
}

// Larger ones, but of so few rows that they need no states if they lie
// together.
TEST_F(SlabBits, OfEveryOperatorAndTypeInSlabsOfSomeRows) {
  for (const DType dtype : kDTypes) {
    SCOPED_TRACE(NameOf(dtype));
    const int64_t size = SizeOf(dtype);
    for (const auto& [rows, cols] : {std::pair<int64_t, int64_t>{17, 130},
                                     {48, 129},
                                     {49, 129},
                                     {20, 1800 / size},
                                     {90, 500 / size},
                                     {90, 3000 / size}}) {
      const std::string bytes = RandomBytes(3 * rows * cols * size, rng_);
      ExpectSameBitsOfEveryOperator(dtype, {3, rows, cols}, {{1}}, bytes);
    }
  }
}

// Rows of few columns, which are folded by blocks of several side by side: less
// than a block, one, a chain of them, and a part more; of 30 columns a block is
// 128 rows, of 3 it is 1,024, of 128 it is 32.
TEST_F(SlabBits, OfSumsInSlabsOfRowsSideBySide) {
  const Slabs cases[] = {{3, 100, 30},  {1, 128, 30},   {2, 129, 30},
                         {1, 2048, 30}, {1, 2049, 30},  {1, 4301, 30},
                         {2, 700, 3},   {1, 1025, 3},   {1, 17000, 3},
                         {3, 17, 128},  {3, 33, 127},   {1, 513, 128},
                         {2, 129, 32},  {1, 1100, 100}, {60, 130, 17}};
  for (const auto& [slabs, rows, cols] : cases) {
    SCOPED_TRACE(testing::Message() << slabs << " x " << rows << " x " << cols);
    const int64_t count = slabs * rows * cols;
    ExpectSameBitsOfEveryOperator(DType::kFloat64, {slabs, rows, cols},
                                  {{1}, {0, 1}}, RandomFloat64s(count, rng_));
    for (const DType dtype : {DType::kFloat32, DType::kFloat16}) {
      ExpectSameBitsOfEveryOperator(dtype, {slabs, rows, cols}, {{1}},
                                    RandomBytes(count * SizeOf(dtype), rng_));
    }
  }
}

// Float32 whose sums show an order that float64 has. Each column is zero but
// for 2^24, 1 and twice 2^-29, somewhere: beside 2^24 float64 loses the latter,
// which is half of its last place, unless both meet before. What is left of
// them decides where the sum is rounded to, 2^24 or 2^24 + 2, as 1 is the
// middle.
TEST_F(SlabBits, OfMagnitudesInRowsSideBySide) {
  const Slabs cases[] = {{1, 1024, 3},  {1, 1473, 3}, {1, 1472, 3},
                         {1, 4000, 16}, {3, 96, 80},  {2, 512, 16},
                         {5, 256, 64}};
  for (const auto& [slabs, rows, cols] : cases) {
    SCOPED_TRACE(testing::Message() << slabs << " x " << rows << " x " << cols);
    std::vector<float> x(slabs * rows * cols);
    for (int64_t s = 0; s < slabs; ++s) {
      for (int64_t c = 0; c < cols; ++c) {
        for (const float value : {-0x1p24F, -1.0F, 0x1p-29F, -0x1p-29F}) {
          float* element = nullptr;
          do {
            const int64_t row = rng_() % rows;
            element = &x[(s * rows + row) * cols + c];
          } while (*element != 0);
          *element = value;
        }
      }
    }
    ExpectSameBitsOfEveryOperator(DType::kFloat32, {slabs, rows, cols}, {{1}},
                                  BytesOf(x));
  }
}

// About as large as what is gathered where it is cut, and larger.
TEST_F(SlabBits, OfEveryOperatorAndTypeInLargeSlabs) {
  for (const DType dtype : kDTypes) {
    SCOPED_TRACE(NameOf(dtype));
    const int64_t size = SizeOf(dtype);
    for (const auto& [rows, cols] : {std::pair{9'000 / size, int64_t{3}},
                                     {700 / size, 13},
                                     {8'000 / size, 4},
                                     {256, 8},
                                     {290, 7},
                                     {120, 17},
                                     {1024, 2},
                                     {50, 600 / size},
                                     {50, 700 / size}}) {
      const std::string bytes = RandomBytes(5 * rows * cols * size, rng_);
      ExpectSameBitsOfEveryOperator(dtype, {5, rows, cols}, {{1}, {0, 1}},
                                    bytes);
    }
  }
}

// More than is gathered where it is cut.
TEST_F(SlabBits, OfEveryOperatorAndTypeInColumnsThatFillRegisters) {
  for (const DType dtype : kDTypes) {
    SCOPED_TRACE(NameOf(dtype));
    for (const int64_t cols : {2, 4, 8, 16, 32, 64}) {
      const int64_t rows = 70'000 / SizeOf(dtype) / cols + 1;
      const std::string bytes = RandomBytes(rows * cols * SizeOf(dtype), rng_);
      ExpectSameBitsOfEveryOperator(dtype, {rows, cols}, {{0}}, bytes);
    }
  }
}

// So near to each other that each of them counts.
TEST_F(SlabBits, OfFloat64LogSumExpInLargeSlabs) {
  for (const auto& [rows, cols] : {std::pair<int64_t, int64_t>{1125, 3},
                                   {1400, 3},
                                   {64, 7},
                                   {17, 60},
                                   {16, 90},
                                   {87, 13},
                                   {50, 75},
                                   {50, 87},
                                   {9, 400}}) {
    const std::string bytes =
        RandomFloat64s(5 * rows * cols, rng_, /*largest=*/2);
    for (const std::vector<int64_t>& axes : {std::vector<int64_t>{1}, {0, 1}}) {
      ExpectSameBitsEverywhere(
          RequestFor(DType::kFloat64, {5, rows, cols},
                     {.op = Operator::kReduceLogSumExp, .axes = axes}),
          bytes, rng_);
    }
  }
}

}  // namespace
}  // namespace reductor
