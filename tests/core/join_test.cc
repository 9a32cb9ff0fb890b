#include "core/join.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/kernels.h"
#include "core/nest.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;

struct TestLevel {
  int64_t extent;
  bool reduced;
};

// Of these levels, of which a step of the last one is a range.
Nest NestOf(const std::vector<TestLevel>& test_levels) {
  Nest nest;
  for (const auto& [extent, reduced] : test_levels) {
    nest.levels.push_back({.extent = extent, .reduced = reduced});
  }
  for (size_t l = nest.levels.size() - 1; l > 0; --l) {
    nest.levels[l - 1].step_width = nest.levels[l].width();
  }
  nest.cut = nest.levels.size() - 1;
  nest.ranges_per_level = nest.levels.back().extent;
  return nest;
}

// What Join::Add() is given: so many states, of so many ranges.
struct Given {
  int64_t width = 1;
  int64_t ranges = 1;
};

// The sums, as they are emitted, of states that hold 1, 2, 4 and so on: each
// sum tells whose it is.
std::vector<uint64_t> SumsOf(const Nest& nest,
                             const std::vector<Given>& given) {
  const Kernel& kernel = GetKernel(Operator::kReduceSum, DType::kUint64);
  Join join(nest, kernel);
  std::vector<uint64_t> sums;
  uint64_t element = 1;
  for (const auto& [width, ranges] : given) {
    std::vector<uint64_t> elements(width);
    for (uint64_t& each : elements) each = std::exchange(element, 2 * element);
    std::vector<std::byte> states(width * kernel.state_size);
    kernel.fold_rows(reinterpret_cast<const std::byte*>(elements.data()), width,
                     1, states.data(), Into::kNew, Source::kSharedCache);
    join.Add(states.data(), width, ranges,
             [&](const std::byte* joined, int64_t n) {
               sums.resize(sums.size() + n);
               kernel.finish(joined, n, 1,
                             reinterpret_cast<std::byte*>(&*(sums.end() - n)));
             });
  }
  return sums;
}

// Of ranges with a state each, of which so many are one at a time.
using Together = std::vector<int64_t>;
std::vector<uint64_t> SumsOf(const Nest& nest, const Together& together) {
  std::vector<Given> given;
  for (const int64_t ranges : together) given.push_back({.ranges = ranges});
  return SumsOf(nest, given);
}

// Of as many ranges, each by itself.
std::vector<uint64_t> SumsOf(const Nest& nest, int ranges) {
  return SumsOf(nest, std::vector<Given>(ranges));
}

TEST(Join, AddsUpTheRangesOfALevelThatIsReduced) {
  EXPECT_THAT(SumsOf(NestOf({{5, true}}), 5), ElementsAre(0b11111));
}

TEST(Join, EmitsNothingBeforeTheLastRangeOfAResult) {
  EXPECT_THAT(SumsOf(NestOf({{5, true}}), 4), ElementsAre());
  EXPECT_THAT(SumsOf(NestOf({{2, false}, {3, true}}), 5), ElementsAre(0b111));
}

TEST(Join, KeepsTheStepsOfALevelThatIsKeptApart) {
  EXPECT_THAT(SumsOf(NestOf({{2, false}, {3, true}}), 6),
              ElementsAre(0b111, 0b111000));
  EXPECT_THAT(SumsOf(NestOf({{2, true}, {3, false}}), 6),
              ElementsAre(0b001001, 0b010010, 0b100100));
}

TEST(Join, AddsUpLevelsAroundOneThatIsKept) {
  EXPECT_THAT(SumsOf(NestOf({{2, true}, {2, false}, {2, true}}), 8),
              ElementsAre(0b00110011, 0b11001100));
}

// Ranges of several steps, the last of a level of fewer.
TEST(Join, KeepsTheStepsOfARangeApart) {
  Nest nest = NestOf({{2, true}, {5, false}});
  nest.range_steps = 2;
  nest.ranges_per_level = 3;
  nest.range_count = 6;
  const Given two = {.width = 2};
  const Given one = {.width = 1};
  EXPECT_THAT(SumsOf(nest, {two, two, one, two, two, one}),
              ElementsAre(0b00001'00001, 0b00010'00010, 0b00100'00100,
                          0b01000'01000, 0b10000'10000));
}

TEST(Join, CountsRangesThatWereFoldedAsOne) {
  EXPECT_THAT(SumsOf(NestOf({{5, true}}), Together{3, 1}), ElementsAre());
  EXPECT_THAT(SumsOf(NestOf({{5, true}}), Together{3, 1, 1}),
              ElementsAre(0b111));
  EXPECT_THAT(SumsOf(NestOf({{40, true}}), Together{30, 10}),
              ElementsAre(0b11));
  EXPECT_THAT(SumsOf(NestOf({{2, false}, {4, true}}), Together{4, 2, 2}),
              ElementsAre(0b1, 0b110));
  EXPECT_THAT(SumsOf(NestOf({{2, true}, {4, true}}), Together{2, 2, 4}),
              ElementsAre(0b111));
}

// What is passed on as it is.
TEST(Join, TakesASoleRangeOfALevelAsItsSum) {
  EXPECT_THAT(SumsOf(NestOf({{1, true}}), 1), ElementsAre(1));
  EXPECT_THAT(SumsOf(NestOf({{3, true}, {1, true}}), 3), ElementsAre(0b111));
  EXPECT_THAT(SumsOf(NestOf({{2, true}, {2, false}, {1, true}}), 4),
              ElementsAre(0b0101, 0b1010));
  EXPECT_THAT(SumsOf(NestOf({{2, false}, {1, true}}), 2), ElementsAre(1, 2));
}

}  // namespace
}  // namespace reductor
