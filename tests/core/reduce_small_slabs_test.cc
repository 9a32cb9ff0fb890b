// Slabs of few short rows, which are folded many at a time. Each column has one
// element of its own, in a row that differs from slab to slab and from column
// to column, among ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/core/targets.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

using ::testing::ElementsAreArray;

// The element of a column, from 2 to 6, and its row.
int64_t Peak(int64_t slab, int64_t col) { return 2 + (slab + col) % 5; }
int64_t PeakRow(int64_t slab, int64_t col, int64_t rows) {
  return (slab + col) % rows;
}

struct Expected {
  std::vector<double> largest;
  std::vector<double> sums;
  std::vector<int64_t> positions;
};

Expected ExpectedOf(int64_t slabs, int64_t rows, int64_t cols) {
  Expected expected;
  for (int64_t s = 0; s < slabs; ++s) {
    for (int64_t c = 0; c < cols; ++c) {
      const auto peak = static_cast<double>(Peak(s, c));
      expected.largest.push_back(peak);
      expected.sums.push_back(peak + static_cast<double>(rows - 1));
      expected.positions.push_back(PeakRow(s, c, rows));
    }
  }
  return expected;
}

std::vector<double> ElementsOf(int64_t slabs, int64_t rows, int64_t cols) {
  std::vector<double> x;
  for (int64_t s = 0; s < slabs; ++s) {
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t c = 0; c < cols; ++c) {
        const bool is_peak = r == PeakRow(s, c, rows);
        x.push_back(is_peak ? static_cast<double>(Peak(s, c)) : 1);
      }
    }
  }
  return x;
}

template <class T>
void ExpectRight(int64_t slabs, int64_t rows, int64_t cols) {
  SCOPED_TRACE(testing::Message() << slabs << " x " << rows << " x " << cols
                                  << " of " << sizeof(T) << " bytes");
  const std::vector<T> x = Narrowed<T>(ElementsOf(slabs, rows, cols));
  const Expected expected = ExpectedOf(slabs, rows, cols);
  const auto spec_of = [](Operator op) {
    ReduceSpec spec = SpecFor(op, kDTypeOf<T>).value();
    spec.axes = {1};
    return spec;
  };
  const std::vector<int64_t> shape = {slabs, rows, cols};
  EXPECT_THAT(Widened(Reduced(x, shape, spec_of(Operator::kReduceMax))),
              ElementsAreArray(expected.largest));
  EXPECT_THAT(Widened(Reduced(x, shape, spec_of(Operator::kReduceSum))),
              ElementsAreArray(expected.sums));
  // Of ones and the largest.
  EXPECT_THAT(Widened(Reduced(x, shape, spec_of(Operator::kReduceProd))),
              ElementsAreArray(expected.largest));
  EXPECT_THAT((Reduced<T, int64_t>(x, shape, spec_of(Operator::kArgMax))),
              ElementsAreArray(expected.positions));
}

void ExpectRightOfTypes(const std::vector<int64_t>& slab_counts,
                        const std::vector<int64_t>& row_counts,
                        const std::vector<int64_t>& col_counts) {
  ForEachTarget([&] {
    for (const int64_t slabs : slab_counts) {
      for (const int64_t rows : row_counts) {
        for (const int64_t cols : col_counts) {
          ExpectRight<int8_t>(slabs, rows, cols);
          ExpectRight<Float16>(slabs, rows, cols);
          ExpectRight<int32_t>(slabs, rows, cols);
          ExpectRight<int64_t>(slabs, rows, cols);
          ExpectRight<float>(slabs, rows, cols);
          ExpectRight<double>(slabs, rows, cols);
        }
      }
    }
  });
}

TEST(SmallSlabs, AreFoldedColumnByColumn) {
  ExpectRightOfTypes({1, 2, 7, 70, 1500}, {2, 3, 4, 5}, {2, 3, 4, 5, 8, 17});
}

// Lanes that take them reach into the next row and the next slab.
TEST(SmallSlabs, OfColumnsThatFillNoLanesAreFoldedColumnByColumn) {
  ExpectRightOfTypes({1, 2, 7, 70, 600}, {2, 3, 9, 15},
                     {3, 5, 6, 7, 9, 12, 15, 21});
}

// The lanes of a batch's last slab reach beyond it, further than the one slab
// that follows.
TEST(SmallSlabs, OfColumnsWhoseLanesReachBeyondTheNextSlabAreFoldedToo) {
  ExpectRightOfTypes({31, 257}, {2}, {2, 17});
}

// Several rows side by side, and some left over.
TEST(SmallSlabs, OfManyRowsAndFewColumnsAreFoldedColumnByColumn) {
  ExpectRightOfTypes({1, 2, 70}, {16, 17, 31, 47, 64}, {2, 3, 4, 5, 6, 7});
}

// A product waits for the one before: chains of rows, and some left over.
TEST(SmallSlabs, OfManyRowsAndMoreColumnsAreFoldedColumnByColumn) {
  ExpectRightOfTypes({1, 3}, {16, 17, 31, 66}, {8, 13, 16, 24});
}

}  // namespace
}  // namespace reductor
