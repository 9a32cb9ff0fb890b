// Results at the edges, by hand: what a user of the operators' definitions
// would write down.
#include "core/reduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "tests/core/targets.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

ReduceSpec L1(std::vector<int64_t> axes) {
  return Onnx(Operator::kReduceL1, std::move(axes));
}
ReduceSpec Prod(std::vector<int64_t> axes) {
  return Onnx(Operator::kReduceProd, std::move(axes));
}
ReduceSpec OpenvinoL1(std::vector<int64_t> axes) {
  return Openvino(Operator::kReduceL1, std::move(axes));
}

TEST(ReduceL1, SumsAbsoluteValuesAlongEachAxis) {
  const std::vector<float> x = {1, -2, 3, -4, 5, -6};
  EXPECT_THAT(Reduced(x, {2, 3}, L1({0})), ElementsAre(5, 7, 9));
  EXPECT_THAT(Reduced(x, {2, 3}, L1({1})), ElementsAre(6, 15));
  EXPECT_THAT(Reduced(x, {2, 3}, L1({0, 1})), ElementsAre(21));
  EXPECT_THAT(Reduced(x, {2, 3}, L1({})), ElementsAre(21));
}

TEST(ReduceL1, FoldsInnerOuterAndMiddleAxes) {
  std::vector<int32_t> x(24);
  for (int i = 0; i < 24; ++i) x[i] = i % 2 ? -i : i;
  EXPECT_THAT(Reduced(x, {2, 3, 4}, L1({0, 2})), ElementsAre(60, 92, 124));
  EXPECT_THAT(Reduced(x, {2, 3, 4}, L1({1})),
              ElementsAre(12, 15, 18, 21, 48, 51, 54, 57));
}

TEST(ReduceL1, WrapsTheAbsoluteValueOfTheSmallestInteger) {
  EXPECT_THAT(Reduced<int32_t>({INT32_MIN}, {1}, L1({0})),
              ElementsAre(INT32_MIN));
  EXPECT_THAT(Reduced<int32_t>({INT32_MIN, INT32_MIN}, {2}, L1({0})),
              ElementsAre(0));
  EXPECT_THAT(Reduced<int64_t>({INT64_MIN}, {1}, Noop(Operator::kReduceL1)),
              ElementsAre(INT64_MIN));
  EXPECT_THAT(Reduced<int8_t>({-128, 1}, {2}, OpenvinoL1({0})),
              ElementsAre(-127));
}

TEST(ReduceL1, WrapsSumsModuloTheWidthOfTheType) {
  EXPECT_THAT(Reduced<int32_t>({INT32_MAX, 1}, {2}, L1({0})),
              ElementsAre(INT32_MIN));
  EXPECT_THAT(Reduced<uint32_t>({UINT32_MAX, 3}, {2}, L1({0})), ElementsAre(2));
  EXPECT_THAT(Reduced<uint8_t>({200, 100}, {2}, OpenvinoL1({0})),
              ElementsAre(44));
  EXPECT_THAT(Reduced<int16_t>({-32768, -32768, -5}, {3}, OpenvinoL1({0})),
              ElementsAre(5));
}

TEST(ReduceL1, IsExactWhereFloatsWouldRound) {
  EXPECT_THAT(Reduced<int64_t>({kBig, 0}, {2}, L1({0})), ElementsAre(kBig));
  EXPECT_THAT(Reduced<uint64_t>({UINT64_MAX, 0}, {2}, L1({0})),
              ElementsAre(UINT64_MAX));
}

TEST(ReduceL1, CountsSeventeenMillionFloatOnesAlongAxis0) {
  const std::vector<float> ones(17'000'000, 1);
  EXPECT_THAT(Reduced(ones, {17'000'000, 1}, L1({0})), ElementsAre(17000000));
  EXPECT_THAT(Reduced(ones, {8'500'000, 2}, L1({0})), Each(8500000));
}

TEST(ReduceL1, RoundsSixteenBitFloatsOnceToEven) {
  EXPECT_THAT(Widened(Reduced(Narrowed<BFloat16>({256, -1.5}), {2}, L1({0}))),
              ElementsAre(258));
  EXPECT_THAT(Widened(Reduced(Narrowed<BFloat16>(std::vector<double>(5000, 1)),
                              {5000}, L1({0}))),
              ElementsAre(4992));
  EXPECT_THAT(Widened(Reduced(Narrowed<Float16>({60000, -5520}), {2}, L1({0}))),
              ElementsAre(kInf));
  EXPECT_THAT(Widened(Reduced(Narrowed<Float16>({60000, -5500}), {2}, L1({0}))),
              ElementsAre(65504));
}

