// Sums of bfloat16, of which some are added as float32: what float32 would
// round, lose or take for infinite.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/dtype.h"
#include "core/order.h"
#include "core/plan.h"
#include "tests/core/slab_layout.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

// Rows; narrow columns, of which several rows are taken as one; columns of as
// many rows as a chain has, and of more.
constexpr SlabLayout kLayouts[] = {
    {3, 1000, 1}, {1, 20'000, 1}, {1, 4096, 16}, {1, 16, 300}, {2, 40, 1024}};

// How far elements lie apart that join each other in turn (order.h).
int64_t StepOf(const SlabLayout& layout) {
  constexpr int64_t kLanes = 32;
  if (layout.cols == 1) return kLanes;
  return AreNarrow(layout.cols) ? SideBySide(layout.cols) : 1;
}

// One of the elements that join each other in turn.
struct Element {
  int64_t number;
  double value;
};

// The sums by `op` along `layout`, whose last result has these elements and
// else, as the others do, `rest` alone.
std::vector<double> SumsOf(Operator op, const SlabLayout& layout,
                           const std::vector<Element>& elements,
                           double rest = 0) {
  std::vector<double> x(layout.elements(), rest);
  for (const auto& [number, value] : elements) {
    x[layout.At(layout.results() - 1, number * StepOf(layout))] = value;
  }
  return Widened(Reduced(Narrowed<BFloat16>(x), layout.shape(), Onnx(op, {1})));
}

// Expects that the last result is `expected`, and that the others are 0.
void ExpectSum(const std::vector<Element>& elements, double expected) {
  ForEachTarget([&] {
    for (const SlabLayout& layout : kLayouts) {
      SCOPED_TRACE(layout.name());
      std::vector<double> all(layout.results(), 0);
      all.back() = expected;
      EXPECT_TRUE(AreSame(SumsOf(Operator::kReduceSum, layout, elements), all));
    }
  });
}

TEST(ReduceSumOfBFloat16, KeepsWhatFloat32WouldLose) {
  // 2^-17 is less than half a unit of 2^8 in float32.
  ExpectSum({{0, 0x1p8}, {1, 0x1p-17}, {2, -0x1p8}}, 0x1p-17);
  // The last of the rows that are added as float32, and the first of the next.
  ExpectSum({{0, 0x1p8}, {7, 0x1p-17}, {8, -0x1p8}}, 0x1p-17);
  ExpectSum({{1, -0x1p30}, {3, 0x1.02p-7}, {4, 0x1p-14}, {6, 0x1p30}},
            0x1.04p-7);
}

TEST(ReduceSumOfBFloat16, AddsUpWhatFillsTheDigitsOfFloat32) {
  // 2^13 units of 2^-7 and fractions of these, 24 digits together.
  ExpectSum({{0, 0x1.fep13}, {1, 0x1.fep13}, {2, 0x1.02p0}, {3, -0x1.fep14}},
            0x1.02p0);
}

TEST(ReduceSumOfBFloat16, RoundsInTheOrderOfElementsWhereFloat64HasNoRoom) {
  // 1 is lost in 2^60, from which nothing is left. The two have one exponent,
  // but must not cancel each other first.
  ExpectSum({{0, 1}, {8, 0x1p60}, {9, -0x1p60}}, 0);
  ExpectSum({{0, 0x1p60}, {1, -0x1p60}, {8, 1}}, 1);
}

TEST(ReduceSumOfBFloat16, IsFiniteWhereFloat32WouldOverflow) {
  ExpectSum({{0, 0x1p127}, {1, 0x1p127}, {2, -0x1p127}, {3, -0x1p126}},
            0x1p126);
}

TEST(ReduceSumOfBFloat16, HasInfinitiesAndNans) {
  ExpectSum({{0, 1}, {3, kInf}}, kInf);
  ExpectSum({{0, -kInf}, {9, 1}, {11, -kInf}}, -kInf);
  ExpectSum({{2, kInf}, {3, -kInf}}, kNan);
  ExpectSum({{1, kNan}, {2, 1}}, kNan);
}

TEST(ReduceSumOfBFloat16, AddsSubnormalNumbersAsTheyAre) {
  ExpectSum({{0, 0x1p-133}, {1, 0x1p-133}, {2, 0x1p-133}}, 0x1.8p-132);
  ExpectSum({{0, 0x1p-126}, {5, -0x1p-133}}, 0x1.fcp-127);
}

TEST(ReduceSumOfBFloat16, OfNegativeZerosIsZero) {
  ForEachTarget([] {
    for (const SlabLayout& layout : kLayouts) {
      SCOPED_TRACE(layout.name());
      EXPECT_TRUE(
          AreSame(SumsOf(Operator::kReduceSum, layout, {}, /*rest=*/-0.0),
                  std::vector<double>(layout.results(), 0)));
    }
  });
}

TEST(ReduceL1OfBFloat16, AddsMagnitudes) {
  ForEachTarget([] {
    for (const SlabLayout& layout : kLayouts) {
      SCOPED_TRACE(layout.name());
      // n - 2 times 1, and what makes that 2^15 to the digits of bfloat16.
      const auto n = static_cast<double>(layout.n);
      std::vector<double> all(layout.results(), n);
      all.back() = 0x1p15;
      const double larger = 0x1p15 - (n - 2) - 0x1p-9;
      EXPECT_TRUE(AreSame(SumsOf(Operator::kReduceL1, layout,
                                 {{1, -larger}, {2, -0x1p-9}}, /*rest=*/-1),
                          Widened(Narrowed<BFloat16>(all))));
    }
  });
}

}  // namespace
}  // namespace reductor
