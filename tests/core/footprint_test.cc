#include "core/footprint.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "core/reduce.h"
#include "tests/core/allocated_bytes.h"
#include "tests/core/tensors.h"

namespace reductor {
namespace {

constexpr int64_t kMiB = 1 << 20;

TEST(Reduce, TakesNoMemoryInProportionToTheTensor) {
  const absl::Cord data = MisalignedPiece(std::string(64 * kMiB, '\1'));
  for (const auto& [shape, axes] :
       {std::pair<std::vector<int64_t>, std::vector<int64_t>>{{16 * kMiB}, {0}},
        {{4096, 4096}, {1}},
        {{4096, 4096}, {0}},
        {{64, 512, 512}, {1}}}) {
    const std::vector<Plan> plans =
        PlansFor(DType::kFloat32, shape, Operator::kReduceL1, axes);
    EXPECT_LT(allocated_bytes::PeakOf([&] { (void)Reduce(plans, data); }),
              2 * kMiB)
        << testing::PrintToString(shape);
  }
}

// The bound holds for what is allocated, and is not far above it.
TEST(WorkingBytes, BoundsWhatReducingAllocates) {
  SetThreads(2);
  // In pieces, as rows that lie together may need no states that wait.
  absl::Cord data;
  for (int i = 0; i < 16; ++i) {
    data.Append(MisalignedPiece(std::string(kMiB, '\1')));
  }
  const struct {
    DType dtype;
    Operator op;
    std::vector<int64_t> shape;
    std::vector<int64_t> axes;
  } cases[] = {
      {DType::kFloat32, Operator::kReduceSum, {64, 65536}, {0}},
      {DType::kFloat32, Operator::kReduceSum, {4, 1048576}, {0}},
      {DType::kUint8, Operator::kReduceMean, {2, 8388608}, {0}},
      {DType::kUint8, Operator::kArgMax, {2, 8388608}, {0}},
      {DType::kUint8, Operator::kArgMax, {64, 262144}, {0}},
      {DType::kUint8, Operator::kArgMax, {16777216, 1}, {1}},
      {DType::kFloat64, Operator::kReduceL2, {256, 32, 256}, {0, 2}},
      {DType::kFloat64, Operator::kReduceMean, {2048, 1024}, {0}},
      {DType::kFloat32, Operator::kArgMax, {4096, 1024}, {0}},
      {DType::kFloat32, Operator::kReduceSum, {1024, 4096}, {0}},
      {DType::kUint8, Operator::kReduceSum, {4096, 4096}, {0}},
      {DType::kUint8, Operator::kArgMax, {32, 2, 262144}, {1}},
      {DType::kFloat32, Operator::kReduceSum, {64, 2, 32768}, {1}},
      {DType::kFloat64, Operator::kReduceL2, {256, 8192}, {0}},
      {DType::kFloat64, Operator::kReduceMean, {256, 8192}, {0}},
      // In ranges of 128 KiB, of which a wave has more.
      {DType::kFloat32, Operator::kReduceLogSumExp, {4194304}, {0}},
      {DType::kFloat32, Operator::kReduceLogSumExp, {65536, 64}, {1}},
      {DType::kFloat32, Operator::kReduceLogSumExp, {32, 8192, 16}, {1}},
  };
  for (const auto& c : cases) {
    const std::vector<Plan> plans = PlansFor(c.dtype, c.shape, c.op, c.axes);
    const int64_t peak =
        allocated_bytes::PeakOf([&] { (void)Reduce(plans, data); });
    // Vectors of a few hundred bytes are not counted.
    EXPECT_LE(peak, WorkingBytes(plans) + kMiB)
        << NameOf(c.op) << testing::PrintToString(c.shape);
    EXPECT_GE(4 * peak + kMiB, WorkingBytes(plans))
        << NameOf(c.op) << testing::PrintToString(c.shape);
  }
}

TEST(PiecewiseWorkingBytes, BoundsWhatManyStripsOfFewRowsAllocate) {
  const std::vector<Plan> plans =
      PlansFor(DType::kUint8, {8, 2, 300000}, Operator::kArgMax, {1});
  const std::string piece(8 * 300000, '\1');
  const int64_t peak = allocated_bytes::PeakOf([&] {
    PiecewiseReduce reduce(plans);
    for (int i = 0; i < 2; ++i) {
      (void)reduce.Consume(MisalignedPiece(piece), [] { return false; });
      (void)reduce.TakeResults(0);
    }
  });
  // What the test itself cuts the piece into.
  const int64_t pieces = 2 * static_cast<int64_t>(piece.size());
  EXPECT_LE(peak, PiecewiseWorkingBytes(plans) + pieces + kMiB);
}

// 512 KiB are a range, 16 ranges of this one a wave: the first one has 15.
TEST(PiecewiseWorkingBytes, BoundsWhatAWaveLargerThanTheOneBeforeAllocates) {
  SetThreads(1);
  const std::vector<Plan> plans =
      PlansFor(DType::kFloat64, {9, 2, 3, 65536}, Operator::kReduceL2, {0, 2});
  const int64_t first = 15 * kMiB / 2;
  const absl::Cord data(std::string(plans[0].input_bytes(), '\1'));
  const int64_t peak = allocated_bytes::PeakOf([&] {
    PiecewiseReduce reduce(plans);
    (void)reduce.Consume(data.Subcord(0, first), NeverCancelled);
    (void)reduce.Consume(data.Subcord(first, data.size() - first),
                         NeverCancelled);
    (void)reduce.TakeResults(0);
  });
  EXPECT_LE(peak, PiecewiseWorkingBytes(plans) + kMiB);
  SetThreads(2);
}

TEST(WorkingBytes, CountsAllResultsAndPiecewiseOnlyTheOpenOnes) {
  // A gigabyte of results, of 4 KiB each time the middle axis ends.
  std::vector<Plan> plans =
      PlansFor(DType::kFloat32, {262144, 100, 1024}, Operator::kReduceSum, {1});
  EXPECT_GE(WorkingBytes(plans), 1024 * kMiB);
  EXPECT_LT(PiecewiseWorkingBytes(plans), 32 * kMiB);
}

TEST(PiecewiseWorkingBytes, HasFewResultsOfAWaveHoweverLargeTheyAre) {
  // 16 MiB of these uint8 have 64 MiB of places.
  const std::vector<Plan> plans =
      PlansFor(DType::kUint8, {64, 2, 300000}, Operator::kArgMax, {1});
  EXPECT_LT(PiecewiseWorkingBytes(plans), 48 * kMiB);
}

TEST(WorkingBytes, IsInt64sLargestWhereItIsMore) {
  const int64_t exa = int64_t{1} << 60;
  EXPECT_EQ(WorkingBytes(
                PlansFor(DType::kUint8, {2, exa - 1}, Operator::kArgMax, {0})),
            std::numeric_limits<int64_t>::max());
}

TEST(WorkingBytes, OfOneResultGrowsOnlyByTheLogarithmOfTheTensor) {
  EXPECT_LT(WorkingBytes(PlansFor(DType::kUint8, {int64_t{1} << 60},
                                  Operator::kReduceMax, {0})),
            64 * 1024);
}

TEST(OpenResultBytes, AreThoseBelowTheOutermostReducedAxis) {
  const auto open = [](std::vector<int64_t> shape, std::vector<int64_t> axes) {
    return OpenResultBytes(PlansFor(DType::kFloat32, std::move(shape),
                                    Operator::kReduceSum, std::move(axes)));
  };
  EXPECT_EQ(open({1000, 50}, {0, 1}), 4);
  EXPECT_EQ(open({1000, 50}, {1}), 4);
  EXPECT_EQ(open({1000, 50}, {0}), 200);
  EXPECT_EQ(open({9, 8, 7, 6, 5}, {1, 3}), 7 * 5 * 4);
}

TEST(OpenResultBytes, AreAllResultsOfATensorWithoutElements) {
  EXPECT_EQ(OpenResultBytes(PlansFor(DType::kFloat64, {3, 0, 5},
                                     Operator::kReduceSum, {1})),
            3 * 5 * 8);
}

TEST(OpenResultBytes, AreNoneWhereNothingIsReduced) {
  ReduceSpec noop{.op = Operator::kReduceL1, .noop_with_empty_axes = true};
  EXPECT_EQ(OpenResultBytes(
                MakePlans(RequestFor(DType::kFloat32, {4, 4}, noop)).value()),
            0);
}

TEST(OpenResultBytes, AreThoseOfAllReductionsTogether) {
  RequestSpec request = RequestFor(DType::kFloat32, {10, 20},
                                   {.op = Operator::kReduceSum, .axes = {0}});
  request.reductions.push_back({.op = Operator::kArgMax, .axes = {0}});
  EXPECT_EQ(OpenResultBytes(MakePlans(request).value()), 20 * 4 + 20 * 8);
}

}  // namespace
}  // namespace reductor
