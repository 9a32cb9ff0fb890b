// fold_rows_in_turn makes the states that fold_rows makes, to the bit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "core/kernels.h"
#include "core/operators.h"
#include "tests/core/seeded_test.h"
#include "tests/core/targets.h"

namespace reductor {
namespace {

using RowsInTurn = SeededTest;

// Floats of all mantissas and either sign, between 2^-spread and 2^spread.
std::vector<float> RandomFloats(int64_t n, int spread, std::mt19937& rng) {
  std::uniform_int_distribution<int> exponent(-spread, spread - 1);
  std::uniform_real_distribution<float> mantissa(1, 2);
  std::vector<float> x(n);
  for (float& each : x) {
    each = std::ldexp(mantissa(rng), exponent(rng));
    if (rng() % 2 == 0) each = -each;
  }
  return x;
}

std::vector<std::byte> FoldedBy(decltype(Kernel::fold_rows) fold,
                                const Kernel& kernel,
                                const std::vector<float>& x, int64_t rows,
                                Into into) {
  std::vector<std::byte> states(rows * kernel.state_size);
  kernel.init(states.data(), rows);
  fold(reinterpret_cast<const std::byte*>(x.data()), rows,
       static_cast<int64_t>(x.size()) / rows, states.data(), into,
       Source::kMemory);
  return states;
}

// How many kernels folded so, each by every instruction set.
int ExpectTheStatesOfRowsOneByOne(const std::vector<Operator>& operators,
                                  int spread, std::mt19937& rng) {
  int kernels = 0;
  for (const int64_t n : {2048, 2049, 2111, 4096, 8191, 8192}) {
    for (const int64_t rows : {1, 2, 4, 7}) {
      const std::vector<float> x = RandomFloats(rows * n, spread, rng);
      for (const Operator op : operators) {
        SCOPED_TRACE(testing::Message()
                     << NameOf(op) << " of " << rows << " x " << n);
        ForEachTarget([&] {
          const Kernel& kernel = GetKernel(op, DType::kFloat32);
          if (kernel.fold_rows_in_turn == nullptr) return;
          ++kernels;
          for (const Into into : {Into::kNew, Into::kHeld}) {
            EXPECT_EQ(FoldedBy(kernel.fold_rows_in_turn, kernel, x, rows, into),
                      FoldedBy(kernel.fold_rows, kernel, x, rows, into));
          }
        });
      }
    }
  }
  return kernels;
}

// Floats so far apart that sums of float64 round them.
TEST_F(RowsInTurn, AddUpToTheStatesOfRowsOneByOne) {
  EXPECT_GT(ExpectTheStatesOfRowsOneByOne(
                {Operator::kReduceSum, Operator::kReduceL1,
                 Operator::kReduceMean, Operator::kReduceL2,
                 Operator::kReduceSumSquare, Operator::kReduceLogSum},
                30, rng_),
            0);
}

// Products round any, and would be infinite of these.
TEST_F(RowsInTurn, MultiplyToTheStatesOfRowsOneByOne) {
  EXPECT_GT(ExpectTheStatesOfRowsOneByOne({Operator::kReduceProd}, 1, rng_), 0);
}

}  // namespace
}  // namespace reductor
