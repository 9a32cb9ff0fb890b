// Small tensors take ways of their own: their bits are those of the others.
#include "core/small_tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/plan.h"
#include "core/shape.h"
#include "tests/core/same_bits.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

class SmallTensor : public SameBits {
 protected:
  // Of every operator and type, along the axis.
  void ExpectSameBits(const std::vector<int64_t>& shape, int64_t axis) {
    SCOPED_TRACE(testing::PrintToString(shape));
    const int64_t count = CountElements(shape, sizeof(double)).value();
    for (const DType dtype : kDTypes) {
      SCOPED_TRACE(NameOf(dtype));
      const std::string bytes = RandomBytes(count * SizeOf(dtype), rng_);
      for (const RequestSpec& request : EveryOperator(dtype, shape, {{axis}})) {
        EXPECT_TRUE(IsSmall(MakePlans(request).value()[0]));
        ExpectSameBitsEverywhere(request, bytes, rng_);
      }
    }
  }
};

TEST_F(SmallTensor, OfOneRowOrOneColumnHasTheSameBits) {
  ExpectSameBits({1}, 0);
  ExpectSameBits({24}, 0);
  ExpectSameBits({1, 5}, 0);
  ExpectSameBits({5, 1}, 1);
}

TEST_F(SmallTensor, OfRowsHasTheSameBits) {
  ExpectSameBits({4, 6}, 1);
  ExpectSameBits({3, 1023}, 1);
}

// Rows of up to 8 KiB are folded by one call of the kernel, of 1,024 elements
// of 8 bytes; a block of a longer one has 32 KiB.
TEST_F(SmallTensor, OfLongRowsHasTheSameBits) {
  ExpectSameBits({2, 1024}, 1);
  ExpectSameBits({2, 1025}, 1);
  ExpectSameBits({2, 4096}, 1);
  ExpectSameBits({4097}, 0);
  ExpectSameBits({8192}, 0);
}

TEST(IsSmall, IsTrueOfOneRange) {
  const auto is_small = [](Operator op, const std::vector<int64_t>& shape) {
    return IsSmall(PlansFor(DType::kFloat32, shape, op, {-1})[0]);
  };
  // Of 512 KiB.
  EXPECT_TRUE(is_small(Operator::kReduceSum, {131072}));
  EXPECT_FALSE(is_small(Operator::kReduceSum, {131073}));
  EXPECT_TRUE(is_small(Operator::kReduceSum, {64, 2048}));
  EXPECT_FALSE(is_small(Operator::kReduceSum, {64, 2049}));
  // Of 128 KiB.
  EXPECT_TRUE(is_small(Operator::kReduceLogSumExp, {32768}));
  EXPECT_FALSE(is_small(Operator::kReduceLogSumExp, {32769}));
  EXPECT_FALSE(is_small(Operator::kReduceSum, {2, 0}));
}

TEST(IsSmall, IsFalseOfStrips) {
  const auto is_small = [](const std::vector<int64_t>& shape) {
    return IsSmall(
        PlansFor(DType::kFloat32, shape, Operator::kReduceSum, {0})[0]);
  };
  EXPECT_TRUE(is_small({128, 1024}));
  EXPECT_FALSE(is_small({20, 6000}));
}

// As large as they may be: in one piece, and cut. Of float64 the order of all
// additions shows, of bytes rows may end early.
TEST_F(SmallTensor, OfARangeHasTheSameBits) {
  const struct {
    DType dtype;
    std::vector<int64_t> shape;
    std::vector<int64_t> axes;
  } cases[] = {{DType::kFloat64, {65536}, {0}},
               {DType::kFloat64, {128, 512}, {0}},
               {DType::kFloat64, {128, 512}, {1}},
               {DType::kFloat64, {8192, 8}, {0}},
               {DType::kFloat64, {16, 16, 256}, {1}},
               {DType::kFloat64, {16, 16, 256}, {0, 2}},
               {DType::kUint8, {128, 4096}, {1}},
               {DType::kUint8, {2048, 256}, {0}}};
  for (const auto& [dtype, shape, axes] : cases) {
    SCOPED_TRACE(testing::PrintToString(shape));
    const int64_t count = CountElements(shape, SizeOf(dtype)).value();
    const std::string bytes = dtype == DType::kFloat64
                                  ? RandomFloat64s(count, rng_)
                                  : RandomBytes(count, rng_);
    for (const RequestSpec& request : EveryOperator(dtype, shape, {axes})) {
      // Positions have one axis.
      if (request.reductions.empty()) continue;
      const Operator op = request.reductions[0].op;
      EXPECT_EQ(IsSmall(MakePlans(request).value()[0]),
                op != Operator::kReduceLogSumExp);
      ExpectSameBitsEverywhere(request, bytes, rng_);
    }
  }
}

