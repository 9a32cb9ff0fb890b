#include "core/nest.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/core/tensors.h"

namespace reductor {
namespace {

Nest NestOf(std::vector<int64_t> shape, std::vector<int64_t> axes) {
  return MakeNest(MakePlans(RequestFor(DType::kFloat32, std::move(shape),
                                       {.op = Operator::kReduceL1,
                                        .axes = std::move(axes)}))
                      .value()
                      .front());
}

int64_t ElementsIn(const Nest& nest) {
  int64_t elements = 0;
  for (int64_t i = 0; i < nest.range_count; ++i) {
    elements += nest.StepsOf(i) * nest.levels[nest.cut].step_elements;
  }
  return elements;
}

TEST(MakeNest, IsOneRangeForASmallTensor) {
  const Nest nest = NestOf({3, 4, 5}, {1});
  EXPECT_EQ(nest.levels.size(), 3u);
  EXPECT_EQ(nest.range_count, 1);
  EXPECT_EQ(nest.StepsOf(0), 3);
  EXPECT_TRUE(nest.ranges_are_final());
}

TEST(MakeNest, IsOneStepForASingleElement) {
  const Nest nest = NestOf({1, 1}, {0});
  EXPECT_EQ(nest.levels.size(), 1u);
  EXPECT_EQ(nest.StepsOf(0), 1);
}

TEST(MakeNest, CutsALongRowInto256KibibyteRanges) {
  const Nest nest = NestOf({200000}, {0});
  EXPECT_EQ(nest.range_steps, 65536);
  EXPECT_EQ(nest.range_count, 4);
  EXPECT_EQ(nest.StepsOf(3), 200000 - 3 * 65536);
  EXPECT_FALSE(nest.ranges_are_final());
}

TEST(MakeNest, GroupsShortRowsIntoRanges) {
  const Nest nest = NestOf({100000, 8}, {1});
  EXPECT_EQ(nest.range_steps, 8192);
  EXPECT_TRUE(nest.ranges_are_final());
}

TEST(MakeNest, CutsRowsOfColumnsBetweenRows) {
  const Nest nest = NestOf({4096, 100}, {0});
  EXPECT_EQ(nest.cut, 0u);
  EXPECT_EQ(nest.range_steps, 512);
  EXPECT_FALSE(nest.ranges_are_final());
}

TEST(MakeNest, CutsAVeryLongRowOfColumnsWithinTheRow) {
  const Nest nest = NestOf({3, 200000}, {0});
  EXPECT_EQ(nest.cut, 1u);
  EXPECT_TRUE(nest.is_strips());
  EXPECT_EQ(nest.range_steps, 2048);
  EXPECT_EQ(nest.range_count, 3 * 98);
  EXPECT_EQ(nest.StepsOf(98 + 97), 200000 - 97 * 2048);
}

TEST(MakeNest, CutsARowOfColumnsThatFillsTheCacheForFourThreads) {
  // 4 bytes of an element and 8 of its state, of which 28 KiB are too many.
  EXPECT_FALSE(NestOf({500, 2389}, {0}).is_strips());
  const Nest nest = NestOf({500, 2390}, {0});
  EXPECT_TRUE(nest.is_strips());
  EXPECT_EQ(nest.range_steps, 512);
  EXPECT_EQ(nest.ranges_per_level, 5);
}

TEST(MakeNest, CutsAVeryLongRowOfColumnsCoarselyBelowTwoReducedAxes) {
  const Nest nest = NestOf({3, 2, 3, 200000}, {0, 2});
  EXPECT_EQ(nest.cut, 3u);
  EXPECT_FALSE(nest.is_strips());
  EXPECT_EQ(nest.range_steps, 65536);
}

TEST(MakeNest, CoversEveryElementWithItsRanges) {
  for (const std::vector<int64_t>& shape : {std::vector<int64_t>{1},
                                            {65536},
                                            {65537},
                                            {3, 70000, 2},
                                            {70000, 3, 2},
                                            {2, 3, 70000},
                                            {300, 300, 3},
                                            {17, 19, 23, 29}}) {
    int64_t elements = 1;
    for (const int64_t extent : shape) elements *= extent;
    for (int64_t axis = 0; axis < static_cast<int64_t>(shape.size()); ++axis) {
      EXPECT_EQ(ElementsIn(NestOf(shape, {axis})), elements);
    }
  }
}

}  // namespace
}  // namespace reductor
