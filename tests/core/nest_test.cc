#include "core/nest.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/core/tensors.h"

namespace reductor {
namespace {

Nest NestOf(Operator op, DType dtype, std::vector<int64_t> shape,
            std::vector<int64_t> axes) {
  ReduceSpec spec = SpecFor(op, dtype).value();
  spec.axes = std::move(axes);
  return MakeNest(
      MakePlans(RequestFor(dtype, std::move(shape), spec)).value().front());
}

Nest NestOf(std::vector<int64_t> shape, std::vector<int64_t> axes) {
  return NestOf(Operator::kReduceL1, DType::kFloat32, std::move(shape),
                std::move(axes));
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

TEST(MakeNest, CutsALongRowInto512KibibyteRanges) {
  const Nest nest = NestOf({400000}, {0});
  EXPECT_EQ(nest.range_steps, 131072);
  EXPECT_EQ(nest.range_count, 4);
  EXPECT_EQ(nest.StepsOf(3), 400000 - 3 * 131072);
  EXPECT_FALSE(nest.ranges_are_final());
}

TEST(MakeNest, GroupsShortRowsIntoRanges) {
  const Nest nest = NestOf({100000, 8}, {1});
  EXPECT_EQ(nest.range_steps, 16384);
  EXPECT_TRUE(nest.ranges_are_final());
}

TEST(MakeNest, CutsRowsOfColumnsBetweenRows) {
  const Nest nest = NestOf({4096, 100}, {0});
  EXPECT_EQ(nest.cut, 0u);
  EXPECT_EQ(nest.range_steps, 1024);
  EXPECT_FALSE(nest.ranges_are_final());
}

TEST(MakeNest, CutsAVeryLongRowOfColumnsWithinTheRow) {
  const Nest nest = NestOf({20, 200000}, {0});
  EXPECT_EQ(nest.cut, 1u);
  EXPECT_TRUE(nest.is_strips());
  EXPECT_EQ(nest.range_steps, 2048);
  EXPECT_EQ(nest.range_count, 20 * 98);
  EXPECT_EQ(nest.StepsOf(98 + 97), 200000 - 97 * 2048);
}

TEST(MakeNest, CutsFewVeryLongRowsOfColumnsIntoWiderStrips) {
  EXPECT_EQ(NestOf({17, 200000}, {0}).range_steps, 2048);
  const Nest nest = NestOf({16, 200000}, {0});
  EXPECT_TRUE(nest.is_strips());
  EXPECT_EQ(nest.range_steps, 8192);
}

TEST(MakeNest, LeavesSlabsOfFewRowsWholeThatFitARange) {
  const Nest nest = NestOf({100, 3, 10000}, {1});
  EXPECT_FALSE(nest.is_strips());
  EXPECT_EQ(nest.cut, 0u);
  EXPECT_EQ(nest.range_steps, 4);
  EXPECT_TRUE(nest.ranges_are_final());
  EXPECT_TRUE(NestOf({100, 3, 43691}, {1}).is_strips());
  EXPECT_TRUE(NestOf({10, 17, 7000}, {1}).is_strips());
  // 262,144 places and what finds them are 9 MiB.
  EXPECT_TRUE(NestOf(Operator::kArgMax, DType::kUint8, {8, 2, 262144}, {1})
                  .is_strips());
}

TEST(MakeNest, LeavesRowsWholeThatComeFromMemoryAndHaveSmallStates) {
  EXPECT_FALSE(NestOf({5000, 4096}, {0}).is_strips());
  EXPECT_FALSE(NestOf({5000, 8192}, {0}).is_strips());
  const Nest wider = NestOf({5000, 8193}, {0});
  EXPECT_TRUE(wider.is_strips());
  EXPECT_EQ(wider.range_steps, 2176);  // A quarter: no strip has all of a row.
  EXPECT_EQ(NestOf({2000, 80000}, {0}).range_steps, 8192);
  EXPECT_EQ(NestOf({9000, 80000}, {0}).range_steps, 2048);
  EXPECT_TRUE(NestOf(Operator::kArgMax, DType::kFloat32, {5000, 4096}, {0})
                  .is_strips());
}

TEST(MakeNest, CutsRowsFromMemoryIntoNoStripsOfLessThanAThirdOfAPage) {
  const auto is_strips = [](int64_t rows, int64_t cols) {
    return NestOf(Operator::kArgMax, DType::kUint8, {rows, cols}, {0})
        .is_strips();
  };
  EXPECT_FALSE(is_strips(20000, 5459));
  EXPECT_TRUE(is_strips(20000, 5460));
  EXPECT_TRUE(is_strips(500, 5459));  // From a cache.
}

TEST(MakeNest, IsOneRangeForAnyTensorOfNoMoreBytes) {
  for (const std::vector<int64_t>& shape :
       {std::vector<int64_t>{13, 10000}, {43690, 3}, {1310, 100}}) {
    EXPECT_EQ(NestOf(shape, {0}).range_count, 1);
  }
}

TEST(MakeNest, CutsARowOfColumnsThatFillsTheCacheForFourThreads) {
  // 4 bytes of an element and 8 of its state, of which 40 KiB are too many.
  EXPECT_FALSE(NestOf({500, 3413}, {0}).is_strips());
  const Nest nest = NestOf({500, 3414}, {0});
  EXPECT_TRUE(nest.is_strips());
  EXPECT_EQ(nest.range_steps, 896);  // A quarter, up to a multiple of 128.
  EXPECT_EQ(nest.ranges_per_level, 4);
  EXPECT_EQ(nest.StepsOf(3), 3414 - 3 * 896);
}

TEST(MakeNest, CutsColumnsIntoStripsByTheirStatesOrThoseOfTheirTrial) {
  const auto is_strips = [](Operator op, DType dtype, int64_t cols) {
    return NestOf(op, dtype, {500, cols}, {0}).is_strips();
  };
  // 8 bytes and 8 of the trial's state, not 16 of its own, by which 1,707
  // columns had strips: these begin with a page of each row. 1 and 24.
  EXPECT_FALSE(is_strips(Operator::kReduceMean, DType::kFloat64, 2047));
  EXPECT_TRUE(is_strips(Operator::kReduceMean, DType::kFloat64, 2048));
  EXPECT_FALSE(is_strips(Operator::kArgMax, DType::kUint8, 1638));
  EXPECT_TRUE(is_strips(Operator::kArgMax, DType::kUint8, 1639));
}

TEST(MakeNest, CutsColumnsIntoFourStripsEvenly) {
  for (const int64_t cols : {4096, 4097, 5121, 8191}) {
    const Nest nest = NestOf({500, cols}, {0});
    EXPECT_EQ(nest.ranges_per_level, 4) << cols;
  }
}

TEST(MakeNest, CutsColumnsIntoStripsThatHaveAPageOfEachRow) {
  // 4 bytes and 4 of a state.
  const auto is_strips = [](int64_t cols) {
    return NestOf(Operator::kReduceMax, DType::kFloat32, {500, cols}, {0})
        .is_strips();
  };
  EXPECT_FALSE(is_strips(4095));
  EXPECT_TRUE(is_strips(4096));
}

TEST(MakeNest, CutsColumnsWhoseStatesHaveMoreBytesThanInt64Counts) {
  const Nest nest =
      NestOf(Operator::kArgMax, DType::kUint8, {2, int64_t{1} << 59}, {0});
  EXPECT_TRUE(nest.is_strips());
  EXPECT_EQ(nest.range_steps, 32768);
}

TEST(MakeNest, CutsAVeryLongRowOfColumnsCoarselyBelowTwoReducedAxes) {
  const Nest nest = NestOf({3, 2, 3, 200000}, {0, 2});
  EXPECT_EQ(nest.cut, 3u);
  EXPECT_FALSE(nest.is_strips());
  EXPECT_EQ(nest.range_steps, 131072);
}

TEST(MakeNest, CutsLogSumExpInto128KibibyteRangesWhereFewStatesAreJoined) {
  const auto steps_of = [](DType dtype, std::vector<int64_t> shape,
                           std::vector<int64_t> axes) {
    return NestOf(Operator::kReduceLogSumExp, dtype, std::move(shape),
                  std::move(axes))
        .range_steps;
  };
  EXPECT_EQ(steps_of(DType::kFloat32, {400000}, {0}), 32768);
  EXPECT_EQ(steps_of(DType::kFloat64, {400000}, {0}), 16384);
  EXPECT_EQ(steps_of(DType::kFloat32, {100000, 8}, {1}), 4096);
  EXPECT_EQ(steps_of(DType::kFloat32, {4096, 16}, {0}), 2048);
  // Of 128 KiB, 256 rows, 100 states would be joined.
  EXPECT_EQ(steps_of(DType::kFloat32, {4096, 100}, {0}), 1024);
  EXPECT_EQ(steps_of(DType::kFloat32, {3, 3000, 50, 9}, {0, 2}), 256);
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
