// Tensors that arrive in pieces. That the bits are those of one piece is shown
// in reduce_bits_test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "core/reduce.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int64_t kMiB = 1 << 20;

// Of float32.
std::vector<Plan> PlansForSums(std::vector<int64_t> shape,
                               std::vector<int64_t> axes) {
  return PlansFor(DType::kFloat32, std::move(shape), Operator::kReduceSum,
                  std::move(axes));
}

absl::Cord Floats(int64_t count, float value) {
  return absl::Cord(BytesOf(std::vector<float>(count, value)));
}

TEST(PiecewiseReduce, FoldsElementsThatStraddlePieces) {
  const std::vector<Plan> plans = PlansForSums({3}, {0});
  PiecewiseReduce reduce(plans);
  const std::string bytes = BytesOf(std::vector<float>{1, 20, 300});
  for (const char byte : bytes) {
    EXPECT_TRUE(
        reduce.Consume(absl::Cord(std::string(1, byte)), NeverCancelled).ok());
  }
  EXPECT_THAT(ValuesOf<float>(reduce.TakeResults(0)), ElementsAre(321));
}

TEST(PiecewiseReduce, GivesResultsAsSoonAsTheyAreFinal) {
  // Rows of 4 KiB; 128 of them fill a range.
  const std::vector<Plan> plans = PlansForSums({1024, 1024}, {1});
  PiecewiseReduce reduce(plans);
  ASSERT_TRUE(reduce.Consume(Floats(129 * 1024, 1), NeverCancelled).ok());
  EXPECT_THAT(ValuesOf<float>(reduce.TakeResults(0)),
              AllOf(SizeIs(128), Each(1024)));
  ASSERT_TRUE(reduce.Consume(Floats(127 * 1024, 2), NeverCancelled).ok());
  const std::vector<float> next = ValuesOf<float>(reduce.TakeResults(0));
  ASSERT_THAT(next, SizeIs(128));
  EXPECT_EQ(next[0], 1024);
  EXPECT_EQ(next[1], 2048);
}

TEST(PiecewiseReduce, GivesTheColumnsOfEachOuterIndexWhenItsRowsHaveEnded) {
  const std::vector<Plan> plans = PlansForSums({3, 512, 512}, {1});
  PiecewiseReduce reduce(plans);
  ASSERT_TRUE(reduce.Consume(Floats(512 * 511, 1), NeverCancelled).ok());
  EXPECT_THAT(ValuesOf<float>(reduce.TakeResults(0)), IsEmpty());
  ASSERT_TRUE(reduce.Consume(Floats(512, 1), NeverCancelled).ok());
  EXPECT_THAT(ValuesOf<float>(reduce.TakeResults(0)),
              AllOf(SizeIs(512), Each(512)));
}

TEST(PiecewiseReduce, GivesTheResultsOfNothingAtOnce) {
  const std::vector<Plan> plans = PlansForSums({2, 0}, {1});
  PiecewiseReduce reduce(plans);
  EXPECT_THAT(ValuesOf<float>(reduce.TakeResults(0)), ElementsAre(0, 0));
}

