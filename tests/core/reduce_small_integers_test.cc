// Means and L2 of small integers: rows of every short length and of some long
// ones, whose neighbours are added up before they are widened, which must hold
// the smallest and the largest of them; and columns.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "tests/core/seeded_test.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

constexpr int64_t kRows = 3;

std::vector<int64_t> Lengths() {
  std::vector<int64_t> lengths(150);
  for (int64_t n = 1; n <= 150; ++n) lengths[n - 1] = n;
  lengths.insert(lengths.end(),
                 {255, 256, 257, 1000, 4095, 4096, 4097, 8192, 8193, 20'000,
                  32'768, 32'769, 65'536, 65'537, 131'072, 262'144, 524'288});
  return lengths;
}

template <class T>
std::vector<T> Means(const std::vector<T>& x, int64_t n) {
  return Reduced<T>(x, {kRows, n}, Openvino(Operator::kReduceMean, {1}));
}

template <class T>
std::vector<T> Roots(const std::vector<T>& x, int64_t n) {
  return Reduced<T>(x, {kRows, n}, Openvino(Operator::kReduceL2, {1}));
}

using SmallIntegers = SeededTest;

// Rows of the smallest, of the largest and of any elements.
template <class T>
std::vector<T> RowsOf(int64_t n, std::mt19937& rng) {
  std::vector<T> x(kRows * n);
  for (int64_t i = 0; i < n; ++i) {
    x[i] = std::numeric_limits<T>::lowest();
    x[n + i] = std::numeric_limits<T>::max();
    x[2 * n + i] = static_cast<T>(rng());
  }
  return x;
}

template <class T>
void ExpectMeans(std::mt19937& rng) {
  for (const int64_t n : Lengths()) {
    const std::vector<T> x = RowsOf<T>(n, rng);
    int64_t total = 0;
    for (int64_t i = 2 * n; i < 3 * n; ++i) total += x[i];
    EXPECT_EQ(Means(x, n), (std::vector<T>{std::numeric_limits<T>::lowest(),
                                           std::numeric_limits<T>::max(),
                                           static_cast<T>(total / n)}))
        << n;
  }
}

TEST_F(SmallIntegers, HaveTheirMeansInRowsOfEveryLength) {
  ForEachTarget([this] {
    ExpectMeans<int8_t>(rng_);
    ExpectMeans<uint8_t>(rng_);
    ExpectMeans<int16_t>(rng_);
    ExpectMeans<uint16_t>(rng_);
    ExpectMeans<int32_t>(rng_);
    ExpectMeans<uint32_t>(rng_);
  });
}

// Columns of more elements than few of 16 bits add up to, of the same kinds.
template <class T>
void ExpectMeansOfColumns(std::mt19937& rng) {
  for (const int64_t rows : {2, 127, 128, 129, 256, 257, 1000, 8193}) {
    for (const int64_t cols : {3, 17, 64, 100, 2100}) {
      if (rows * cols > 300'000) continue;
      std::vector<T> x(rows * cols);
      std::vector<T> means(cols);
      for (int64_t c = 0; c < cols; ++c) {
        int64_t total = 0;
        for (int64_t r = 0; r < rows; ++r) {
          T& each = x[r * cols + c];
          each = c % 3 == 0   ? std::numeric_limits<T>::lowest()
                 : c % 3 == 1 ? std::numeric_limits<T>::max()
                              : static_cast<T>(rng());
          total += each;
        }
        means[c] = static_cast<T>(total / rows);
      }
      EXPECT_EQ(
          Reduced<T>(x, {rows, cols}, Openvino(Operator::kReduceMean, {0})),
          means)
          << rows << " x " << cols;
    }
  }
}

TEST_F(SmallIntegers, HaveTheirMeansInColumnsOfManyRows) {
  ForEachTarget([this] {
    ExpectMeansOfColumns<int8_t>(rng_);
    ExpectMeansOfColumns<uint8_t>(rng_);
    ExpectMeansOfColumns<int16_t>(rng_);
    ExpectMeansOfColumns<uint16_t>(rng_);
  });
}

// A row of one element of 3k, one of 4k and zeros otherwise has the root 5k,
// wherever they stand; a row of the smallest leaves the type as soon as it has
// two.
template <class T>
void ExpectRoots(T k) {
  const auto root = static_cast<T>(k < 0 ? -5 * k : 5 * k);
  for (const int64_t n : Lengths()) {
    if (n < 2) continue;
    std::vector<T> x(kRows * n);
    x[0] = 3 * k;
    x[n - 1] = 4 * k;
    x[n + n / 2] = 4 * k;
    x[n + (n / 2 + n / 3 + 1) % n] = 3 * k;
    for (int64_t i = 2 * n; i < 3 * n; ++i) {
      x[i] = std::is_signed_v<T> ? std::numeric_limits<T>::lowest()
                                 : std::numeric_limits<T>::max();
    }
    EXPECT_EQ(Roots(x, n),
              (std::vector<T>{root, root, std::numeric_limits<T>::max()}))
        << n;
  }
}

TEST_F(SmallIntegers, HaveTheirRootsInRowsOfEveryLength) {
  ForEachTarget([] {
    ExpectRoots<int8_t>(-25);
    ExpectRoots<uint8_t>(51);
    ExpectRoots<int16_t>(-6553);
    ExpectRoots<uint16_t>(13107);
    ExpectRoots<int32_t>(-429'496'729);
    ExpectRoots<uint32_t>(858'993'459);
  });
}

// In rows of equal elements the root is the element's times that of the length.
TEST_F(SmallIntegers, HaveTheSquaresOfAllTheirNeighbours) {
  ForEachTarget([] {
    for (int64_t root = 1; root <= 127; ++root) {
      const int64_t n = root * root;
      EXPECT_EQ(Roots(std::vector<int8_t>(kRows * n, -1), n),
                std::vector<int8_t>(kRows, static_cast<int8_t>(root)));
      EXPECT_EQ(Roots(std::vector<int16_t>(kRows * n, -200), n),
                std::vector<int16_t>(kRows, static_cast<int16_t>(200 * root)));
      EXPECT_EQ(
          Roots(std::vector<int32_t>(kRows * n, -2'000'000), n),
          std::vector<int32_t>(kRows, static_cast<int32_t>(2'000'000 * root)));
    }
  });
}

}  // namespace
}  // namespace reductor