TEST(ReduceL1, TakesFloat16AtOpset1) {
  ReduceSpec spec = L1({0});
  spec.opset = 1;
  EXPECT_THAT(Widened(Reduced(Narrowed<Float16>({1.5, -2}), {2}, spec)),
              ElementsAre(3.5));
}

TEST(ReduceL1, PropagatesNanAndInfinity) {
  EXPECT_THAT(Reduced<float>({1, -kInf}, {2}, L1({0})), ElementsAre(kInf));
  EXPECT_TRUE(std::isnan(Reduced<float>({kNan, kInf}, {2}, L1({0}))[0]));
  for (int64_t position = 0; position < 34; ++position) {
    std::vector<float> x(34, 1);
    x[position] = kNan;
    EXPECT_TRUE(std::isnan(Reduced(x, {34}, L1({0}))[0])) << position;
    EXPECT_TRUE(std::isnan(Reduced(x, {34, 1}, L1({0}))[0])) << position;
  }
}

TEST(ReduceL1, TakesTheAbsoluteValueOfAScalar) {
  EXPECT_THAT(Reduced<float>({-3}, {}, L1({})), ElementsAre(3));
}

TEST(ReduceL1, TakesAbsoluteValuesWithNoop) {
  EXPECT_THAT(
      Reduced<float>({-1, 2, -0.0f, -kInf}, {2, 2}, Noop(Operator::kReduceL1)),
      ElementsAre(1, 2, 0, kInf));
}

TEST(ReduceL1, LeavesNegativeValuesAloneForOpenvinoWithoutAxes) {
  const std::vector<float> x = {-1, -0.0f, kNan};
  EXPECT_EQ(BytesOf(Reduced(x, {3}, OpenvinoL1({}))), BytesOf(x));
}