// A slab of up to 16 rows is folded at once.
TEST_F(SmallTensor, OfSlabsHasTheSameBits) {
  ExpectSameBits({2, 3, 4}, 1);
  ExpectSameBits({2, 16, 5}, 1);
  ExpectSameBits({2, 17, 5}, 1);
  ExpectSameBits({16, 64}, 0);
  ExpectSameBits({17, 64}, 0);
}

// The order of all their additions shows.
TEST_F(SmallTensor, OfFloat64SumsHasTheSameBits) {
  const struct {
    std::vector<int64_t> shape;
    int64_t axis;
  } cases[] = {{{8000}, 0},    {{2, 1024}, 1}, {{3, 1500}, 1},
               {{2, 3, 4}, 1}, {{16, 60}, 0},  {{17, 60}, 0},
               {{1000, 3}, 0}, {{16, 64}, 0},  {{2, 64, 16}, 1}};
  for (const auto& [shape, axis] : cases) {
    SCOPED_TRACE(testing::PrintToString(shape));
    const int64_t count = CountElements(shape, sizeof(double)).value();
    const std::string bytes = RandomFloat64s(count, rng_);
    for (const RequestSpec& request :
         EveryOperator(DType::kFloat64, shape, {{axis}})) {
      ExpectSameBitsEverywhere(request, bytes, rng_);
    }
  }
}

TEST_F(SmallTensor, OfMoreAxesHasTheSameBits) {
  ExpectSameBits({3, 2, 4, 5}, 0);
  ExpectSameBits({3, 2, 4, 5}, 3);
}

// Over dims 0 and 2 of 3 x n x 2: of the six elements of a result, one is no 0.
template <class T>
void ExpectResultsOfEach(int64_t n) {
  SCOPED_TRACE(testing::Message() << n << " of " << NameOf(kDTypeOf<T>));
  std::vector<T> x(6 * n, 0);
  std::vector<T> values;
  std::vector<T> logarithms;
  std::vector<T> means;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t value = 1000 * (i + 1);
    x[2 * (n + i)] = static_cast<T>(value);
    values.push_back(static_cast<T>(value));
    logarithms.push_back(static_cast<T>(std::log(static_cast<double>(value))));
    means.push_back(static_cast<T>(value / 6));
  }
  const auto results = [&](Operator op) {
    return Reduced(x, {3, n, 2}, Onnx(op, 18, {0, 2}));
  };
  EXPECT_EQ(results(Operator::kReduceLogSum), logarithms);
  EXPECT_EQ(results(Operator::kReduceMean), means);
  EXPECT_EQ(results(Operator::kReduceL2), values);
  // The exponential of -1000 counts no more.
  EXPECT_EQ(results(Operator::kReduceLogSumExp), values);
}

// Eight to fifteen results are made eight at a time, some of them twice.
TEST(SmallTensorResults, OfAnyNumberAreThoseOfEach) {
  ForEachTarget([] {
    for (int64_t n = 1; n <= 40; ++n) {
      ExpectResultsOfEach<int32_t>(n);
      ExpectResultsOfEach<uint32_t>(n);
      ExpectResultsOfEach<int64_t>(n);
      ExpectResultsOfEach<uint64_t>(n);
    }
  });
}

}  // namespace
}  // namespace reductor
