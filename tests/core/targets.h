// Runs a test body once for each instruction set that the kernels were compiled
// for and this CPU has.
#ifndef REDUCTOR_TESTS_CORE_TARGETS_H_
#define REDUCTOR_TESTS_CORE_TARGETS_H_

#include <gtest/gtest.h>

#include <cstdint>

#include "hwy/highway.h"

namespace reductor {

template <class Body>
void ForEachTarget(const Body& body) {
#if HWY_ARCH_X86
  // This file's own baseline is below that of the kernels.
  constexpr int64_t kCompiled = HWY_SSE4 | HWY_AVX2 | HWY_AVX3;
#else
  constexpr int64_t kCompiled = HWY_TARGETS;
#endif
  for (int64_t targets = hwy::SupportedTargets() & kCompiled; targets != 0;
       targets &= targets - 1) {
    const int64_t target = targets & -targets;
    hwy::GetChosenTarget().Update(target);
    SCOPED_TRACE(hwy::TargetName(target));
    body();
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace reductor

#endif  // REDUCTOR_TESTS_CORE_TARGETS_H_
