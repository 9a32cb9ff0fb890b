#include "core/kernels/mixed_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/cpu.h"
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

struct MixedCase {
  CpuKind cpu;
  Source source;
};
constexpr MixedCase kCases[] = {{CpuKind::kZen4, Source::kSharedCache},
                                {CpuKind::kZen4, Source::kMemory},
                                {CpuKind::kGoldenCove, Source::kSharedCache},
                                {CpuKind::kGoldenCove, Source::kMemory}};

bool HasAvx2() {
#if HWY_ARCH_X86
  return (hwy::SupportedTargets() & HWY_AVX2) != 0;
#else
  return true;
#endif
}

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
      for (const auto& [cpu, source] : kCases) {
        const Kernel& mixed =
            WithAvx2(cpu, op, dtype, select_last_index, source);
        EXPECT_EQ(columns_by(mixed), columns_by(kernel));
        if (takes_slab) {
          EXPECT_EQ(slab_by(mixed, source), slab_by(kernel, source));
        }
        if (!takes_rows) continue;
        EXPECT_EQ(folded_by(mixed, source),
                  folded_by(kernel, Source::kSharedCache));
        EXPECT_EQ(tried_by(mixed, source),
                  tried_by(kernel, Source::kSharedCache));
        ASSERT_EQ(mixed.reduce_rows == nullptr, kernel.reduce_rows == nullptr);
        if (kernel.reduce_rows == nullptr) continue;
        EXPECT_EQ(reduced_by(mixed, source),
                  reduced_by(kernel, Source::kSharedCache));
      }
    });
  }
};

// On any CPU that has AVX2, though few of them want it.
TEST_F(MixedKernels, GiveTheBitsOfOneInstructionSet) {
  if (!HasAvx2()) GTEST_SKIP() << "no AVX2";
  for (const int64_t n :
       {1, 9, 31, 63, 64, 65, 511, 512, 1000, 1024, 2049, 8192}) {
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

// Random bytes have a NaN in most long rows; these have none, and differ by up
// to 2^40, so that another order of additions has other bits.
class MixedSums : public SeededTest {
 protected:
  std::vector<float> RandomFloats(int64_t count) {
    std::vector<float> x(count);
    for (float& element : x) {
      const auto mantissa = static_cast<float>(rng_() % 2'000'001) - 1e6F;
      element = std::ldexp(mantissa, static_cast<int>(rng_() % 40) - 40);
    }
    return x;
  }

  static void Expect(const std::vector<float>& x,
                     const std::function<std::vector<std::byte>(
                         const Kernel&, const std::byte*)>& results_of) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(x.data());
    for (const Operator op : {Operator::kReduceSum, Operator::kReduceL1,
                              Operator::kReduceMean, Operator::kReduceLogSum}) {
      ForEachTarget([&] {
        const auto expected = results_of(GetKernel(op, DType::kFloat32), bytes);
        for (const auto& [cpu, source] : kCases) {
          const Kernel& mixed =
              WithAvx2(cpu, op, DType::kFloat32, false, source);
          EXPECT_EQ(results_of(mixed, bytes), expected) << NameOf(op);
        }
      });
    }
  }
};

TEST_F(MixedSums, OfRowsHaveTheBitsOfOneInstructionSet) {
  if (!HasAvx2()) GTEST_SKIP() << "no AVX2";
  constexpr int64_t kRows = 3;
  for (const int64_t n : {8,   9,   13,  16,  31,  32,  63,  64,  65,   100,
                          415, 416, 417, 447, 448, 511, 512, 513, 1000, 8191}) {
    SCOPED_TRACE(n);
    Expect(
        RandomFloats(kRows * n), [n](const Kernel& kernel, const std::byte* x) {
          std::vector<std::byte> results(2 * kRows * kernel.output_size);
          kernel.reduce_rows(x, kRows, n, results.data(), Source::kSharedCache);
          std::vector<std::byte> states(kRows * kernel.state_size);
          kernel.fold_rows(x, kRows, n, states.data(), Into::kNew,
                           Source::kSharedCache);
          kernel.finish(states.data(), kRows, n,
                        results.data() + kRows * kernel.output_size);
          return results;
        });
  }
}

TEST_F(MixedSums, OfSlabsHaveTheBitsOfOneInstructionSet) {
  if (!HasAvx2()) GTEST_SKIP() << "no AVX2";
  struct Slabs {
    int64_t slabs, rows, cols;
  };
  for (const Slabs& s : {Slabs{2, 300, 16},
                         {1, 129, 32},
                         {1, 17'000, 3},
                         {1, 2049, 30},
                         {3, 20, 60}}) {
    SCOPED_TRACE(testing::Message()
                 << s.slabs << " x " << s.rows << " x " << s.cols);
    Expect(RandomFloats(s.slabs * s.rows * s.cols),
           [&s](const Kernel& kernel, const std::byte* x) {
             const int64_t n = s.slabs * s.cols;
             std::vector<std::byte> states(n * kernel.state_size);
             for (const Into into : {Into::kNew, Into::kHeld}) {
               kernel.fold_slabs(x, s.slabs, s.rows, s.cols, states.data(),
                                 into, Source::kSharedCache);
             }
             std::vector<std::byte> results(n * kernel.output_size);
             kernel.finish(states.data(), n, 2 * s.rows, results.data());
             return results;
           });
  }
}

}  // namespace
}  // namespace reductor
