// Which axes are refused, where and with which words; what else is, is in
// checks_test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/plan.h"
#include "core/violations.h"
#include "tests/core/requests.h"
#include "tests/core/violations_of.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CheckAxes, RefusesAnAxisOutOfRange) {
  EXPECT_THAT(
      ViolationsOf(RequestOf({2, 3, 4}, {0, 3, -4})),
      ElementsAre("reductions[0].axes[1] AXIS_OUT_OF_RANGE: 3 is out of range "
                  "[-3, 2] for rank 3",
                  "reductions[0].axes[2] AXIS_OUT_OF_RANGE: -4 is out of range "
                  "[-3, 2] for rank 3"));
}

TEST(CheckAxes, RefusesAnyAxisOfAScalar) {
  for (const int64_t axis : {0, -1}) {
    EXPECT_THAT(ViolationsOf(RequestOf({}, {axis})),
                ElementsAre(absl::StrCat(
                    "reductions[0].axes[0] AXIS_OUT_OF_RANGE: ", axis,
                    " is out of range: rank 0 has no axes")));
  }
}

TEST(CheckAxes, RefusesARepeatedAxisAtItsSecondOccurrence) {
  EXPECT_THAT(ViolationsOf(RequestOf({2, 3, 4}, {2, 0, -1})),
              ElementsAre("reductions[0].axes[2] AXIS_REPEATED: -1 names axis "
                          "2 again"));
}

TEST(CheckAxes, RefusesExtremeAxes) {
  EXPECT_THAT(ViolationsOf(RequestOf({2}, {INT64_MIN, INT64_MAX})),
              ElementsAre("reductions[0].axes[0] AXIS_OUT_OF_RANGE: "
                          "-9223372036854775808 is out of range [-1, 0] for "
                          "rank 1",
                          "reductions[0].axes[1] AXIS_OUT_OF_RANGE: "
                          "9223372036854775807 is out of range [-1, 0] for "
                          "rank 1"));
}

TEST(CheckAxes, RefusesASecondAxisOfAPosition) {
  RequestSpec request = RequestOf({2, 3}, {0, 1});
  request.reductions[0].op = Operator::kArgMin;
  EXPECT_THAT(ViolationsOf(request),
              ElementsAre("reductions[0].axes TOO_MANY_AXES: 2 axes, but "
                          "ArgMin takes one"));
}

TEST(CheckAxes, FindsThatAxesAreTooManyBesideWhatElseIsWrongWithThem) {
  RequestSpec request = RequestOf({2, 3}, {0, 9, 0});
  request.reductions[0].op = Operator::kArgMax;
  EXPECT_THAT(
      ViolationsOf(request),
      ElementsAre("reductions[0].axes[1] AXIS_OUT_OF_RANGE: 9 is out of range "
                  "[-2, 1] for rank 2",
                  "reductions[0].axes[2] AXIS_REPEATED: 0 names axis 0 again",
                  "reductions[0].axes TOO_MANY_AXES: 3 axes, but ArgMax takes "
                  "one"));
  request.tensor.reset();
  EXPECT_THAT(ViolationsOf(request),
              ElementsAre("tensor TENSOR_MISSING: the request has no tensor",
                          "reductions[0].axes TOO_MANY_AXES: 3 axes, but "
                          "ArgMax takes one"));
}

TEST(CheckAxes, CountsTheAxesAtFaultThatItDoesNotList) {
  const RequestSpec request =
      RequestOf({2, 3}, std::vector<int64_t>(200'000, 1));
  const Violations violations =
      Violations::FromStatus(MakePlans(request).status());
  EXPECT_EQ(violations.count(), 199'999);
  ASSERT_EQ(violations.kept().size(), 16u);
  EXPECT_EQ(violations.kept().back().field, "reductions[0].axes[16]");
}

TEST(CheckAxes, RefusesAnEmptyAxisOfAPositionEvenForAnEmptyResult) {
  RequestSpec request = RequestOf({0, 2, 0}, {2});
  request.reductions[0].op = Operator::kArgMax;
  EXPECT_THAT(ViolationsOf(request),
              ElementsAre("reductions[0].axes EMPTY_AXIS: axis 2 has no "
                          "elements"));
  request.reductions[0].axes = {1};
  EXPECT_THAT(PlanOf(request).output_shape, ElementsAre(0, 1, 0));
}

TEST(CheckAxes, LetsAScalarHaveAPositionUpToOpset10) {
  RequestSpec request = RequestOf({}, {});
  request.reductions[0].op = Operator::kArgMax;
  request.reductions[0].opset = 10;
  EXPECT_THAT(PlanOf(request).output_shape, IsEmpty());
  request.reductions[0].opset = 11;
  EXPECT_THAT(ViolationsOf(request),
              ElementsAre("reductions[0].axes AXIS_OUT_OF_RANGE: the default "
                          "axis 0 is out of range: rank 0 has no axes"));
}

}  // namespace
}  // namespace reductor
