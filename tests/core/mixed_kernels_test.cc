#include "core/mixed_kernels.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "core/schema.h"
#include "tests/core/same_bits.h"
#include "tests/core/seeded_test.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"

namespace reductor {
namespace {

using MixedKernels = SeededTest;

// On any CPU that has AVX2, though few of them want it.
TEST_F(MixedKernels, GiveRowsTheBitsOfOneInstructionSet) {
#if HWY_ARCH_X86
  if ((hwy::SupportedTargets() & HWY_AVX2) == 0) GTEST_SKIP() << "no AVX2";
#endif
  constexpr int64_t kRows = 3;
  for (const int64_t n : {1, 63, 64, 65, 1000, 2049, 8192}) {
    const std::string bytes =
        RandomBytes(kRows * n * SizeOf(DType::kFloat32), rng_);
    const auto* x = reinterpret_cast<const std::byte*>(bytes.data());
    for (const Schema& schema : Schemas()) {
      SCOPED_TRACE(testing::Message() << NameOf(schema.op) << " of " << n);
      ForEachTarget([&] {
        // Finished, as a NaN in a state may have any bits.
        const auto folded_by = [&](const Kernel& kernel) {
          std::vector<std::byte> states(kRows * kernel.state_size);
          kernel.fold_rows(x, kRows, n, states.data(), Into::kNew);
          std::vector<std::byte> results(kRows * kernel.output_size);
          kernel.finish(states.data(), kRows, n, results.data());
          return results;
        };
        const auto reduced_by = [&](const Kernel& kernel) {
          std::vector<std::byte> results(kRows * kernel.output_size);
          kernel.reduce_rows(x, kRows, n, results.data());
          return results;
        };
        const Kernel& kernel = GetKernel(schema.op, DType::kFloat32);
        if (!kernel.widens_float32) return;
        const Kernel& mixed = WithAvx2Rows(schema.op);
        EXPECT_EQ(folded_by(mixed), folded_by(kernel));
        if (kernel.reduce_rows == nullptr) return;
        EXPECT_EQ(reduced_by(mixed), reduced_by(kernel));
      });
    }
  }
}

}  // namespace
}  // namespace reductor
