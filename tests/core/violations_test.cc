#include "core/violations.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"

namespace reductor {
namespace {

TEST(Violations, AreOkWhenThereAreNone) {
  EXPECT_TRUE(Violations().ToStatus().ok());
}

TEST(Violations, NameTheOnlyOneInTheMessage) {
  Violations violations;
  violations.Add("tensor.shape[1]", "DIM_NEGATIVE", "-3 is negative");
  EXPECT_TRUE(absl::IsInvalidArgument(violations.ToStatus()));
  EXPECT_EQ(violations.ToStatus().message(), "tensor.shape[1]: -3 is negative");
}

TEST(Violations, SayHowManyFollowTheFirst) {
  Violations violations;
  violations.Add("a", "A", "is wrong");
  violations.Add("b", "B", "is wrong");
  EXPECT_EQ(violations.ToStatus().message(),
            "a: is wrong (and 1 more violation)");
  violations.Add("c", "C", "is wrong");
  EXPECT_EQ(violations.ToStatus().message(),
            "a: is wrong (and 2 more violations)");
}

TEST(Violations, SurviveTheWayThroughAStatus) {
  Violations violations;
  violations.Add("reductions[0].axes[1]", "AXIS_OUT_OF_RANGE", "5 is too much");
  violations.Add("tensor", "TENSOR_MISSING", "");
  const Violations back = Violations::FromStatus(violations.ToStatus());
  ASSERT_EQ(back.kept().size(), 2u);
  EXPECT_EQ(back.count(), 2);
  EXPECT_EQ(back.kept()[0].field, "reductions[0].axes[1]");
  EXPECT_EQ(back.kept()[0].reason, "AXIS_OUT_OF_RANGE");
  EXPECT_EQ(back.kept()[0].description, "5 is too much");
  EXPECT_EQ(back.kept()[1].field, "tensor");
  EXPECT_EQ(back.kept()[1].description, "");
}

TEST(Violations, AreEmptyFromAStatusWithoutAny) {
  EXPECT_TRUE(Violations::FromStatus(absl::OkStatus()).empty());
  EXPECT_TRUE(Violations::FromStatus(absl::InternalError("x")).empty());
}

TEST(Violations, KeepSixteenAndCountTheRest) {
  Violations violations;
  for (int i = 0; i < 20; ++i) {
    violations.Add(absl::StrCat("axes[", i, "]"), "R", "d");
  }
  EXPECT_EQ(violations.count(), 20);
  EXPECT_EQ(violations.kept().size(), 16u);
  EXPECT_EQ(violations.ToStatus().message(),
            "axes[0]: d (and 19 more violations, of which 4 are not listed)");
  EXPECT_EQ(Violations::FromStatus(violations.ToStatus()).count(), 20);
}

TEST(Violations, KeepUnderFourKibibytes) {
  Violations violations;
  for (int i = 0; i < 10; ++i) violations.Add("f", "R", std::string(1000, 'x'));
  EXPECT_EQ(violations.count(), 10);
  EXPECT_EQ(violations.kept().size(), 3u);
}

TEST(Violations, KeepTheFirstWhateverItsLength) {
  Violations violations;
  violations.Add("f", "R", std::string(4000, 'x'));
  violations.Add("f", "R", "short");
  EXPECT_EQ(violations.kept().size(), 1u);
  EXPECT_EQ(violations.ToStatus().message().substr(0, 4), "f: x");
}

TEST(Violations, CountThoseWhoseTextsNobodyMadeAsTheyAreFull) {
  Violations violations;
  for (int i = 0; i < 16; ++i) {
    EXPECT_FALSE(violations.is_full());
    violations.Add("f", "R", "d");
  }
  EXPECT_TRUE(violations.is_full());
  violations.AddUnlisted();
  EXPECT_EQ(violations.ToStatus().message(),
            "f: d (and 16 more violations, of which 1 are not listed)");
}

TEST(Violations, LeaveNoHoleWhereALongOneWasLeftOut) {
  Violations violations;
  violations.Add("f", "R", std::string(3000, 'x'));
  violations.Add("f", "R", std::string(3000, 'x'));
  violations.Add("f", "R", "short");
  EXPECT_EQ(violations.kept().size(), 1u);
}

TEST(Violations, KeepTheirOrderAndCountWhenRenamed) {
  Violations violations;
  for (int i = 0; i < 20; ++i) violations.Add("f", "R", absl::StrCat(i));
  const Violations renamed = violations.Renamed(
      [](absl::string_view field) { return absl::StrCat("header.", field); });
  EXPECT_EQ(renamed.count(), 20);
  ASSERT_EQ(renamed.kept().size(), 16u);
  EXPECT_EQ(renamed.kept()[15].field, "header.f");
  EXPECT_EQ(renamed.kept()[15].description, "15");
}

}  // namespace
}  // namespace reductor
