// The same request gives the same bits on every instruction set, with any
// number of threads, and however its bytes were cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "core/reduce.h"
#include "tests/core/seeded_test.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"

namespace reductor {
namespace {

// Bit patterns are values of any type: most float64 sums of them round in every
// addition, and many overflow or meet a NaN.
std::string RandomBytes(int64_t size, std::mt19937& rng) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(rng());
  return bytes;
}

// Finite values below 2^largest, so that the order of every addition shows.
std::string RandomFloat64s(int64_t count, std::mt19937& rng, int largest = 50) {
  std::vector<double> x(count);
  for (double& value : x) {
    value = std::ldexp(static_cast<double>(rng()) - 0x1p31,
                       largest - 31 - static_cast<int>(rng() % 40));
  }
  return BytesOf(x);
}

std::vector<std::string> ResultsOf(const RequestSpec& request,
                                   const absl::Cord& data) {
  std::vector<std::string> results;
  const std::vector<Plan> plans = MakePlans(request).value();
  const absl::StatusOr<Results> answers = Reduce(plans, data);
  for (const absl::Cord& result : *answers) {
    results.emplace_back(result);
  }
  return results;
}

// The same, of a tensor that arrives in pieces of up to `longest` bytes.
std::vector<std::string> PiecewiseResultsOf(const RequestSpec& request,
                                            const std::string& bytes,
                                            size_t longest, std::mt19937& rng) {
  const std::vector<Plan> plans = MakePlans(request).value();
  std::vector<std::string> results(plans.size());
  PiecewiseReduce reduce(plans);
  for (size_t begin = 0; begin < bytes.size();) {
    const std::string piece = bytes.substr(begin, 1 + rng() % longest);
    begin += piece.size();
    EXPECT_TRUE(reduce.Consume(MisalignedPiece(piece), NeverCancelled).ok());
    for (size_t i = 0; i < plans.size(); ++i) {
      results[i] += std::string(reduce.TakeResults(i));
    }
  }
  return results;
}

// One request for each operator that takes the type, along each of the axes.
std::vector<RequestSpec> EveryOperator(
    DType dtype, const std::vector<int64_t>& shape,
    const std::vector<std::vector<int64_t>>& axes_sets) {
  std::vector<RequestSpec> requests;
  for (const Operator op : kOperators) {
    std::optional<ReduceSpec> spec = SpecFor(op, dtype);
    if (!spec.has_value()) continue;
    RequestSpec& request = requests.emplace_back(RequestFor(dtype, shape, {}));
    request.reductions.clear();
    for (const std::vector<int64_t>& axes : axes_sets) {
      if (IsPosition(op) && axes.size() != 1) continue;
      spec->axes = axes;
      request.reductions.push_back(*spec);
    }
  }
  return requests;
}

void ExpectSameBitsEverywhere(const RequestSpec& request,
                              const std::string& bytes, std::mt19937& rng) {
  if (request.reductions.empty()) return;
  SCOPED_TRACE(NameOf(request.reductions[0].op));
  const std::vector<std::string> first =
      ResultsOf(request, MisalignedPiece(bytes));
  ForEachTarget([&] {
    SetThreads(1);
    EXPECT_TRUE(ResultsOf(request, absl::Cord(bytes)) == first);
    for (const auto& [threads, longest] :
         {std::pair{1, 7}, {2, 3000}, {5, 70000}}) {
      // Tiny pieces of a large tensor would only take long.
      if (bytes.size() / longest > 20000) continue;
      SetThreads(threads);
      EXPECT_TRUE(ResultsOf(request, CutAtRandom(bytes, longest, rng)) == first)
          << threads << " threads, pieces of up to " << longest << " bytes";
    }
    EXPECT_TRUE(PiecewiseResultsOf(request, bytes, 700'000, rng) == first);
    if (bytes.size() > 100'000) return;
    EXPECT_TRUE(PiecewiseResultsOf(request, bytes, 50, rng) == first);
  });
}

class SameBits : public SeededTest {
 protected:
  void TearDown() override { SetThreads(2); }
};

TEST_F(SameBits, OfEveryOperatorAndTypeOnSmallTensors) {
  for (const DType dtype : kDTypes) {
    SCOPED_TRACE(NameOf(dtype));
    const std::vector<int64_t> shape = {3, 5, 41, 7};
    const std::string bytes = RandomBytes(3 * 5 * 41 * 7 * SizeOf(dtype), rng_);
    for (const RequestSpec& request : EveryOperator(
             dtype, shape, {{0}, {1}, {2}, {3}, {0, 2}, {1, 3}, {}})) {
      ExpectSameBitsEverywhere(request, bytes, rng_);
    }
  }
}

TEST_F(SameBits, OfEveryOperatorAndTypeInRowsOfAnyLength) {
  for (const DType dtype : kDTypes) {
    SCOPED_TRACE(NameOf(dtype));
    for (const int64_t n : {5, 7, 9, 13, 17, 24, 31, 33, 47, 63, 100, 257}) {
      const std::string bytes = RandomBytes(19 * n * SizeOf(dtype), rng_);
      for (const RequestSpec& request : EveryOperator(dtype, {19, n}, {{1}})) {
        ExpectSameBitsEverywhere(request, bytes, rng_);
      }
    }
  }
}

// Among the bytes of floats are NaNs of either sign, and infinities: most rows
// have one. The columns of a single row are single elements.
TEST_F(SameBits, OfEveryOperatorAndTypeInFewLongRows) {
  for (const DType dtype : kDTypes) {
    SCOPED_TRACE(NameOf(dtype));
    const int64_t cols = 40'000 / SizeOf(dtype) - 3;
    for (const int64_t rows : {1, 2}) {
      const std::string bytes = RandomBytes(rows * cols * SizeOf(dtype), rng_);
      for (const RequestSpec& request :
           EveryOperator(dtype, {rows, cols}, {{0}, {1}})) {
        ExpectSameBitsEverywhere(request, bytes, rng_);
      }
    }
  }
}

// Strips of columns, and chains of their rows.
TEST_F(SameBits, OfEveryOperatorAndTypeInManyColumns) {
  for (const DType dtype : kDTypes) {
    SCOPED_TRACE(NameOf(dtype));
    const std::string bytes = RandomBytes(33 * 3100 * SizeOf(dtype), rng_);
    for (const RequestSpec& request : EveryOperator(dtype, {33, 3100}, {{0}})) {
      ExpectSameBitsEverywhere(request, bytes, rng_);
    }
  }
}

// Long enough for several ranges, blocks and chains in each layout, and for
// several threads: 4.8 MB and more.
TEST_F(SameBits, OfFloat64SumsOfManyRanges) {
  const struct {
    std::vector<int64_t> shape;
    std::vector<std::vector<int64_t>> axes_sets;
  } cases[] = {
      {{600001}, {{0}}},
      {{3000, 200}, {{0}, {1}}},
      {{2, 300000}, {{0}, {1}}},
      {{300000, 2}, {{0}, {1}}},
      {{65, 10000}, {{0}}},
      {{210, 3, 1000}, {{1}}},
      {{2, 36, 9000}, {{1}}},
      {{20, 1000, 30}, {{0, 2}, {1}}},
      {{160, 3, 1300}, {{0, 2}, {0, 1}}},
      {{35000, 3, 6}, {{0, 2}}},
      {{3000, 5, 10, 3}, {{0, 2}}},
      {{7, 12, 11, 5, 140}, {{0, 2, 4}, {1, 3}, {0}}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.shape));
    int64_t count = 1;
    for (const int64_t extent : c.shape) count *= extent;
    const std::string bytes = RandomFloat64s(count, rng_);
    for (const RequestSpec& request :
         EveryOperator(DType::kFloat64, c.shape, c.axes_sets)) {
      ExpectSameBitsEverywhere(request, bytes, rng_);
    }
  }
}

// Numbers of very different sizes and then the same with the other sign, in
// another order: of their sums nothing is left but what rounding made of them,
// so that any other order shows in float32 too.
std::string CancellingFloats(int64_t count, std::mt19937& rng) {
  std::uniform_real_distribution<float> fraction(-1, 1);
  std::uniform_int_distribution<int> exponent(-40, 40);
  std::vector<float> x(count);
  for (int64_t i = 0; i < count / 2; ++i) {
    x[i] = std::ldexp(fraction(rng), exponent(rng));
    x[count / 2 + i] = -x[i];
  }
  std::shuffle(x.begin() + count / 2, x.end(), rng);
  return BytesOf(x);
}

TEST_F(SameBits, OfFloat32SumsThatCancel) {
  for (const int64_t n : {300, 2049, 5000, 8192, 9000, 100'000}) {
    SCOPED_TRACE(n);
    std::string rows;
    for (int r = 0; r < 3; ++r) rows += CancellingFloats(n, rng_);
    const std::string all = CancellingFloats(8 * n, rng_);
    for (const Operator op : {Operator::kReduceSum, Operator::kReduceMean}) {
      ExpectSameBitsEverywhere(
          RequestFor(DType::kFloat32, {3, n}, {.op = op, .axes = {1}}), rows,
          rng_);
      ExpectSameBitsEverywhere(
          RequestFor(DType::kFloat32, {8, n}, {.op = op, .axes = {0, 1}}), all,
          rng_);
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
