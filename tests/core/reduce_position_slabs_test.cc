// ArgMax and ArgMin along the columns of slabs, by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/core/positions.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

using ::testing::ElementsAreArray;

TEST(ArgMax, FindsAMiddleAxisOfManySlabs) {
  std::vector<float> x(1000 * 3 * 2, 7);
  std::vector<int64_t> rows;
  for (int64_t slab = 0; slab < 1000; ++slab) {
    for (int64_t column = 0; column < 2; ++column) {
      rows.push_back((slab + column) % 3);
      x[(slab * 3 + rows.back()) * 2 + column] = 8;
    }
  }
  EXPECT_THAT(Positions(x, {1000, 3, 2}, ArgMax({1})), ElementsAreArray(rows));
}

TEST(ArgMax, FindsAMiddleAxisOfSlabsOfEverySize) {
  for (const auto& [rows, cols] : std::vector<std::pair<int64_t, int64_t>>{
           {30, 30}, {64, 32}, {65, 7}, {100, 2}, {700, 2}, {3, 512}}) {
    std::vector<uint8_t> x(5 * rows * cols, 7);
    std::vector<int64_t> places(5 * cols, 0);
    x[(rows - 1) * cols] = 9;
    places[0] = rows - 1;
    x[(2 * rows + rows / 2) * cols + 1] = 8;
    places[2 * cols + 1] = rows / 2;
    EXPECT_EQ(Positions(x, {5, rows, cols}, ArgMax({1})), places)
        << rows << " x " << cols;
  }
}

// Slabs of which each column has two elements that equal each other: in which
// rows changes from column to column.
template <class T>
void ExpectFirstAndLastOfEqualsInSlabs(const ReduceSpec& spec, int64_t slabs,
                                       int64_t rows, int64_t cols, double one,
                                       double other) {
  ReduceSpec to_last = spec;
  to_last.select_last_index = true;
  std::vector<double> x(slabs * rows * cols, 1);
  std::vector<int64_t> firsts;
  std::vector<int64_t> lasts;
  for (int64_t s = 0; s < slabs; ++s) {
    for (int64_t c = 0; c < cols; ++c) {
      firsts.push_back((s * 31 + c * 7919) % (rows - 1));
      lasts.push_back(rows - 1 - c / 2 % (rows - 1 - firsts.back()));
      x[(s * rows + firsts.back()) * cols + c] = one;
      x[(s * rows + lasts.back()) * cols + c] = other;
    }
  }
  const std::vector<T> narrow = Narrowed<T>(x);
  const std::vector<int64_t> shape = {slabs, rows, cols};
  EXPECT_EQ(Positions(narrow, shape, spec), firsts)
      << slabs << " x " << rows << " x " << cols;
  EXPECT_EQ(Positions(narrow, shape, to_last), lasts)
      << slabs << " x " << rows << " x " << cols;
}

TEST(ArgMax, TakesTheFirstOrTheLastOfEqualsInFewLongRows) {
  const ReduceSpec max = ArgMax({1});
  ForEachTarget([&] {
    for (const int64_t rows : {2, 3, 5, 16}) {
      for (const int64_t cols : {32768, 32797}) {
        ExpectFirstAndLastOfEqualsInSlabs<uint8_t>(max, 1, rows, cols, 7, 7);
      }
      for (const int64_t cols : {8192, 8221}) {
        ExpectFirstAndLastOfEqualsInSlabs<float>(max, 1, rows, cols, 7, 7);
        ExpectFirstAndLastOfEqualsInSlabs<float>(max, 1, rows, cols, kNan,
                                                 -kNan);
        ExpectFirstAndLastOfEqualsInSlabs<int64_t>(max, 1, rows, cols, 7, 7);
      }
    }
  });
}

TEST(ArgMax, TakesTheFirstOrTheLastOfEqualsInSlabsOfEverySize) {
  const ReduceSpec max = ArgMax({1});
  const ReduceSpec min = ArgMin({1});
  ForEachTarget([&] {
    for (const auto& [rows, cols] :
         std::vector<std::pair<int64_t, int64_t>>{{2, 2},
                                                  {2, 9},
                                                  {3, 100},
                                                  {7, 5},
                                                  {17, 6},
                                                  {20, 3},
                                                  {33, 12},
                                                  {47, 8},
                                                  {30, 30},
                                                  {64, 32},
                                                  {65, 33},
                                                  {100, 7},
                                                  {1000, 17},
                                                  {50, 100},
                                                  {70, 600},
                                                  {20000, 2},
                                                  {40001, 3}}) {
      for (const int64_t slabs : {1, 5}) {
        ExpectFirstAndLastOfEqualsInSlabs<uint8_t>(max, slabs, rows, cols, 7,
                                                   7);
        ExpectFirstAndLastOfEqualsInSlabs<Float16>(max, slabs, rows, cols, 7,
                                                   7);
        ExpectFirstAndLastOfEqualsInSlabs<float>(max, slabs, rows, cols, kNan,
                                                 -kNan);
        ExpectFirstAndLastOfEqualsInSlabs<uint64_t>(max, slabs, rows, cols, 7,
                                                    7);
        ExpectFirstAndLastOfEqualsInSlabs<int32_t>(min, slabs, rows, cols, 0,
                                                   0);
        ExpectFirstAndLastOfEqualsInSlabs<double>(min, slabs, rows, cols, -0.0,
                                                  0.0);
      }
    }
  });
}

