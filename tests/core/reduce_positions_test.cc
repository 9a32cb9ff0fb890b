// ArgMax and ArgMin at the edges, and along rows, by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/core/positions.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

TEST(ArgMax, FindsTheLargestAlongEachAxis) {
  const std::vector<float> x = {1, 5, 3, 4, 2, 6};
  EXPECT_THAT(Positions(x, {2, 3}, ArgMax({})), ElementsAre(1, 0, 1));
  EXPECT_THAT(Positions(x, {2, 3}, ArgMax({1})), ElementsAre(1, 2));
  EXPECT_THAT(Positions(x, {2, 3}, ArgMin({-1})), ElementsAre(0, 1));
}

TEST(ArgMax, FindsAMiddleAxisOfALongTensor) {
  std::vector<int32_t> x(3 * 5000 * 2, 7);
  x[2 * 4321 + 1] = 8;
  x[2 * 5000 * 2 + 2 * 17] = 9;
  EXPECT_THAT(Positions(x, {3, 5000, 2}, ArgMax({1})),
              ElementsAre(0, 4321, 0, 0, 17, 0));
}

TEST(ArgMax, FindsTheEndsOfARowOfManyRanges) {
  for (const int64_t position : {0, 1023, 1024, 65535, 65536, 299999}) {
    std::vector<float> x(300000, 1);
    x[position] = 2;
    EXPECT_THAT(Positions(x, {300000}, ArgMax({0})), ElementsAre(position));
  }
}

TEST(ArgMax, FindsTheEndsOfThePiecesOfLongRowsOfBytes) {
  for (const int64_t n : {131072, 300000}) {
    for (const int64_t position :
         {int64_t{0}, int64_t{4095}, int64_t{4096}, int64_t{131071}, n - 1}) {
      std::vector<int8_t> x(n, 1);
      x[position] = 2;
      EXPECT_THAT(Positions(x, {n}, ArgMax({0})), ElementsAre(position));
    }
  }
}

TEST(ArgMax, TakesTheFirstOfEqualsUnlessToldTheLast) {
  const std::vector<float> x = {1, 3, 3, 1};
  EXPECT_THAT(Positions(x, {4}, ArgMax({0})), ElementsAre(1));
  EXPECT_THAT(Positions(x, {4}, ArgMax({0}, true)), ElementsAre(2));
  EXPECT_THAT(Positions(x, {4}, ArgMin({0})), ElementsAre(0));
  EXPECT_THAT(Positions(x, {4}, ArgMin({0}, true)), ElementsAre(3));
  EXPECT_THAT(Positions(x, {4, 1}, ArgMin({0}, true)), ElementsAre(3));
  EXPECT_THAT(Positions(x, {2, 2}, ArgMax({0}, true)), ElementsAre(1, 0));
}

// Rows of `others`, but for two elements that equal each other.
template <class T>
void ExpectFirstAndLastOfEquals(const ReduceSpec& spec, double others,
                                double first, double last) {
  ReduceSpec to_last = spec;
  to_last.select_last_index = true;
  for (const int64_t n : {2,   3,   4,   5,   7,    8,    9,    15,   16,  17,
                          31,  32,  33,  63,  64,   65,   80,   100,  128, 129,
                          255, 256, 300, 512, 1025, 2047, 2400, 5000, 9000}) {
    constexpr int64_t kRows = 4;
    std::vector<double> x(kRows * n, others);
    std::vector<int64_t> firsts;
    std::vector<int64_t> lasts;
    for (int64_t r = 0; r < kRows; ++r) {
      firsts.push_back(r * n / 7);
      lasts.push_back(n - 1 - firsts.back() / 3);
      x[r * n + firsts.back()] = first;
      x[r * n + lasts.back()] = last;
    }
    EXPECT_EQ(Positions(Narrowed<T>(x), {kRows, n}, spec), firsts) << n;
    EXPECT_EQ(Positions(Narrowed<T>(x), {kRows, n}, to_last), lasts) << n;
  }
}

