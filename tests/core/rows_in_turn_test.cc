// fold_rows_in_turn gives the bits of fold_rows.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/kernels.h"
#include "core/schema.h"
#include "tests/core/same_bits.h"
#include "tests/core/seeded_test.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"

namespace reductor {
namespace {

using RowsInTurn = SeededTest;

// Finished, as a NaN in a state may have any bits.
std::vector<std::byte> FoldedBy(decltype(Kernel::fold_rows) fold,
                                const Kernel& kernel, const std::byte* x,
                                int64_t rows, int64_t n, Into into) {
  std::vector<std::byte> states(rows * kernel.state_size);
  kernel.init(states.data(), rows);
  fold(x, rows, n, states.data(), into);
  std::vector<std::byte> results(rows * kernel.output_size);
  kernel.finish(states.data(), rows, n, results.data());
  return results;
}

TEST_F(RowsInTurn, AreWhatTheyAreOneByOne) {
  int kernels = 0;
  for (const int64_t n : {2048, 2049, 2111, 4096, 8191, 8192}) {
    for (const int64_t rows : {1, 2, 4, 7}) {
      // Some floats that are rounded, and some of any bits.
      std::string bytes = RandomBytes(rows * n * 4, rng_);
      for (size_t i = 3; i < bytes.size() / 2; i += 4) bytes[i] = 0x3f;
      const auto* x = reinterpret_cast<const std::byte*>(bytes.data());
      for (const Schema& schema : Schemas()) {
        SCOPED_TRACE(testing::Message()
                     << NameOf(schema.op) << " of " << rows << " x " << n);
        ForEachTarget([&] {
          const Kernel& kernel = GetKernel(schema.op, DType::kFloat32);
          if (kernel.fold_rows_in_turn == nullptr) return;
          ++kernels;
          for (const Into into : {Into::kNew, Into::kHeld}) {
            EXPECT_EQ(
                FoldedBy(kernel.fold_rows_in_turn, kernel, x, rows, n, into),
                FoldedBy(kernel.fold_rows, kernel, x, rows, n, into));
          }
        });
      }
    }
  }
  EXPECT_GT(kernels, 0);
}

}  // namespace
}  // namespace reductor
