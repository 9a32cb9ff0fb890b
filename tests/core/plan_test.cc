#include "core/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/core/requests.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int64_t kHuge = int64_t{1} << 40;

TEST(MakePlans, MergesNeighboursOfAKindIntoOneTile) {
  const Plan plan = PlanOf({2, 3, 4, 5}, {1, 2});
  EXPECT_THAT(plan.loops, ElementsAre(Loop{2, false}));
  EXPECT_EQ(plan.reduced, 12);
  EXPECT_EQ(plan.inner, 5);
  EXPECT_EQ(plan.input_count, 120);
  EXPECT_EQ(plan.output_count, 10);
  EXPECT_EQ(plan.reduced_count, 12);
}

TEST(MakePlans, KeepsAlternatingLoopsInMemoryOrder) {
  const Plan plan = PlanOf({2, 3, 4, 5, 6}, {1, 2, 4});
  EXPECT_THAT(plan.loops,
              ElementsAre(Loop{2, false}, Loop{12, true}, Loop{5, false}));
  EXPECT_EQ(plan.reduced, 6);
  EXPECT_EQ(plan.inner, 1);
}

TEST(MakePlans, DropsDimsOfExtentOne) {
  const Plan plan = PlanOf({1, 6, 1, 4, 1}, {0, 1, 4});
  EXPECT_THAT(plan.loops, IsEmpty());
  EXPECT_EQ(plan.reduced, 6);
  EXPECT_EQ(plan.inner, 4);
}

TEST(MakePlans, ReducesAllAxesOfOnnxWhenNoneIsNamed) {
  const Plan plan = PlanOf({3, 4}, {});
  EXPECT_EQ(plan.reduced, 12);
  EXPECT_EQ(plan.output_count, 1);
  EXPECT_THAT(plan.output_shape, ElementsAre(1, 1));
}

TEST(MakePlans, CountsNegativeAxesFromTheBackInAnyOrder) {
  EXPECT_THAT(PlanOf({2, 3, 4}, {-1, 0}).output_shape, ElementsAre(1, 3, 1));
  EXPECT_THAT(PlanOf({2, 3, 4}, {-3, 2}).output_shape, ElementsAre(1, 3, 1));
}

TEST(MakePlans, DropsReducedAxesWithoutKeepDims) {
  RequestSpec request = RequestOf({2, 3, 4}, {1});
  request.reductions[0].keep_dims = false;
  EXPECT_THAT(PlanOf(request).output_shape, ElementsAre(2, 4));
}

TEST(MakePlans, DropsReducedAxesOfOpenvinoByDefault) {
  RequestSpec request = RequestOf({2, 3, 4}, {1});
  request.reductions[0].family = Family::kOpenvino;
  EXPECT_THAT(PlanOf(request).output_shape, ElementsAre(2, 4));
  request.reductions[0].keep_dims = true;
  EXPECT_THAT(PlanOf(request).output_shape, ElementsAre(2, 1, 4));
}

TEST(MakePlans, IsTheIdentityForOpenvinoWithoutAxes) {
  RequestSpec request = RequestOf({2, 3}, {});
  request.reductions[0].family = Family::kOpenvino;
  const Plan plan = PlanOf(request);
  EXPECT_TRUE(plan.is_identity);
  EXPECT_THAT(plan.output_shape, ElementsAre(2, 3));
}

TEST(MakePlans, ReducesNothingWithNoopAndNoAxes) {
  RequestSpec request = RequestOf({2, 3}, {});
  request.reductions[0].noop_with_empty_axes = true;
  request.reductions[0].keep_dims = false;
  const Plan plan = PlanOf(request);
  EXPECT_FALSE(plan.is_identity);
  EXPECT_THAT(plan.output_shape, ElementsAre(2, 3));
  EXPECT_EQ(plan.reduced, 1);
  EXPECT_EQ(plan.inner, 6);
  EXPECT_EQ(plan.reduced_count, 1);
}

TEST(MakePlans, IsTheIdentityForNoopOfOperatorsThatOnlyReduce) {
  RequestSpec request = RequestOf({2, 3}, {});
  ReduceSpec& noop = request.reductions[0];
  noop.noop_with_empty_axes = true;
  for (const Operator op : {Operator::kReduceProd, Operator::kReduceSum,
                            Operator::kReduceMean, Operator::kReduceMax,
                            Operator::kReduceMin, Operator::kReduceLogSumExp}) {
    noop.op = op;
    EXPECT_TRUE(PlanOf(request).is_identity) << NameOf(op);
  }
  for (const Operator op :
       {Operator::kReduceL1, Operator::kReduceL2, Operator::kReduceSumSquare,
        Operator::kReduceLogSum}) {
    noop.op = op;
    EXPECT_FALSE(PlanOf(request).is_identity) << NameOf(op);
  }
}

