// Results of two float32 each: those of float64, rounded once.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include "core/plan.h"
#include "tests/core/slab_layout.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

constexpr float kMost = std::numeric_limits<float>::max();
constexpr float kUnit = std::numeric_limits<float>::denorm_min();
constexpr float kNormal = std::numeric_limits<float>::min();
constexpr float kUlp = std::numeric_limits<float>::epsilon();
// Half of that, and the least that is more.
constexpr float kHalf = kUlp / 2;
constexpr float kOverHalf = kHalf * (1 + kUlp);
// Signalling, with a payload.
constexpr float kOtherNan = std::bit_cast<float>(0xffa12345);

struct Pair {
  float a;
  float b;
  float sum;
  float l1;
  float product;
  float mean;
};

constexpr Pair kPairs[] = {
    {3, -5, -2, 8, -15, -1},
    // Ties go to the even digit, and what is just beyond them does not.
    {1, kHalf, 1, 1, kHalf, 0.5F},
    {1 + kUlp, kHalf, 1 + 2 * kUlp, 1 + 2 * kUlp, kHalf*(1 + kUlp),
     0.5F + kUlp},
    {1, kOverHalf, 1 + kUlp, 1 + kUlp, kOverHalf, 0.5F + kHalf},
    {-1, -kOverHalf, -1 - kUlp, 1 + kUlp, kOverHalf, -0.5F - kHalf},
    {1 + kUlp, 1 + kUlp, 2 + 2 * kUlp, 2 + 2 * kUlp, 1 + 2 * kUlp, 1 + kUlp},
    // Zeros.
    {0, 0, 0, 0, 0, 0},
    {-0.0F, -0.0F, 0, 0, 0, 0},
    {-0.0F, 0, 0, 0, -0.0F, 0},
    {1, -1, 0, 2, -1, 0},
    // Below the normal numbers, where a mean is rounded, and a product.
    {kUnit, kUnit, 2 * kUnit, 2 * kUnit, 0, kUnit},
    {kUnit, 0, kUnit, kUnit, 0, 0},
    {0, -kUnit, -kUnit, kUnit, -0.0F, -0.0F},
    {3 * kUnit, 0, 3 * kUnit, 3 * kUnit, 0, 2 * kUnit},
    {-kNormal, -kUnit, -kNormal - kUnit, kNormal + kUnit, 0, -kNormal / 2},
    {0x1p-75F, 0x1p-75F, 0x1p-74F, 0x1p-74F, 0, 0x1p-75F},
    {0x1.8p-75F, 0x1p-75F, 0x1.4p-74F, 0x1.4p-74F, kUnit, 0x1.4p-75F},
    // Above all numbers; a mean is not.
    {kMost, kMost, kInf, kInf, kInf, kMost},
    {-kMost, -kMost, -kInf, kInf, kInf, -kMost},
    {kMost, -kMost, 0, kInf, -kInf, 0},
    {kMost, 0x1p102F, kMost, kMost, kInf, 0x1.fffffep+126F},
    {kMost, 0x1.fffffep102F, kMost, kMost, kInf, 0x1.fffffep126F},
    {kMost, 0x1p103F, kInf, kInf, kInf, 0x1p127F},
    {kMost, kUnit, kMost, kMost, 0x1.fffffep-22F, 0x1.fffffep+126F},
    // Infinities, and what makes a NaN, of which there is one.
    {kInf, 1, kInf, kInf, kInf, kInf},
    {-2, -kInf, -kInf, kInf, kInf, -kInf},
    {kInf, -kInf, kNan, kInf, -kInf, kNan},
    {kInf, 0, kInf, kInf, kNan, kInf},
    {-kNan, 1, kNan, kNan, kNan, kNan},
    {1, -kNan, kNan, kNan, kNan, kNan},
    {kOtherNan, 1, kNan, kNan, kNan, kNan},
    {1, kOtherNan, kNan, kNan, kNan, kNan},
};
constexpr int64_t kCount = std::size(kPairs);

std::vector<uint32_t> BitsOf(const std::vector<float>& x) {
  std::vector<uint32_t> bits;
  bits.reserve(x.size());
  for (const float value : x) bits.push_back(std::bit_cast<uint32_t>(value));
  return bits;
}

// Reduces pairs and expects what that member of theirs says.
void ExpectEach(Operator op, float Pair::*expected, const SlabLayout& layout) {
  SCOPED_TRACE(layout.name());
  std::vector<float> x(layout.elements());
  std::vector<float> values(layout.results());
  for (int64_t r = 0; r < layout.results(); ++r) {
    const Pair& pair = kPairs[r % kCount];
    x[layout.At(r, 0)] = pair.a;
    x[layout.At(r, 1)] = pair.b;
    values[r] = pair.*expected;
  }
  EXPECT_EQ(BitsOf(Reduced(x, layout.shape(), Onnx(op, {1}))), BitsOf(values));
}

// Rows of two, few and many; two rows, and slabs of them, of columns that fill
// vectors and that do not.
void ExpectPairs(Operator op, float Pair::*expected) {
  ForEachTarget([&] {
    for (const int64_t rows : {kCount, int64_t{3}, int64_t{1000}}) {
      ExpectEach(op, expected, {rows, 2, 1});
    }
    for (const int64_t cols : {3, 17, 29, 64, 100, 1000}) {
      ExpectEach(op, expected, {1, 2, cols});
      ExpectEach(op, expected, {10, 2, cols});
    }
  });
}

TEST(Pairs, AreAddedAsInFloat64) {
  ExpectPairs(Operator::kReduceSum, &Pair::sum);
}

TEST(Pairs, OfMagnitudesAreAddedAsInFloat64) {
  ExpectPairs(Operator::kReduceL1, &Pair::l1);
}

TEST(Pairs, AreMultipliedAsInFloat64) {
  ExpectPairs(Operator::kReduceProd, &Pair::product);
}

TEST(Pairs, HaveTheMeanOfFloat64) {
  ExpectPairs(Operator::kReduceMean, &Pair::mean);
}

}  // namespace
}  // namespace reductor