// Slab s has its best at row s % (rows + 1), or if there is none all equal.
template <class T>
void ExpectEveryRow(ReduceSpec spec, T others, T best) {
  using Slab = std::pair<int64_t, int64_t>;
  for (const auto& [rows, cols] :
       {Slab{3, 1}, Slab{4, 1}, Slab{5, 1}, Slab{7, 1}, Slab{8, 1}, Slab{23, 1},
        Slab{24, 1}, Slab{25, 1}, Slab{2, 3}, Slab{5, 3}, Slab{2, 8},
        Slab{24, 2}, Slab{100, 20}, Slab{255, 5}, Slab{256, 3}, Slab{257, 3},
        Slab{400, 5}}) {
    const int64_t slab = rows * cols;
    const int64_t slabs = std::max(rows + 1, 20'000 / slab);
    std::vector<T> x(slabs * slab, others);
    std::vector<int64_t> firsts(slabs * cols);
    std::vector<int64_t> lasts(slabs * cols);
    for (int64_t s = 0; s < slabs; ++s) {
      const int64_t row = s % (rows + 1);
      const bool is_there = row < rows;
      if (is_there) std::fill_n(x.begin() + s * slab + row * cols, cols, best);
      std::fill_n(firsts.begin() + s * cols, cols, is_there ? row : 0);
      std::fill_n(lasts.begin() + s * cols, cols, is_there ? row : rows - 1);
    }
    const std::vector<int64_t> shape = {slabs, rows, cols};
    spec.select_last_index = false;
    EXPECT_EQ(Positions(x, shape, spec), firsts) << rows << " x " << cols;
    spec.select_last_index = true;
    EXPECT_EQ(Positions(x, shape, spec), lasts) << rows << " x " << cols;
  }
}

TEST(ArgMax, FindsEveryRowOfSlabsOfBytesThatDifferByOne) {
  ForEachTarget([] {
    ExpectEveryRow<int8_t>(ArgMax({1}), -128, -127);
    ExpectEveryRow<int8_t>(ArgMax({1}), -1, 0);
    ExpectEveryRow<int8_t>(ArgMin({1}), 127, 126);
    ExpectEveryRow<int8_t>(ArgMin({1}), 0, -1);
    ExpectEveryRow<uint8_t>(ArgMax({1}), 254, 255);
    ExpectEveryRow<uint8_t>(ArgMax({1}), 127, 128);
    ExpectEveryRow<uint8_t>(ArgMin({1}), 1, 0);
    ExpectEveryRow<uint8_t>(ArgMin({1}), 128, 127);
  });
}

// Columns whose largest and smallest elements, +-2 among +-1, stand in other
// rows from column to column; in one column others take their places.
template <class T>
void ExpectPlacesAmongNumbers(int64_t rows, int64_t cols, int64_t column) {
  std::vector<T> x(rows * cols);
  std::vector<int64_t> largest(cols);
  std::vector<int64_t> smallest(cols);
  for (int64_t c = 0; c < cols; ++c) {
    for (int64_t r = 0; r < rows; ++r) x[r * cols + c] = r % 2 ? 1 : -1;
    largest[c] = c % rows;
    smallest[c] = (c + 1) % rows;
    x[largest[c] * cols + c] = 2;
    x[smallest[c] * cols + c] = -2;
  }
  const std::vector<int64_t> shape = {rows, cols};
  EXPECT_EQ(Positions(x, shape, ArgMax({0})), largest);
  EXPECT_EQ(Positions(x, shape, ArgMin({0})), smallest);

  x[smallest[column] * cols + column] = -kInf;
  x[largest[column] * cols + column] = kInf;
  EXPECT_EQ(Positions(x, shape, ArgMax({0}, /*last=*/true)), largest);
  EXPECT_EQ(Positions(x, shape, ArgMin({0}, /*last=*/true)), smallest);

  for (const int64_t row : {int64_t{0}, rows / 2, rows - 1}) {
    std::vector<T> with_nan = x;
    with_nan[row * cols + column] = row == 0 ? -kNan : kNan;
    largest[column] = smallest[column] = row;
    EXPECT_EQ(Positions(with_nan, shape, ArgMax({0})), largest) << row;
    EXPECT_EQ(Positions(with_nan, shape, ArgMin({0})), smallest) << row;
  }
}

TEST(ArgMax, FindsInfinitiesAndANanInAnyColumnOfNumbers) {
  ForEachTarget([] {
    for (const auto& [rows, cols] : std::vector<std::pair<int64_t, int64_t>>{
             {2, 40000},
             {3, 37},
             {7, 500},
             {20, 100},
             {90, 3},
             {300, 1500},
             // Strips, of which the last fills no line.
             {20, 257},
             {20, 271},
             // Strips of them, of which the last has fewer columns than rows.
             {20, 1552},
             {40, 1568}}) {
      for (const int64_t column : {int64_t{0}, cols / 2, cols - 1}) {
        SCOPED_TRACE(absl::StrCat(rows, " x ", cols, ", column ", column));
        ExpectPlacesAmongNumbers<float>(rows, cols, column);
        ExpectPlacesAmongNumbers<double>(rows, cols, column);
      }
    }
  });
}

}  // namespace
}  // namespace reductor