template <class T>
void ExpectFirstAndLastOfEqualNumbers() {
  ExpectFirstAndLastOfEquals<T>(ArgMax({1}), 5, 7, 7);
  ExpectFirstAndLastOfEquals<T>(ArgMin({1}), 7, 5, 5);
}

template <class T>
void ExpectFirstAndLastOfEqualFloats() {
  ExpectFirstAndLastOfEqualNumbers<T>();
  ExpectFirstAndLastOfEquals<T>(ArgMax({1}), -1, -0.0, 0.0);
  ExpectFirstAndLastOfEquals<T>(ArgMin({1}), 1, 0.0, -0.0);
  ExpectFirstAndLastOfEquals<T>(ArgMax({1}), kInf, kNan, -kNan);
  ExpectFirstAndLastOfEquals<T>(ArgMin({1}), -kInf, -kNan, kNan);
}

TEST(ArgMax, TakesTheFirstOrTheLastOfEqualsInRowsOfEveryLength) {
  ForEachTarget([] {
    ExpectFirstAndLastOfEqualFloats<float>();
    ExpectFirstAndLastOfEqualFloats<double>();
    ExpectFirstAndLastOfEqualFloats<Float16>();
    ExpectFirstAndLastOfEqualFloats<BFloat16>();
    ExpectFirstAndLastOfEqualNumbers<int8_t>();
    ExpectFirstAndLastOfEqualNumbers<uint8_t>();
    ExpectFirstAndLastOfEqualNumbers<int16_t>();
    ExpectFirstAndLastOfEqualNumbers<uint16_t>();
    ExpectFirstAndLastOfEqualNumbers<int32_t>();
    ExpectFirstAndLastOfEqualNumbers<uint32_t>();
    ExpectFirstAndLastOfEqualNumbers<int64_t>();
    ExpectFirstAndLastOfEqualNumbers<uint64_t>();
  });
}

// Of as many rows as each has elements: row r has its best at r, and all of the
// last one are equal.
template <class T>
void ExpectEveryPlace(ReduceSpec spec, double others, double best) {
  for (const int64_t n : {130, 1031}) {
    std::vector<double> x(n * n, others);
    std::vector<int64_t> places(n);
    for (int64_t r = 0; r + 1 < n; ++r) {
      x[r * n + r] = best;
      places[r] = r;
    }
    EXPECT_EQ(Positions(Narrowed<T>(x), {n, n}, spec), places) << n;
    spec.select_last_index = true;
    places[n - 1] = n - 1;
    EXPECT_EQ(Positions(Narrowed<T>(x), {n, n}, spec), places) << n;
    spec.select_last_index = false;
  }
}

TEST(ArgMax, FindsEveryPlaceOfARow) {
  ForEachTarget([] {
#define X(enumerator, type, name)              \
  if constexpr (!std::is_same_v<type, Bool>) { \
    ExpectEveryPlace<type>(ArgMax({1}), 5, 7); \
    ExpectEveryPlace<type>(ArgMin({1}), 5, 3); \
  }
    REDUCTOR_DTYPES(X)
#undef X
  });
}

TEST(ArgMax, TakesTheFirstOrTheLastOfEqualsInTheLongestRows) {
  for (const int64_t n : {8191, 8192}) {
    std::vector<int8_t> x(2 * n, 1);
    x[1] = x[n - 1] = x[n] = x[2 * n - 2] = 2;
    EXPECT_THAT(Positions(x, {2, n}, ArgMax({1})), ElementsAre(1, 0));
    EXPECT_THAT(Positions(x, {2, n}, ArgMax({1}, true)),
                ElementsAre(n - 1, n - 2));
  }
}

