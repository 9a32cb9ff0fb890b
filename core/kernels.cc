#include "core/kernels.h"

#include <array>
#include <cassert>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/cpu.h"

// See kernels_sums.cc for the order of these.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

int64_t CompiledTarget() { return HWY_TARGET; }

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reductor {

HWY_EXPORT(CompiledTarget);

// One row of kernels per reducer, from the kernels_*.cc.
#define X(name)                  \
  const Kernel* name##Kernels(); \
  const Kernel* name##Avx2Kernels();
REDUCTOR_OPERATORS(X)
#undef X
const Kernel* ArgMaxLastKernels();
const Kernel* ArgMinLastKernels();

namespace {

const Kernel* KernelsOf(Operator op, bool select_last_index) {
  if (select_last_index && op == Operator::kArgMax) return ArgMaxLastKernels();
  if (select_last_index && op == Operator::kArgMin) return ArgMinLastKernels();
  switch (op) {
    case Operator::kUnspecified:
      break;
#define X(name)           \
  case Operator::k##name: \
    return name##Kernels();
      REDUCTOR_OPERATORS(X)
#undef X
  }
  return nullptr;
}

// DType counts from 1.
constexpr size_t IndexOf(DType dtype) { return static_cast<size_t>(dtype) - 1; }

#if HWY_TARGETS & HWY_AVX2
// Zen 4 widens float32 by AVX-512 at half the speed of AVX2: from as many
// elements on AVX2 folds its rows (in cache, GB/s by one and by the other: sums
// of all 54 and 85, of rows of 1,000, 100, 32 and 17 56 and 85, 48 and 66, 42
// and 45, 27 and 21; beside a busy thread of the same core, of all 50 and 56).
// Of columns and slabs it has no more, nor of magnitudes, which take it a step
// more (L1 of all 55 and 64, but beside a busy thread 46 and 39).
constexpr int64_t kFewestForAvx2 = 64;

// The kernel for float32 there.
template <const Kernel* (*kBest)(), const Kernel* (*kAvx2)()>
Kernel MixedKernel() {
  static constexpr auto kKernelFor = [](int64_t n) -> const Kernel& {
    return (n < kFewestForAvx2 ? kBest() : kAvx2())[IndexOf(DType::kFloat32)];
  };
  Kernel kernel = kKernelFor(0);
  kernel.fold_rows = [](const std::byte* x, int64_t rows, int64_t n,
                        std::byte* states, Into into) {
    kKernelFor(n).fold_rows(x, rows, n, states, into);
  };
  if (kernel.reduce_rows != nullptr) {
    kernel.reduce_rows = [](const std::byte* x, int64_t rows, int64_t n,
                            std::byte* out) {
      kKernelFor(n).reduce_rows(x, rows, n, out);
    };
  }
  return kernel;
}

const Kernel& MixedKernelOf(Operator op) {
  static const Kernel kKernels[] = {
#define X(name) MixedKernel<name##Kernels, name##Avx2Kernels>(),
      REDUCTOR_OPERATORS(X)
#undef X
  };
  return kKernels[static_cast<size_t>(op) - 1];
}
#endif

struct Isa {
  absl::string_view name;
  int64_t target;
};

// Lowest first.
constexpr Isa kIsas[] = {
#if HWY_ARCH_X86
    {"sse4", HWY_SSE4},
    {"avx2", HWY_AVX2},
    {"avx3", HWY_AVX3},
#endif
};

}  // namespace

const Kernel& GetKernel(Operator op, DType dtype, bool select_last_index) {
  const Kernel* kernels = KernelsOf(op, select_last_index);
  assert(kernels != nullptr && IsKnown(dtype));
  const Kernel& kernel = kernels[IndexOf(dtype)];
#if HWY_TARGETS & HWY_AVX2
  if (kernel.widens_floats && op != Operator::kReduceL1 &&
      kCpuKind == CpuKind::kZen4 &&
      HWY_DYNAMIC_DISPATCH(CompiledTarget)() == HWY_AVX3) {
    return MixedKernelOf(op);
  }
#endif
  return kernel;
}

absl::Status LimitIsa(absl::string_view isa) {
  if (isa == "auto") return absl::OkStatus();
  int64_t above = 0;
  bool known = false;
  for (const auto& [name, target] : kIsas) {
    if (known) above |= target;
    if (name != isa) continue;
    known = true;
    if ((hwy::SupportedTargets() & target) == 0) {
      return absl::InvalidArgumentError(absl::StrCat("this CPU has no ", isa));
    }
  }
  if (!known) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", isa, "' is not one of auto",
        absl::StrJoin(kIsas, "", [](std::string* out, const Isa& each) {
          absl::StrAppend(out, ", ", each.name);
        })));
  }
  hwy::DisableTargets(above);
  return absl::OkStatus();
}

std::string ActiveIsa() {
  return absl::AsciiStrToLower(
      hwy::TargetName(HWY_DYNAMIC_DISPATCH(CompiledTarget)()));
}

}  // namespace reductor
#endif  // HWY_ONCE