TEST(PiecewiseReduce, GivesAnyNumberOfResultsOfNothing) {
  const std::vector<Plan> plans =
      MakePlans(RequestFor(DType::kFloat32, {200'001, 0},
                           Openvino(Operator::kReduceProd, {1})))
          .value();
  PiecewiseReduce reduce(plans);
  EXPECT_THAT(ValuesOf<float>(reduce.TakeResults(0)),
              AllOf(SizeIs(200'001), Each(1)));
}

TEST(PiecewiseReduce, PassesTheBytesOfAnIdentityOn) {
  const std::vector<Plan> plans =
      MakePlans(
          RequestFor(DType::kInt16, {2}, Openvino(Operator::kReduceProd, {})))
          .value();
  PiecewiseReduce reduce(plans);
  ASSERT_TRUE(reduce.Consume(absl::Cord("abc"), NeverCancelled).ok());
  EXPECT_EQ(reduce.TakeResults(0), "abc");
  ASSERT_TRUE(reduce.Consume(absl::Cord("d"), NeverCancelled).ok());
  EXPECT_EQ(reduce.TakeResults(0), "d");
}

TEST(PiecewiseReduce, HoldsLessThanAMebibyteOfTheTensor) {
  std::atomic<int64_t> held = 0;
  const auto counted_piece = [&held](int64_t size) {
    auto* const bytes = new std::string(size, '\0');
    held += size;
    return absl::MakeCordFromExternal(*bytes, [bytes, size, &held] {
      held -= size;
      delete bytes;
    });
  };
  // A request whose ranges end at different bytes.
  RequestSpec request = RequestFor(DType::kUint8, {1000, 77, 1000},
                                   Openvino(Operator::kReduceSum, {0}));
  request.reductions.push_back(Openvino(Operator::kReduceMax, {1}));
  request.reductions.push_back(Openvino(Operator::kReduceMean, {2}));
  request.reductions.push_back(Openvino(Operator::kReduceMin, {0, 1, 2}));
  const std::vector<Plan> plans = MakePlans(request).value();
  PiecewiseReduce reduce(plans);
  constexpr int64_t kPiece = 70'000;
  for (int64_t rest = plans[0].input_bytes(); rest > 0; rest -= kPiece) {
    const absl::Cord piece = counted_piece(std::min(rest, kPiece));
    ASSERT_TRUE(reduce.Consume(piece, NeverCancelled).ok());
    for (size_t i = 0; i < plans.size(); ++i) (void)reduce.TakeResults(i);
    ASSERT_LT(held, kMiB + kPiece);
  }
}

TEST(Reduce, StopsSoonAfterItIsCancelled) {
  const absl::Cord data = Floats(16 * kMiB, 1);
  const std::vector<Plan> plans = PlansForSums({16 * kMiB}, {0});
  std::atomic<int> asked = 0;
  const auto third_time = [&asked] { return ++asked >= 3; };
  const auto results = Reduce(plans, data, third_time);
  EXPECT_EQ(results.status().code(), absl::StatusCode::kCancelled);
  // Of all ranges no more were begun than threads were at work.
  EXPECT_LE(asked, 3 + Threads());
}

TEST(Reduce, DoesNotBeginWithASmallTensorThatNobodyWaitsFor) {
  const auto results =
      Reduce(PlansForSums({24}, {0}), Floats(24, 1), [] { return true; });
  EXPECT_EQ(results.status().code(), absl::StatusCode::kCancelled);
}

// Whether a thread other than this one folds a part of as many bytes, reduced
// so many times: each asks for itself whether anyone waits.
bool IsShared(Operator op, int64_t bytes, int times = 1) {
  const std::vector<Plan> plans(
      times, PlansFor(DType::kFloat32, {bytes / 4}, op, {0})[0]);
  const absl::Cord data = Floats(bytes / 4, 1);
  const std::thread::id here = std::this_thread::get_id();
  std::atomic<bool> is_shared = false;
  (void)Reduce(plans, data, [&] {
    if (std::this_thread::get_id() != here) is_shared = true;
    return false;
  });
  return is_shared;
}

TEST(Reduce, StaysOnItsThreadWhereToWakeOthersTakesLonger) {
  SetThreads(2);
  for (int i = 0; i < 20; ++i) {
    EXPECT_FALSE(IsShared(Operator::kReduceSum, 3 * kMiB));
    EXPECT_FALSE(IsShared(Operator::kReduceLogSumExp, kMiB / 4));
  }
}

TEST(Reduce, SharesWhatTakesLong) {
  if (std::thread::hardware_concurrency() < 2) {
    GTEST_SKIP() << "another thread needs a CPU";
  }
  SetThreads(2);
  // One that sleeps may come too late for a single tensor.
  const auto is_shared_at_last = [](Operator op, int64_t bytes, int times = 1) {
    for (int i = 0; i < 1000; ++i) {
      if (IsShared(op, bytes, times)) return true;
    }
    return false;
  };
  EXPECT_TRUE(is_shared_at_last(Operator::kReduceSum, 16 * kMiB));
  EXPECT_TRUE(is_shared_at_last(Operator::kReduceLogSumExp, kMiB));
  EXPECT_TRUE(is_shared_at_last(Operator::kReduceSum, kMiB / 4, 64));
}

}  // namespace
}  // namespace reductor