// The first and the last of equals wherever they stand in the first, the last
// and a middle part of a row of more than 128 KiB.
template <class T>
void ExpectPlacesOfAVeryLongRow(T others, T best) {
  constexpr int64_t kElements = 131072 / sizeof(T) + 1031;
  constexpr int64_t kPart = 1300;
  std::vector<T> x(kElements, others);
  for (const int64_t begin :
       {int64_t{0}, kElements / 2, kElements - kPart - 50}) {
    for (int64_t first = begin; first < begin + kPart; first += 7) {
      const int64_t last = first + first % 50;
      x[first] = x[last] = best;
      EXPECT_THAT(Positions(x, {kElements}, ArgMax({0})), ElementsAre(first));
      EXPECT_THAT(Positions(x, {kElements}, ArgMax({0}, true)),
                  ElementsAre(last));
      x[first] = x[last] = others;
    }
  }
  x[kElements - 1] = best;
  EXPECT_THAT(Positions(x, {kElements}, ArgMax({0})),
              ElementsAre(kElements - 1));
}

TEST(ArgMax, TakesTheFirstOrTheLastOfEqualsInAVeryLongRow) {
  ForEachTarget([] {
    ExpectPlacesOfAVeryLongRow<int16_t>(-5, 7);
    ExpectPlacesOfAVeryLongRow<uint32_t>(5, 7);
    ExpectPlacesOfAVeryLongRow<int64_t>(-5, 7);
    ExpectPlacesOfAVeryLongRow<float>(-5, 7);
    ExpectPlacesOfAVeryLongRow<double>(5, kNan);
  });
}

TEST(ArgMax, FindsPlacesInManyWideRows) {
  constexpr int64_t kRows = 101;
  for (const int64_t cols : {256, 257, 1000}) {
    std::vector<float> x(kRows * cols, 1);
    std::vector<int64_t> places;
    for (int64_t c = 0; c < cols; ++c) {
      places.push_back(c * 7 % kRows);
      x[places.back() * cols + c] = 2;
    }
    EXPECT_EQ(Positions(x, {kRows, cols}, ArgMax({0})), places) << cols;
  }
}

TEST(ArgMax, TakesZeroAndMinusZeroAsEqual) {
  EXPECT_THAT(Positions<float>({-0.0f, 0.0f}, {2}, ArgMax({0})),
              ElementsAre(0));
  EXPECT_THAT(Positions<float>({0.0f, -0.0f}, {2}, ArgMin({0})),
              ElementsAre(0));
  EXPECT_THAT(Positions<double>({0.0, -0.0}, {2}, ArgMax({0}, true)),
              ElementsAre(1));
}

TEST(ArgMax, LetsANanWin) {
  const std::vector<float> x = {8, kNan, 3, -kNan, 5};
  EXPECT_THAT(Positions(x, {5}, ArgMax({0})), ElementsAre(1));
  EXPECT_THAT(Positions(x, {5}, ArgMin({0})), ElementsAre(1));
  EXPECT_THAT(Positions(x, {5}, ArgMax({0}, true)), ElementsAre(3));
  EXPECT_THAT(Positions(x, {5, 1}, ArgMin({0}, true)), ElementsAre(3));
}

TEST(ArgMax, ComparesInTheTypeItself) {
  const int64_t big = int64_t{1} << 60;
  EXPECT_THAT(Positions<int64_t>({big, big + 1}, {2}, ArgMax({0})),
              ElementsAre(1));
  EXPECT_THAT(Positions<uint8_t>({127, 128}, {2}, ArgMax({0})), ElementsAre(1));
}

TEST(ArgMax, FindsTheFirstOfTheLowestValues) {
  EXPECT_THAT(Positions<float>({-kInf, -kInf}, {2}, ArgMax({0})),
              ElementsAre(0));
  EXPECT_THAT(Positions<int32_t>({INT32_MIN, INT32_MIN}, {2, 1}, ArgMax({0})),
              ElementsAre(0));
}

TEST(ArgMax, OfAScalarIsZeroUpToOpset10) {
  ReduceSpec spec = {.op = Operator::kArgMax, .opset = 10};
  EXPECT_THAT(Positions<float>({5}, {}, spec), ElementsAre(0));
}

}  // namespace
}  // namespace reductor
