// L1 of float32 at the ends of its range: many elements may be added by their
// bits, which tell no infinity from a NaN and no large sum from either.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "core/plan.h"
#include "tests/core/slab_layout.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

using ::testing::ElementsAreArray;
using ::testing::IsNan;

constexpr float kMost = std::numeric_limits<float>::max();
constexpr float kLeast = std::numeric_limits<float>::denorm_min();

// Rows; few columns of many rows; many columns of few rows and of more.
constexpr SlabLayout kLayouts[] = {{3, 1000, 1}, {1, 20'000, 1}, {1, 4000, 16},
                                   {1, 2048, 3}, {2, 300, 100},  {1, 12, 300},
                                   {2, 20, 200}, {1, 32, 4096}};

class Magnitudes {
 public:
  explicit Magnitudes(const SlabLayout& layout, float all = 0)
      : layout_(layout), x_(layout.elements(), all) {}

  // Element k of result r.
  float& At(int64_t r, int64_t k) { return x_[layout_.At(r, k)]; }

  std::vector<float> Sums() const {
    return Reduced(x_, layout_.shape(), Onnx(Operator::kReduceL1, {1}));
  }

 private:
  SlabLayout layout_;
  std::vector<float> x_;
};

// Runs a body for each layout, by each instruction set.
template <class Body>
void ForEachLayout(const Body& body) {
  ForEachTarget([&body] {
    for (const SlabLayout& layout : kLayouts) {
      SCOPED_TRACE(layout.name());
      body(layout);
    }
  });
}

TEST(ReduceL1, TellsInfinitiesAndNansApartWhereverTheyStand) {
  ForEachLayout([](const SlabLayout& layout) {
    for (const int64_t k : {int64_t{0}, layout.n / 2, layout.n - 1}) {
      for (const int64_t r : {int64_t{0}, layout.results() - 1}) {
        std::vector<float> expected(layout.results(),
                                    static_cast<float>(layout.n));
        expected[r] = kInf;
        Magnitudes magnitudes(layout, -1);
        magnitudes.At(r, k) = -kInf;
        EXPECT_THAT(magnitudes.Sums(), ElementsAreArray(expected)) << k;

        magnitudes.At(r, k == 0 ? 1 : 0) = -kNan;
        std::vector<float> sums = magnitudes.Sums();
        EXPECT_THAT(sums[r], IsNan()) << k;
        sums[r] = kInf;
        EXPECT_THAT(sums, ElementsAreArray(expected)) << k;
      }
    }
  });
}

TEST(ReduceL1, GivesTheLargestNumberAndInfinityOnlyBeyondIt) {
  ForEachLayout([](const SlabLayout& layout) {
    // 2^127 and 2^127 - 2^104 are the largest number, 2^103 more lies halfway
    // to 2^128, and rounds to it.
    Magnitudes magnitudes(layout);
    magnitudes.At(0, 1) = -0x1p127F;
    magnitudes.At(0, layout.n - 1) = kMost - 0x1p127F;
    std::vector<float> expected(layout.results(), 0);
    expected[0] = kMost;
    EXPECT_THAT(magnitudes.Sums(), ElementsAreArray(expected));

    magnitudes.At(0, 2) = -0x1p102F;
    EXPECT_THAT(magnitudes.Sums(), ElementsAreArray(expected));

    magnitudes.At(0, layout.n / 2) = 0x1p102F;
    expected[0] = kInf;
    EXPECT_THAT(magnitudes.Sums(), ElementsAreArray(expected));
  });
}

TEST(ReduceL1, GivesInfinityForSumsOfMoreThanTheLargestNumber) {
  ForEachLayout([](const SlabLayout& layout) {
    EXPECT_THAT(Magnitudes(layout, -kMost).Sums(),
                ElementsAreArray(std::vector<float>(layout.results(), kInf)));
  });
}

TEST(ReduceL1, AddsSubnormalNumbersAsTheyAre) {
  ForEachLayout([](const SlabLayout& layout) {
    Magnitudes magnitudes(layout, -kLeast);
    std::vector<float> expected(layout.results(),
                                static_cast<float>(layout.n) * kLeast);
    EXPECT_THAT(magnitudes.Sums(), ElementsAreArray(expected));

    // 2^-149 more than 2^-126, whose last bit it is; and far less than 1.
    magnitudes = Magnitudes(layout);
    magnitudes.At(0, 0) = -0x1p-126F;
    magnitudes.At(0, layout.n - 1) = -kLeast;
    magnitudes.At(layout.results() - 1, 1) = 1;
    expected.assign(layout.results(), 0);
    expected[0] = 0x1p-126F + kLeast;
    expected[layout.results() - 1] += 1;
    EXPECT_THAT(magnitudes.Sums(), ElementsAreArray(expected));
  });
}

}  // namespace
}  // namespace reductor
