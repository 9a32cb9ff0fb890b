// Rows that are so wide that a few of them are a wave: where all of them have
// come their columns are folded whole, and else as they come.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
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

// Slabs of which some lie in a piece whole and others are cut by its end.
TEST_F(SameBits, OfPlacesInManySmallerSlabsOfWideRows) {
  for (const int64_t rows : {3, 40}) {
    const std::vector<int64_t> shape = {8, rows, 43'701};
    const std::string x = RandomBytes(8 * rows * 43'701, rng_);
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
