// Rows that are so wide that a few of them are a wave: where all of them have
// come their columns are folded whole, and else as they come.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/plan.h"
#include "tests/core/positions.h"
#include "tests/core/same_bits.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

// 20 MB a slab: several waves of its columns.
constexpr int64_t kSlabs = 2;
constexpr int64_t kRows = 4;
constexpr int64_t kCols = 1'250'003;

// Row r of column c of slab s: no sum of these is rounded.
float ElementAt(int64_t s, int64_t r, int64_t c) {
  return static_cast<float>((c + 3 * r + s) % 8);
}

std::vector<float> WideSlabs() {
  std::vector<float> x;
  x.reserve(kSlabs * kRows * kCols);
  for (int64_t s = 0; s < kSlabs; ++s) {
    for (int64_t r = 0; r < kRows; ++r) {
      for (int64_t c = 0; c < kCols; ++c) x.push_back(ElementAt(s, r, c));
    }
  }
  return x;
}

TEST(ReduceSum, AddsTheRowsOfWideSlabs) {
  std::vector<float> sums;
  for (int64_t s = 0; s < kSlabs; ++s) {
    for (int64_t c = 0; c < kCols; ++c) {
      sums.push_back(ElementAt(s, 0, c) + ElementAt(s, 1, c) +
                     ElementAt(s, 2, c) + ElementAt(s, 3, c));
    }
  }
  EXPECT_TRUE(Reduced(WideSlabs(), {kSlabs, kRows, kCols},
                      Onnx(Operator::kReduceSum, {1})) == sums);
}

TEST(ArgMax, FindsPlacesInTheRowsOfWideSlabs) {
  // By (c + s) % 8: elements from row to row are that, and three more each
  // time, modulo 8.
  constexpr int64_t kPlaces[] = {2, 2, 1, 1, 1, 3, 3, 0};
  std::vector<int64_t> places;
  for (int64_t s = 0; s < kSlabs; ++s) {
    for (int64_t c = 0; c < kCols; ++c) places.push_back(kPlaces[(c + s) % 8]);
  }
  EXPECT_TRUE(Positions(WideSlabs(), {kSlabs, kRows, kCols}, ArgMax({1})) ==
              places);
}

// Rows of less than a strip, but from memory: ranges of them are joined.
TEST(ReduceSumAndMax, OfManyRowsFromMemory) {
  constexpr int64_t kManyRows = 1100;
  constexpr int64_t kFewCols = 4097;
  std::vector<float> x;
  std::vector<float> sums(kFewCols);
  std::vector<float> largest(kFewCols);
  x.reserve(kManyRows * kFewCols);
  for (int64_t r = 0; r < kManyRows; ++r) {
    for (int64_t c = 0; c < kFewCols; ++c) {
      x.push_back(static_cast<float>(c % 11 + (r == c % kManyRows ? 5 : 0)));
    }
  }
  for (int64_t c = 0; c < kFewCols; ++c) {
    sums[c] = static_cast<float>(c % 11 * kManyRows + 5);
    largest[c] = static_cast<float>(c % 11 + 5);
  }
  const std::vector<int64_t> shape = {kManyRows, kFewCols};
  EXPECT_TRUE(Reduced(x, shape, Onnx(Operator::kReduceSum, {0})) == sums);
  EXPECT_TRUE(Reduced(x, shape, Onnx(Operator::kReduceMax, {0})) == largest);
}

// Slabs of which some lie in a piece whole and others are cut by its end.
TEST_F(SameBits, OfPlacesInManySmallerSlabsOfWideRows) {
  for (const auto& [rows, cols] :
       {std::pair<int64_t, int64_t>{3, 200'001}, {40, 43'701}}) {
    const std::vector<int64_t> shape = {8, rows, cols};
    const std::string x = RandomBytes(8 * rows * cols, rng_);
    ExpectSameBitsEverywhere(RequestFor(DType::kUint8, shape, ArgMin({1})), x,
                             rng_);
  }
}

// Several chains of rows, whose states round.
TEST_F(SameBits, OfManyWideRows) {
  const std::vector<int64_t> shape = {20, 525'000};
  const std::string x = RandomFloat64s(20 * 525'000 / 4, rng_);
  const ReduceSpec log_sum_exp = Onnx(Operator::kReduceLogSumExp, {0});
  ExpectSameBitsEverywhere(RequestFor(DType::kFloat16, shape, log_sum_exp), x,
                           rng_);
}

// Beside a reduction of all, which goes on row by row.
TEST_F(SameBits, OfWideSlabsThatHaveComeAndThatCome) {
  const std::vector<int64_t> shape = {2, 3, 1'050'000};
  const std::string x = RandomFloat64s(2 * 3 * 1'050'000, rng_);
  for (const ReduceSpec& of_columns :
       {Onnx(Operator::kReduceSum, {1}), ArgMin({1})}) {
    RequestSpec request = RequestFor(DType::kFloat64, shape, of_columns);
    ExpectSameBitsEverywhere(request, x, rng_);
    request.reductions.push_back(Onnx(Operator::kReduceMean, {0, 1, 2}));
    ExpectSameBitsEverywhere(request, x, rng_);
  }
}

}  // namespace
}  // namespace reductor
