#include "core/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "core/schema.h"
#include "tests/core/targets.h"

namespace reductor {
namespace {

TEST(GetKernel, HasEveryTypeThatASchemaAllows) {
  ForEachTarget([] {
    for (const Schema& schema : Schemas()) {
      for (const DType dtype : schema.DTypes()) {
        const Kernel& kernel = GetKernel(schema.op, dtype);
        EXPECT_NE(kernel.fold_rows, nullptr);
        EXPECT_EQ(kernel.output_size,
                  IsPosition(schema.op) ? 8 : SizeOf(dtype));
      }
    }
  });
}

// More rows than the loops over columns count at a time.
TEST(FoldColumns, FindsPlacesInColumnsOfAnyLength) {
  constexpr int64_t kRows = 16387;
  for (const int64_t place : {0, 16383, 16384, 16386}) {
    std::vector<std::byte> x(2 * kRows, std::byte{1});
    x[2 * place] = std::byte{2};
    for (const bool is_last : {false, true}) {
      const Kernel& kernel =
          GetKernel(Operator::kArgMax, DType::kUint8, is_last);
      std::vector<std::byte> state(kernel.state_size);
      kernel.fold_columns(x.data(), kRows, 2, 1, state.data(), Into::kNew,
                          Source::kCache);
      int64_t found = -1;
      kernel.finish(state.data(), 1, kRows,
                    reinterpret_cast<std::byte*>(&found));
      EXPECT_EQ(found, place);
    }
  }
}

// Of either sign, and in any part of the range of int32.
template <class T>
std::vector<T> RandomElements(int64_t count, std::mt19937& random) {
  std::vector<T> x(count);
  for (T& each : x) {
    each = static_cast<T>(static_cast<int32_t>(random())) / T{3};
  }
  return x;
}

// Zen 4 walks those otherwise.
TEST(FoldColumns, MakesTheSameOfWhatComesFromMemory) {
  const auto expect = [](Operator op, auto zero) {
    using T = decltype(zero);
    std::mt19937 random(1);
    for (const int64_t rows : {1, 3, 4, 9}) {
      for (const int64_t cols : {5, 300, 1000, 2100, 5000}) {
        for (const int64_t stride : {cols, cols + 7}) {
          const std::vector<T> x = RandomElements<T>(rows * stride, random);
          const auto states_from = [&](Source source) {
            const Kernel& kernel = GetKernel(op, kDTypeOf<T>, false, source);
            std::vector<std::byte> states(cols * kernel.state_size);
            for (const Into into : {Into::kNew, Into::kHeld}) {
              kernel.fold_columns(reinterpret_cast<const std::byte*>(x.data()),
                                  rows, stride, cols, states.data(), into,
                                  source);
            }
            return states;
          };
          EXPECT_EQ(states_from(Source::kMemory), states_from(Source::kCache))
              << NameOf(op) << " of " << rows << " x " << cols << ", " << stride
              << " apart";
        }
      }
    }
  };
  expect(Operator::kReduceSum, double{});
  expect(Operator::kReduceSum, float{});
  expect(Operator::kReduceSum, int32_t{});
  expect(Operator::kReduceMax, float{});
}

TEST(ReduceSlabs, WritesTheSameOfWhatComesFromMemory) {
  const auto expect = [](Operator op, auto zero) {
    using T = decltype(zero);
    std::mt19937 random(1);
    for (const int64_t rows : {2, 7, 16}) {
      for (const int64_t cols : {16, 100, 300, 1100}) {
        constexpr int64_t kSlabs = 3;
        const std::vector<T> x =
            RandomElements<T>(kSlabs * rows * cols, random);
        const auto results_from = [&](Source source) {
          const Kernel& kernel = GetKernel(op, kDTypeOf<T>, false, source);
          std::vector<std::byte> results(kSlabs * cols * kernel.output_size);
          kernel.reduce_slabs(reinterpret_cast<const std::byte*>(x.data()),
                              kSlabs, rows, cols, cols, results.data(), source);
          return results;
        };
        EXPECT_EQ(results_from(Source::kMemory), results_from(Source::kCache))
            << NameOf(op) << " of " << rows << " x " << cols;
      }
    }
  };
  expect(Operator::kReduceSum, double{});
  expect(Operator::kReduceSum, float{});
  expect(Operator::kReduceMax, float{});
  expect(Operator::kArgMax, int32_t{});
}

// As strips of columns do.
TEST(ReduceSlabs, WritesTheSameOfRowsThatLieApart) {
  const auto expect = [](Operator op, auto zero) {
    using T = decltype(zero);
    std::mt19937 random(1);
    const Kernel& kernel = GetKernel(op, kDTypeOf<T>);
    for (const int64_t rows : {2, 17, 33, 48}) {
      for (const int64_t cols : {16, 64, 129, 1100}) {
        if (cols * static_cast<int64_t>(sizeof(T)) < kMinSlabRowBytes) continue;
        const std::vector<T> together = RandomElements<T>(rows * cols, random);
        const auto results_by = [&](int64_t stride) {
          std::vector<T> x(rows * stride);
          for (int64_t r = 0; r < rows; ++r) {
            std::copy_n(together.begin() + r * cols, cols,
                        x.begin() + r * stride);
          }
          std::vector<std::byte> results(cols * kernel.output_size);
          kernel.reduce_slabs(reinterpret_cast<const std::byte*>(x.data()), 1,
                              rows, stride, cols, results.data(),
                              Source::kCache);
          return results;
        };
        EXPECT_EQ(results_by(cols + 700), results_by(cols))
            << NameOf(op) << " of " << rows << " x " << cols;
      }
    }
  };
  ForEachTarget([&expect] {
    expect(Operator::kReduceSum, double{});
    expect(Operator::kReduceMean, double{});
    expect(Operator::kReduceSum, float{});
    expect(Operator::kReduceMax, float{});
    expect(Operator::kReduceMean, int16_t{});
    expect(Operator::kArgMax, float{});
    expect(Operator::kArgMin, int64_t{});
  });
}

TEST(ActiveIsa, NamesTheInstructionSetThatRuns) {
#if HWY_ARCH_X86
  hwy::GetChosenTarget().Update(HWY_SSE4);
  EXPECT_EQ(ActiveIsa(), "sse4");
  if (hwy::SupportedTargets() & HWY_AVX2) {
    hwy::GetChosenTarget().Update(HWY_AVX2);
    EXPECT_EQ(ActiveIsa(), "avx2");
  }
#endif
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

TEST(LimitIsa, RefusesANameThatIsNoInstructionSet) {
  const absl::Status status = LimitIsa("avx9");
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_EQ(status.message(), "'avx9' is not one of auto, sse4, avx2, avx3");
}

TEST(LimitIsa, TakesAutoForTheBest) { EXPECT_TRUE(LimitIsa("auto").ok()); }

#if HWY_ARCH_X86
TEST(LimitIsa, UsesNoSetAboveTheOneNamed) {
  EXPECT_TRUE(LimitIsa("sse4").ok());
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  EXPECT_EQ(ActiveIsa(), "sse4");
  hwy::DisableTargets(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}
#endif

}  // namespace
}  // namespace reductor
