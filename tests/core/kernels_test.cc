#include "core/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/dtype.h"
#include "core/operators.h"
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

// What nobody can ask for is not compiled.
TEST(GetKernel, HasNoTypeThatNoSchemaAllows) {
  for (const Operator op : kOperators) {
    for (const DType dtype : kDTypes) {
      const bool is_allowed = std::any_of(
          Schemas().begin(), Schemas().end(),
          [&](const Schema& s) { return s.op == op && s.Allows(dtype); });
      EXPECT_EQ(GetKernel(op, dtype).fold_rows != nullptr, is_allowed)
          << NameOf(op) << " of " << NameOf(dtype);
    }
  }
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

TEST(CheckIsa, RefusesANameThatIsNoInstructionSet) {
  const absl::Status status = CheckIsa("avx9");
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_EQ(status.message(), "'avx9' is not one of auto, sse4, avx2, avx3");
}

TEST(CheckIsa, TakesAutoForTheBest) { EXPECT_TRUE(CheckIsa("auto").ok()); }

#if HWY_ARCH_X86
TEST(CheckIsa, TakesASetThatTheCpuHas) {
  EXPECT_TRUE(CheckIsa("sse4").ok());
  EXPECT_EQ(CheckIsa("avx3").ok(), (hwy::SupportedTargets() & HWY_AVX3) != 0);
}

TEST(LimitIsa, LeavesAllSetsToAuto) {
  const std::string best = ActiveIsa();
  LimitIsa("auto");
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  EXPECT_EQ(ActiveIsa(), best);
}

TEST(LimitIsa, UsesNoSetAboveTheOneNamed) {
  LimitIsa("sse4");
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  EXPECT_EQ(ActiveIsa(), "sse4");
  hwy::DisableTargets(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}
#endif

}  // namespace
}  // namespace reductor
