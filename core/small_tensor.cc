#include "core/small_tensor.h"

#include <cassert>
#include <cstddef>

#include "core/kernels.h"
#include "core/nest.h"
#include "core/range_fold.h"
#include "core/trial.h"

namespace reductor {
namespace {

// Less than half of a range: cut to a power of two it still holds all of it.
constexpr int64_t kMaxInputBytes = 64 * 1024;

constexpr int64_t kMaxStateSize = 32;

// Folds the tensor by a single call of the kernel, if its shape is one for
// which RangeFold makes that call: rows of a block at most (FoldKept,
// FoldReduced) or slabs of few rows (is_slab).
bool FoldByOneCall(const Plan& plan, const Kernel& kernel,
                   absl::string_view bytes, std::byte* states) {
  const bool is_one_loop =
      plan.loops.empty() || (plan.loops.size() == 1 && !plan.loops[0].reduced);
  if (!is_one_loop || plan.reduced == 1) return false;
  const int64_t count = plan.loops.empty() ? 1 : plan.loops[0].extent;
  const int64_t element_size = SizeOf(plan.dtype);
  const auto* x = reinterpret_cast<const std::byte*>(bytes.data());
  if (plan.inner == 1) {
    if (plan.reduced * element_size > kBlockBytes) return false;
    kernel.fold_rows(x, count, plan.reduced, states, Into::kNew);
    return true;
  }
  if (!IsSlabOfFewRows(plan.reduced, plan.inner, element_size)) return false;
  kernel.fold_slabs(x, count, plan.reduced, plan.inner, states, Into::kNew);
  return true;
}

// Folds a tensor of any shape.
void FoldByLevels(const Plan& plan, const Kernel& kernel,
                  absl::string_view bytes, std::byte* states) {
  assert(MakeNest(plan).range_count == 1);
  const Levels levels = MakeLevels(plan);
  RangeFold(kernel, SizeOf(plan.dtype), levels, bytes)
      .FoldInto(levels.front().extent, states, Into::kNew);
}

}  // namespace

bool IsSmall(const Plan& plan) {
  return plan.input_count > 0 && plan.input_bytes() <= kMaxInputBytes &&
         plan.output_count <= kMaxSmallOutputs && !plan.is_identity;
}

void ReduceSmall(const Plan& plan, absl::string_view bytes, std::byte* out) {
  const Kernel& kernel = *plan.kernel;
  assert(kernel.state_size <= kMaxStateSize);
  alignas(std::max_align_t) std::byte states[kMaxSmallOutputs * kMaxStateSize];
  FoldOutputs(kernel, plan.output_count, plan.reduced_count, states, out,
              [&](const Kernel& by, std::byte* into) {
                if (!FoldByOneCall(plan, by, bytes, into)) {
                  FoldByLevels(plan, by, bytes, into);
                }
              });
}

}  // namespace reductor
