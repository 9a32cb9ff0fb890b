#include "core/kernels.h"

#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/kernels/mixed_kernels.h"
#include "core/kernels/tables.h"

// See kernels/sums.cc for the order of these.
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

namespace {

constexpr KernelTable kTables[] = {
#define X(name) name##Kernels,
    REDUCTOR_KERNEL_TABLES(X)
#undef X
};

struct Isa {
  absl::string_view name;
  int64_t target;
};

// Lowest first.
constexpr std::initializer_list<Isa> kIsas = {
#if HWY_ARCH_X86
    {"sse4", HWY_SSE4},
    {"avx2", HWY_AVX2},
    {"avx3", HWY_AVX3},
#endif
};

}  // namespace

const Kernel& GetKernel(Operator op, DType dtype, bool select_last_index,
                        Source source) {
  assert(IsKnown(op) && IsKnown(dtype));
#if REDUCTOR_MIXES_KERNELS
  if (HWY_DYNAMIC_DISPATCH(CompiledTarget)() == HWY_AVX3 &&
      WantsAvx2(kCpuKind)) {
    return WithAvx2(kCpuKind, op, dtype, select_last_index, source);
  }
#endif
  return kTables[IndexOfTable(op, select_last_index)]()[IndexOf(dtype)];
}

absl::Status CheckIsa(absl::string_view isa) {
  if (isa == "auto") return absl::OkStatus();
  for (const auto& [name, target] : kIsas) {
    if (name != isa) continue;
    if ((hwy::SupportedTargets() & target) != 0) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat("this CPU has no ", isa));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "'", isa, "' is not one of auto",
      absl::StrJoin(kIsas, "", [](std::string* out, const Isa& each) {
        absl::StrAppend(out, ", ", each.name);
      })));
}

void LimitIsa(absl::string_view isa) {
  if (isa == "auto") return;
  int64_t above = 0;
  for (auto each = std::rbegin(kIsas);
       each != std::rend(kIsas) && each->name != isa; ++each) {
    above |= each->target;
  }
  hwy::DisableTargets(above);
}

std::string ActiveIsa() {
  return absl::AsciiStrToLower(
      hwy::TargetName(HWY_DYNAMIC_DISPATCH(CompiledTarget)()));
}

}  // namespace reductor
#endif  // HWY_ONCE