TEST(ReduceL1, GivesZeroForNothing) {
  EXPECT_THAT(Reduced<float>({}, {2, 0, 2}, L1({-2})), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(Reduced<int32_t>({}, {0}, L1({})), ElementsAre(0));
  EXPECT_THAT(Reduced<uint8_t>({}, {0}, OpenvinoL1({0})), ElementsAre(0));
}

TEST(ReduceL1, GivesNothingForAKeptExtentOfZero) {
  EXPECT_THAT(Reduced<float>({}, {2, 0}, L1({0})), IsEmpty());
}

TEST(ReduceProd, MultipliesAlongEachAxis) {
  const std::vector<float> x = {1, -2, 3, -4, 5, -6};
  EXPECT_THAT(Reduced(x, {2, 3}, Prod({0})), ElementsAre(-4, -10, -18));
  EXPECT_THAT(Reduced(x, {2, 3}, Prod({1})), ElementsAre(-6, 120));
}

TEST(ReduceProd, GivesOneForNothing) {
  EXPECT_THAT(Reduced<float>({}, {0, 2}, Prod({0})), ElementsAre(1, 1));
  EXPECT_THAT(Reduced<int64_t>({}, {0}, Prod({})), ElementsAre(1));
  EXPECT_THAT(Widened(Reduced<Float16>({}, {0}, Prod({}))), ElementsAre(1));
}

TEST(ReduceProd, DoesNotOverflowOnTheWayInFloat32) {
  EXPECT_THAT(Reduced<float>({1e30f, 1e30f, 1e-30f}, {3}, Prod({0})),
              ElementsAre(1e30f));
  std::vector<double> eights(51, 8);
  eights[50] = 0;
  EXPECT_THAT(Widened(Reduced(Narrowed<Float16>(eights), {51}, Prod({0}))),
              ElementsAre(0));
}

TEST(ReduceProd, WrapsModuloTheWidthOfTheType) {
  EXPECT_THAT(Reduced<int32_t>({INT32_MAX, 3}, {2}, Prod({0})),
              ElementsAre(INT32_MAX - 2));
  EXPECT_THAT(Reduced<int64_t>({INT64_MIN, 3}, {2}, Prod({0})),
              ElementsAre(INT64_MIN));
  EXPECT_THAT(Reduced<uint32_t>({65536, 65536}, {2}, Prod({0})),
              ElementsAre(0));
}

TEST(ReduceProd, LeavesTheTensorAloneWithNoop) {
  EXPECT_THAT(Reduced<float>({-1, 2, kInf}, {3}, Noop(Operator::kReduceProd)),
              ElementsAre(-1, 2, kInf));
}

TEST(ReduceProd, IsNanForZeroTimesInfinity) {
  EXPECT_TRUE(std::isnan(Reduced<float>({0, kInf}, {2}, Prod({0}))[0]));
}

// Folds of columns begin with nothing or, where that shows in no result, with
// the first row.
void ForEachColumns(const std::function<void(int64_t, int64_t)>& body) {
  ForEachTarget([&] {
    for (const int64_t rows : {2, 3, 4, 9, 17, 40}) {
      for (const int64_t cols : {1, 3, 16, 65, 300}) {
        SCOPED_TRACE(testing::Message() << rows << " x " << cols);
        body(rows, cols);
      }
    }
  });
}

TEST(ReduceProd, OfColumnsKeepsTheSignOfZero) {
  ForEachColumns([](int64_t rows, int64_t cols) {
    const std::vector<float> x(rows * cols, -0.0F);
    for (const float product : Reduced(x, {rows, cols}, Prod({0}))) {
      EXPECT_TRUE(product == 0 && std::signbit(product) == (rows % 2 == 1));
    }
  });
}

TEST(Reduce, AddsMinusZerosOfColumnsUpToZero) {
  ForEachColumns([](int64_t rows, int64_t cols) {
    const std::vector<float> x(rows * cols, -0.0F);
    for (const Operator op : {Operator::kReduceSum, Operator::kReduceL1,
                              Operator::kReduceSumSquare}) {
      for (const float sum : Reduced(x, {rows, cols}, Onnx(op, {0}))) {
        EXPECT_TRUE(sum == 0 && !std::signbit(sum)) << NameOf(op);
      }
    }
  });
}

// In the first row, of either sign, signalling and with digits of their own.
TEST(Reduce, MakesOneNanOfAllInColumns) {
  ForEachColumns([](int64_t rows, int64_t cols) {
    std::vector<float> x(rows * cols, 1);
    for (int64_t c = 0; c < cols; ++c) {
      const uint32_t bits = c % 2 == 0 ? 0xffa12345 : 0x7fa00001 + c;
      x[c] = std::bit_cast<float>(bits);
    }
    for (const Operator op : {Operator::kReduceProd, Operator::kReduceL1,
                              Operator::kReduceSumSquare}) {
      for (const float nan : Reduced(x, {rows, cols}, Onnx(op, {0}))) {
        EXPECT_EQ(std::bit_cast<uint32_t>(nan), 0x7fc00000U) << NameOf(op);
      }
    }
  });
}

TEST(Reduce, AnswersSeveralReductionsInOrder) {
  RequestSpec request = RequestFor(DType::kFloat32, {2, 2}, L1({0}));
  request.reductions.push_back(Prod({1}));
  request.reductions.push_back(OpenvinoL1({}));
  request.reductions.push_back(L1({}));
  const std::vector<float> x = {1, -2, 3, -4};
  const Results results =
      Reduce(MakePlans(request).value(), absl::Cord(BytesOf(x))).value();
  ASSERT_EQ(results.size(), 4u);
  EXPECT_THAT(ValuesOf<float>(results[0].ToCord()), ElementsAre(4, 6));
  EXPECT_THAT(ValuesOf<float>(results[1].ToCord()), ElementsAre(-2, -12));
  EXPECT_THAT(ValuesOf<float>(results[2].ToCord()), ElementsAre(1, -2, 3, -4));
  EXPECT_THAT(ValuesOf<float>(results[3].ToCord()), ElementsAre(10));
}

TEST(Reduce, SharesTheTensorsMemoryWithAnIdentity) {
  const absl::Cord data = MisalignedPiece(std::string(4096, 'x'));
  const std::vector<Plan> plans =
      MakePlans(RequestFor(DType::kUint8, {4096}, OpenvinoL1({}))).value();
  const absl::Cord result = Reduce(plans, data).value()[0].ToCord();
  EXPECT_EQ(result.TryFlat()->data(), data.TryFlat()->data());
}

TEST(Reduce, LeavesEveryBitOfWhatNoopKeepsAsItIs) {
  // -0, a NaN that carries something, and a subnormal.
  const std::vector<uint32_t> bits = {0x80000000, 0x7fc01234, 0x00000001};
  const absl::Cord data(BytesOf(bits));
  const ReduceSpec noop{.op = Operator::kReduceSum,
                        .noop_with_empty_axes = true};
  const std::vector<Plan> plans =
      MakePlans(RequestFor(DType::kFloat32, {3}, noop)).value();
  EXPECT_EQ(Reduce(plans, data).value()[0].ToCord(), data);
}

TEST(Reduce, FoldsSixtyFourDims) {
  std::vector<int64_t> shape(64, 1);
  shape[1] = 2;
  shape[31] = 3;
  shape[62] = 2;
  EXPECT_THAT(Reduced<int32_t>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, shape,
                               L1({1, 62})),
              ElementsAre(18, 26, 34));
}

}  // namespace
}  // namespace reductor
