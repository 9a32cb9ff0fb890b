// The same request gives the same bits on every instruction set, with any
// number of threads, and however its bytes were cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/dtype.h"
#include "core/reduce.h"
#include "core/shape.h"
#include "tests/core/same_bits.h"
#include "tests/core/tensors.h"

namespace reductor {
namespace {

TEST_F(SameBits, OfEveryOperatorAndTypeAlongAnyAxes) {
  for (const DType dtype : kDTypes) {
    SCOPED_TRACE(NameOf(dtype));
    const std::vector<int64_t> shape = {3, 5, 41, 7};
    const std::string bytes = RandomBytes(3 * 5 * 41 * 7 * SizeOf(dtype), rng_);
    ExpectSameBitsOfEveryOperator(
        dtype, shape, {{0}, {1}, {2}, {3}, {0, 2}, {1, 3}, {}}, bytes);
  }
}

TEST_F(SameBits, OfEveryOperatorAndTypeInRowsOfAnyLength) {
  for (const DType dtype : kDTypes) {
    SCOPED_TRACE(NameOf(dtype));
    for (const int64_t n : {5, 7, 9, 13, 17, 24, 31, 33, 47, 63, 100, 257}) {
      const std::string bytes = RandomBytes(19 * n * SizeOf(dtype), rng_);
      ExpectSameBitsOfEveryOperator(dtype, {19, n}, {{1}}, bytes);
    }
  }
}

// Among the bytes of floats are NaNs of either sign: most rows have one. The
// columns of a single row are single elements.
TEST_F(SameBits, OfEveryOperatorAndTypeInFewLongRows) {
  for (const DType dtype : kDTypes) {
    SCOPED_TRACE(NameOf(dtype));
    const int64_t whole = 40'000 / SizeOf(dtype) - 3;
    const int64_t in_strips = 280'000 / SizeOf(dtype) - 3;
    for (const auto& [rows, cols] :
         {std::pair{int64_t{1}, whole}, {2, whole}, {2, in_strips}}) {
      const std::string bytes =
          NeverAbsorbing(rows * cols * SizeOf(dtype), rng_);
      ExpectSameBitsOfEveryOperator(dtype, {rows, cols}, {{0}, {1}}, bytes);
    }
  }
}

// Strips of columns, and chains of their rows; a last strip of a few columns.
TEST_F(SameBits, OfEveryOperatorAndTypeInManyColumns) {
  for (const DType dtype : kDTypes) {
    SCOPED_TRACE(NameOf(dtype));
    for (const int64_t cols :
         {16'384 / SizeOf(dtype) + 901, 4 * 8192 / SizeOf(dtype) + 3}) {
      const std::string bytes = RandomBytes(33 * cols * SizeOf(dtype), rng_);
      ExpectSameBitsOfEveryOperator(dtype, {33, cols}, {{0}}, bytes);
    }
  }
}

// Long enough for several ranges, blocks and chains in each layout, and for
// several threads: 6 MB and more.
TEST_F(SameBits, OfFloat64SumsOfManyRanges) {
  const struct {
    std::vector<int64_t> shape;
    std::vector<std::vector<int64_t>> axes_sets;
  } cases[] = {
      {{1200001}, {{0}}},
      {{6000, 200}, {{0}, {1}}},
      {{2, 600000}, {{0}, {1}}},
      {{600000, 2}, {{0}, {1}}},
      {{130, 10000}, {{0}}},
      {{33, 4103}, {{0}}},
      {{40, 9000}, {{0}}},
      {{420, 3, 1000}, {{1}}},
      {{2, 72, 9000}, {{1}}},
      {{2, 70, 2100}, {{1}}},
      {{3, 100, 9000}, {{1}}},
      {{40, 1000, 30}, {{0, 2}, {1}}},
      {{320, 3, 1300}, {{0, 2}, {0, 1}}},
      {{70000, 3, 6}, {{0, 2}}},
      {{6000, 5, 10, 3}, {{0, 2}}},
      {{3, 5, 65536}, {{0, 2}}},
      {{14, 12, 11, 5, 140}, {{0, 2, 4}, {1, 3}, {0}}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.shape));
    const std::string bytes =
        RandomFloat64s(CountElements(c.shape, sizeof(double)).value(), rng_);
    ExpectSameBitsOfEveryOperator(DType::kFloat64, c.shape, c.axes_sets, bytes);
  }
}

// A request of one reduction folds several ranges as one, if they lie together.
TEST_F(SameBits, OfManyRangesThatMayBeFoldedAsOne) {
  for (const DType dtype : {DType::kUint8, DType::kInt16, DType::kFloat32,
                            DType::kInt64, DType::kFloat64}) {
    SCOPED_TRACE(NameOf(dtype));
    const int64_t n = 900'000 / SizeOf(dtype) + 1;
    const struct {
      std::vector<int64_t> shape;
      std::vector<int64_t> axes;
    } cases[] = {
        {{6 * n}, {0}},
        {{2, 3 * n}, {1}},
        {{n, 6}, {1}},
        {{n / 100, 610}, {0}},
        {{n / 60, 6, 61}, {0, 2}},
        {{n / 60, 3, 20, 6}, {1, 3}},
    };
    for (const auto& [shape, axes] : cases) {
      SCOPED_TRACE(testing::PrintToString(shape));
      const std::string bytes = NeverAbsorbing(
          CountElements(shape, SizeOf(dtype)).value() * SizeOf(dtype), rng_);
      ExpectSameBitsOfEveryOperator(dtype, shape, {axes}, bytes);
    }
  }
}

// So many that threads fold some of them as one, wave by wave.
TEST_F(SameBits, OfRangesOfSeveralWaves) {
  const std::vector<int64_t> shape = {3, 14'000'001};
  const std::string bytes = RandomBytes(3 * 14'000'001, rng_);
  for (const int64_t axis : {0, 1}) {
    for (const Operator op : {Operator::kReduceMax, Operator::kArgMin}) {
      ExpectSameBitsEverywhere(
          RequestFor(DType::kUint8, shape, {.op = op, .axes = {axis}}), bytes,
          rng_);
    }
  }
}

// Whose lanes are filled several times, a last time in part.
TEST_F(SameBits, OfFloat64SumsInRowsOfAFewThousand) {
  for (const int64_t n :
       {1025, 1056, 1100, 2100, 3000, 4095, 4096, 4097, 6289}) {
    SCOPED_TRACE(n);
    const std::string bytes = RandomFloat64s(7 * n, rng_);
    ExpectSameBitsOfEveryOperator(DType::kFloat64, {7, n}, {{1}, {0, 1}},
                                  bytes);
  }
}

// Numbers of very different sizes and then the same with the other sign, in
// another order: of their sums nothing is left but what rounding made of them,
// so that any other order shows in float32 too.
template <class T>
std::string CancellingFloats(int64_t count, int largest, std::mt19937& rng) {
  std::uniform_real_distribution<double> fraction(-1, 1);
  std::uniform_int_distribution<int> exponent(-largest, largest);
  std::vector<T> x(count);
  for (int64_t i = 0; i < count / 2; ++i) {
    x[i] = Narrow<T>(std::ldexp(fraction(rng), exponent(rng)));
    x[count / 2 + i] = Narrow<T>(-Widen(x[i]));
  }
  std::shuffle(x.begin() + count / 2, x.end(), rng);
  return BytesOf(x);
}

// Of exponents up to `largest`, in rows of `n` elements, all and columns.
template <class T>
void ExpectSameBitsOfCancellingSums(int64_t n, int largest, std::mt19937& rng) {
  SCOPED_TRACE(testing::Message() << n << " of 2^" << largest);
  constexpr DType kDType = kDTypeOf<T>;
  std::string rows;
  for (int r = 0; r < 3; ++r) rows += CancellingFloats<T>(n, largest, rng);
  const std::string all = CancellingFloats<T>(8 * n, largest, rng);
  for (const Operator op : {Operator::kReduceSum, Operator::kReduceMean}) {
    ExpectSameBitsEverywhere(
        RequestFor(kDType, {3, n}, {.op = op, .axes = {1}}), rows, rng);
    ExpectSameBitsEverywhere(
        RequestFor(kDType, {8, n}, {.op = op, .axes = {0, 1}}), all, rng);
    ExpectSameBitsEverywhere(
        RequestFor(kDType, {40, n / 5}, {.op = op, .axes = {0}}),
        all.substr(0, n / 5 * 40 * sizeof(T)), rng);
  }
}

TEST_F(SameBits, OfFloat32SumsThatCancel) {
  for (const int64_t n : {300, 2049, 5000, 8192, 9000, 100'000}) {
    ExpectSameBitsOfCancellingSums<float>(n, 40, rng_);
  }
}

// Whose exponents leave room in float32 for eight, for some or for few, and in
// float64 for all, for some and for few.
TEST_F(SameBits, OfBFloat16SumsThatCancel) {
  for (const int64_t n : {300, 2049, 8192, 100'000}) {
    for (const int largest : {2, 6, 15, 25, 40}) {
      ExpectSameBitsOfCancellingSums<BFloat16>(n, largest, rng_);
    }
  }
}

// Some of the sums do, on the way or at the end.
TEST_F(SameBits, OfFloat64MeansWhoseSumsOverflow) {
  for (const std::vector<int64_t>& shape :
       {std::vector<int64_t>{300'000, 2}, {3000, 200}, {300, 5000}}) {
    const std::string bytes =
        RandomFloat64s(shape[0] * shape[1], rng_, /*largest=*/1023);
    RequestSpec request =
        RequestFor(DType::kFloat64, shape, {.op = Operator::kReduceMean});
    for (const int64_t axis : {0, 1}) {
      request.reductions.push_back(request.reductions[0]);
      request.reductions.back().axes = {axis};
    }
    ExpectSameBitsEverywhere(request, bytes, rng_);
  }
}

// Whole columns are folded otherwise than those of which some rows come later,
// and otherwise again where one of them has squares or sums that overflow, or
// is nothing but zeros.
TEST_F(SameBits, OfFloat64L2AndMeansInWideColumns) {
  for (const std::vector<int64_t>& shape :
       {std::vector<int64_t>{70, 2100}, {3, 55, 2101}, {33, 66'000}}) {
    const int64_t count = CountElements(shape, 1).value();
    for (const int64_t odd : {0, 1, 2}) {
      std::string bytes = RandomFloat64s(count, rng_);
      if (odd == 1) bytes.replace(0, 8000, RandomFloat64s(1000, rng_, 1023));
      for (int64_t at = 8 * 77; odd == 2 && at < 8 * count;
           at += 8 * shape.back()) {
        bytes.replace(at, 8, 8, '\0');
      }
      for (const Operator op : {Operator::kReduceL2, Operator::kReduceMean}) {
        const auto axis = static_cast<int64_t>(shape.size()) - 2;
        ExpectSameBitsEverywhere(
            RequestFor(DType::kFloat64, shape, {.op = op, .axes = {axis}}),
            bytes, rng_);
      }
    }
  }
}

// What chains of rows hold joins with what others do, of which one overflows
// and comes back, and one is so small that a part of it may be lost on the way.
TEST_F(SameBits, OfFloat64MeansOfTinyChainsBesideHugeOnes) {
  constexpr int64_t kRows = 33;
  for (const int64_t cols : {60, 200, 8195}) {
    std::vector<double> x(kRows * cols);
    for (int64_t c = 0; c < cols; ++c) {
      for (int64_t r = 0; r < 16; ++r) x[r * cols + c] = 100.5 * 0x1p-1010;
      for (const int64_t r : {16, 17}) x[r * cols + c] = 1.7e308;
      for (const int64_t r : {18, 19}) x[r * cols + c] = -1.7e308;
    }
    ExpectSameBitsEverywhere(
        RequestFor(DType::kFloat64, {kRows, cols},
                   {.op = Operator::kReduceMean, .axes = {0}}),
        BytesOf(x), rng_);
  }
}

TEST_F(SameBits, WhetherReductionsShareARequestOrNot) {
  const std::string bytes = RandomFloat64s(300000, rng_);
  RequestSpec all = RequestFor(DType::kFloat64, {300, 1000}, {});
  all.reductions.clear();
  for (const RequestSpec& request :
       EveryOperator(DType::kFloat64, {300, 1000}, {{0}, {1}, {0, 1}})) {
    all.reductions.insert(all.reductions.end(), request.reductions.begin(),
                          request.reductions.end());
  }
  const std::vector<std::string> together = ResultsOf(all, absl::Cord(bytes));
  for (size_t i = 0; i < all.reductions.size(); ++i) {
    RequestSpec one = all;
    one.reductions = {all.reductions[i]};
    EXPECT_TRUE(ResultsOf(one, absl::Cord(bytes))[0] == together[i]) << i;
  }
}

}  // namespace
}  // namespace reductor
