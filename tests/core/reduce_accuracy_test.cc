// The error of float64 sums, measured against 113-bit arithmetic, in units of
// u = 2^-53 of the sum of the absolute steps, keeps its bounds on every layout:
// 127 + log2 N for any data, and 2 log2 N for random and for equal data.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/reduce.h"
#include "tests/core/reference.h"
#include "tests/core/tensors.h"

namespace reductor {
namespace {

struct Layout {
  std::vector<int64_t> shape;
  std::vector<int64_t> axes;
  std::vector<bool> reduced;
};

const Layout kLayouts[] = {
    {{64}, {0}, {true}},
    {{1024}, {0}, {true}},
    {{1025}, {0}, {true}},
    {{100000}, {0}, {true}},
    {{64, 3}, {0}, {true, false}},
    {{128, 3}, {0}, {true, false}},
    {{5, 256, 2}, {1}, {false, true, false}},
    {{5, 170, 3}, {1}, {false, true, false}},
    {{5, 73, 7}, {1}, {false, true, false}},
    {{5, 1024, 2}, {1}, {false, true, false}},
    {{5, 682, 3}, {1}, {false, true, false}},
    {{5, 292, 7}, {1}, {false, true, false}},
    {{5, 256, 8}, {1}, {false, true, false}},
    {{4096, 5}, {0}, {true, false}},
    {{50000, 3}, {0}, {true, false}},
    {{64, 5000}, {0}, {true, false}},
    {{2, 4096, 3}, {1}, {false, true, false}},
    {{16, 3, 16}, {0, 2}, {true, false, true}},
    {{32, 3, 32}, {0, 2}, {true, false, true}},
    {{300, 3, 100}, {0, 2}, {true, false, true}},
    {{16, 2, 16, 2, 16}, {0, 2, 4}, {true, false, true, false, true}},
    {{64, 2, 64, 2}, {0, 2}, {true, false, true, false}},
};

// The operators that sum float64 elements; each step is positive here, and L2
// halves what Sum's error was.
constexpr Operator kSums[] = {Operator::kReduceSum, Operator::kReduceL1,
                              Operator::kReduceSumSquare, Operator::kReduceMean,
                              Operator::kReduceL2};

// The largest error of any output of at least 64 elements, of any of kSums, in
// units of u times the result.
double WorstError(const Layout& layout, const std::vector<double>& x) {
  const auto elements = ElementsByOutput(x, layout.shape, layout.reduced);
  double worst = 0;
  for (const Operator op : kSums) {
    const std::vector<double> got =
        Reduced(x, layout.shape, {.op = op, .axes = layout.axes});
    for (size_t i = 0; i < got.size(); ++i) {
      if (elements[i].size() < 64) continue;
      const Float128 want = ExpectedFloat(op, elements[i]).value;
      worst = std::max(worst, std::abs(static_cast<double>((got[i] - want) /
                                                           want * 0x1p53)));
    }
  }
  return worst;
}

int64_t Count(const Layout& layout, bool reduced_only) {
  int64_t count = 1;
  for (size_t d = 0; d < layout.shape.size(); ++d) {
    if (!reduced_only || layout.reduced[d]) count *= layout.shape[d];
  }
  return count;
}

TEST(Float64Sum, KeepsTheBoundForRandomData) {
  std::mt19937_64 rng(7);
  std::uniform_real_distribution<double> uniform(0.5, 1);
  for (const Layout& layout : kLayouts) {
    std::vector<double> x(Count(layout, false));
    for (double& value : x) value = uniform(rng);
    EXPECT_LE(WorstError(layout, x), 2 * std::log2(Count(layout, true)))
        << testing::PrintToString(layout.shape);
  }
}

// Equal values err the same way in every addition, so nothing cancels.
TEST(Float64Sum, KeepsTheBoundForEqualData) {
  std::mt19937_64 rng(11);
  std::uniform_real_distribution<double> uniform(0.5, 1);
  for (const Layout& layout : kLayouts) {
    const int rounds = Count(layout, false) < 20000 ? 50 : 1;
    for (int round = 0; round < rounds; ++round) {
      const double value = round == 0 ? 0.1 : uniform(rng);
      const std::vector<double> x(Count(layout, false), value);
      ASSERT_LE(WorstError(layout, x), 2 * std::log2(Count(layout, true)))
          << testing::PrintToString(layout.shape) << " of " << value;
    }
  }
}

// A large first element makes every later one lose its low bits.
TEST(Float64Sum, KeepsTheBoundForHostileData) {
  for (const Layout& layout : kLayouts) {
    std::vector<double> x(Count(layout, false), 0x1p-53 * 1.0000001);
    x[0] = 1;
    EXPECT_LE(WorstError(layout, x), 127 + std::log2(Count(layout, true)))
        << testing::PrintToString(layout.shape);
  }
}

}  // namespace
}  // namespace reductor