TEST(MakePlans, IgnoresNoopBesideAxes) {
  RequestSpec request = RequestOf({2, 3}, {0});
  request.reductions[0].noop_with_empty_axes = true;
  EXPECT_THAT(PlanOf(request).output_shape, ElementsAre(1, 3));
}

TEST(MakePlans, KeepsAScalarAScalar) {
  const Plan plan = PlanOf({}, {});
  EXPECT_THAT(plan.output_shape, IsEmpty());
  EXPECT_EQ(plan.input_count, 1);
  EXPECT_EQ(plan.reduced_count, 1);
}

TEST(MakePlans, ReducesAZeroExtentToOne) {
  const Plan plan = PlanOf({2, 0, 4}, {-2});
  EXPECT_THAT(plan.output_shape, ElementsAre(2, 1, 4));
  EXPECT_EQ(plan.output_count, 8);
  EXPECT_EQ(plan.reduced_count, 0);
}

TEST(MakePlans, KeepsAZeroExtentEmpty) {
  const Plan plan = PlanOf({2, 0, 4}, {0});
  EXPECT_THAT(plan.output_shape, ElementsAre(1, 0, 4));
  EXPECT_EQ(plan.output_count, 0);
}

TEST(MakePlans, HasNoElementsBesideAZeroExtentWhateverTheOthersAre) {
  RequestSpec request = RequestOf({0}, {0});
  request.tensor->shape = {kHuge, 0, kHuge};
  EXPECT_EQ(PlanOf(request).output_count, 0);
}

TEST(MakePlans, LetsAZeroExtentMakeAHugeResult) {
  RequestSpec request = RequestOf({0}, {1});
  request.tensor->shape = {kHuge, 0};
  EXPECT_EQ(PlanOf(request).output_count, kHuge);
}

TEST(MakePlans, MakesOnePlanForEachReductionInOrder) {
  RequestSpec request = RequestOf({2, 3}, {0});
  request.reductions.push_back({.op = Operator::kReduceProd, .axes = {1}});
  const std::vector<Plan> plans = MakePlans(request).value();
  ASSERT_EQ(plans.size(), 2u);
  EXPECT_EQ(plans[0].op, Operator::kReduceL1);
  EXPECT_EQ(plans[1].op, Operator::kReduceProd);
  EXPECT_THAT(plans[1].output_shape, ElementsAre(2, 1));
}

// The invariants that plan.h states, on any shape.
TEST(MakePlans, CoversEveryElementOnce) {
  std::mt19937 rng(1);
  for (int round = 0; round < 2000; ++round) {
    const int rank = static_cast<int>(rng() % 7);
    std::vector<int64_t> shape;
    std::vector<int64_t> axes;
    for (int d = 0; d < rank; ++d) {
      shape.push_back(1 + rng() % 4);
      if (rng() % 2) axes.push_back(rng() % 2 ? d : d - rank);
    }
    const Plan plan = PlanOf(shape, axes);
    int64_t kept = plan.inner;
    int64_t reduced = plan.reduced;
    for (size_t i = 0; i < plan.loops.size(); ++i) {
      (plan.loops[i].reduced ? reduced : kept) *= plan.loops[i].extent;
      EXPECT_NE(plan.loops[i].extent, 1);
      if (i == 0) continue;
      EXPECT_NE(plan.loops[i].reduced, plan.loops[i - 1].reduced);
    }
    EXPECT_EQ(kept, plan.output_count);
    EXPECT_EQ(reduced, plan.reduced_count);
    EXPECT_EQ(kept * reduced, plan.input_count);
  }
}

TEST(MakePlans, AnswersPositionsAsInt64AlongAxis0UnlessNamed) {
  RequestSpec request = RequestOf({2, 3}, {});
  request.reductions[0].op = Operator::kArgMax;
  EXPECT_EQ(PlanOf(request).output_dtype, DType::kInt64);
  EXPECT_THAT(PlanOf(request).output_shape, ElementsAre(1, 3));
  request.reductions[0].axes = {-1};
  EXPECT_THAT(PlanOf(request).output_shape, ElementsAre(2, 1));
}

TEST(MakePlans, IsNoIdentityForBooleansWhoseBytesMayBeAny) {
  RequestSpec request = RequestOf({4}, {});
  request.tensor->dtype = DType::kBool;
  request.tensor->data_bytes = 4;
  request.reductions[0].op = Operator::kReduceLogicalOr;
  request.reductions[0].family = Family::kOpenvino;
  const Plan plan = PlanOf(request);
  EXPECT_FALSE(plan.is_identity);
  EXPECT_EQ(plan.inner, 4);
}

}  // namespace
}  // namespace reductor
