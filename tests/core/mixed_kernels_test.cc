#include "core/mixed_kernels.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/dtype.h"
#include "core/kernels.h"
#include "core/operators.h"
#include "core/schema.h"
#include "core/trial.h"
#include "tests/core/same_bits.h"
#include "tests/core/seeded_test.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"

namespace reductor {
namespace {

class MixedKernels : public SeededTest {
 protected:
  // Of a few rows of `n` random elements, if the kernel takes such rows, and of
  // their columns, by each instruction set.
  void ExpectTheBitsOfOneInstructionSet(Operator op, DType dtype, int64_t n,
                                        bool select_last_index) {
    SCOPED_TRACE(testing::Message()
                 << NameOf(op) << " of " << n << " " << NameOf(dtype));
    constexpr int64_t kRows = 4;
    const std::string bytes = RandomBytes(kRows * n * SizeOf(dtype), rng_);
    const auto* x = reinterpret_cast<const std::byte*>(bytes.data());
    // Finished, as a NaN in a state may have any bits.
    const auto folded_by = [&](const Kernel& kernel, Source source) {
      std::vector<std::byte> states(kRows * kernel.state_size);
      kernel.fold_rows(x, kRows, n, states.data(), Into::kNew, source);
      std::vector<std::byte> results(kRows * kernel.output_size);
      kernel.finish(states.data(), kRows, n, results.data());
      return results;
    };
    const auto columns_by = [&](const Kernel& kernel) {
      std::vector<std::byte> states(n * kernel.state_size);
      kernel.fold_columns(x, kRows, n, n, states.data(), Into::kNew,
                          Source::kMemory);
      std::vector<std::byte> results(n * kernel.output_size);
      kernel.finish(states.data(), n, kRows, results.data());
      return results;
    };
    const auto slab_by = [&](const Kernel& kernel, Source source) {
      std::vector<std::byte> results(n * kernel.output_size);
      kernel.reduce_slabs(x, 1, kRows, n, n, results.data(), source);
      return results;
    };
    const auto reduced_by = [&](const Kernel& kernel, Source source) {
      std::vector<std::byte> results(kRows * kernel.output_size);
      kernel.reduce_rows(x, kRows, n, results.data(), source);
      return results;
    };
    const auto tried_by = [&](const Kernel& kernel, Source source) {
      std::vector<std::byte> states(kRows * kernel.state_size);
      std::vector<std::byte> results(kRows * kernel.output_size);
      FoldOutputs(kernel, kRows, n, states.data(), results.data(),
                  [&](const Kernel& by, std::byte* into) {
                    by.fold_rows(x, kRows, n, into, Into::kNew, source);
                  });
      return results;
    };
    ForEachTarget([&] {
      const Kernel& kernel = GetKernel(op, dtype, select_last_index);
      const bool takes_slab = TakesSlabRows(kernel, n * SizeOf(dtype));
      const bool takes_rows = n * SizeOf(dtype) <= kernel.max_row_bytes;
      for (const Source source : {Source::kCache, Source::kMemory}) {
        const Kernel& mixed = WithAvx2(op, dtype, select_last_index, source);
        EXPECT_EQ(columns_by(mixed), columns_by(kernel));
        if (takes_slab) {
          EXPECT_EQ(slab_by(mixed, source), slab_by(kernel, source));
        }
        if (!takes_rows) continue;
        EXPECT_EQ(folded_by(mixed, source), folded_by(kernel, Source::kCache));
        EXPECT_EQ(tried_by(mixed, source), tried_by(kernel, Source::kCache));
        ASSERT_EQ(mixed.reduce_rows == nullptr, kernel.reduce_rows == nullptr);
        if (kernel.reduce_rows == nullptr) continue;
        EXPECT_EQ(reduced_by(mixed, source),
                  reduced_by(kernel, Source::kCache));
      }
    });
  }
};

// On any CPU that has AVX2, though few of them want it.
TEST_F(MixedKernels, GiveTheBitsOfOneInstructionSet) {
#if HWY_ARCH_X86
  if ((hwy::SupportedTargets() & HWY_AVX2) == 0) GTEST_SKIP() << "no AVX2";
#endif
  for (const int64_t n : {1, 63, 64, 65, 511, 512, 1000, 1024, 2049, 8192}) {
    for (const Schema& schema : Schemas()) {
      for (const DType dtype : schema.DTypes()) {
        ExpectTheBitsOfOneInstructionSet(schema.op, dtype, n,
                                         /*select_last_index=*/false);
        if (!schema.Has(Attribute::kSelectLastIndex)) continue;
        ExpectTheBitsOfOneInstructionSet(schema.op, dtype, n,
                                         /*select_last_index=*/true);
      }
    }
  }
}

}  // namespace
}  // namespace reductor
