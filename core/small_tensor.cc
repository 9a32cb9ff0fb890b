#include "core/small_tensor.h"

#include <cstddef>

#include "core/final_range.h"
#include "core/kernels.h"
#include "core/nest.h"
#include "core/order.h"
#include "core/range_fold.h"
#include "core/trial.h"

namespace reductor {
namespace {

// So much is one range, unless it is cut into strips.
int64_t MaxInputBytes(const Kernel& kernel) {
  return kernel.joins_slowly ? kSlowRangeBytes : kRangeBytes;
}

// So few results have too few columns to be. If their tensor is tiny, too,
// their states have their place on the stack.
constexpr int64_t kFewOutputs = 64;

// Up to this a tensor is tiny. Of a larger one rows may be asked whether they
// are absorbing (range_absorbing.cc).
constexpr size_t kTinyBytes = 64 * 1024;

// Whether the tensor is nothing but rows, or slabs, of one size.
bool IsOneLoop(const Plan& plan) {
  return plan.reduced > 1 && (plan.loops.empty() || (plan.loops.size() == 1 &&
                                                     !plan.loops[0].reduced));
}

// How many.
int64_t CountOf(const Plan& plan) {
  return plan.loops.empty() ? 1 : plan.loops[0].extent;
}

bool AreRows(const Plan& plan) {
  return IsOneLoop(plan) && plan.inner == 1 &&
         plan.reduced * SizeOf(plan.dtype) <= kFillBytes;
}

// Whether they are slabs that the kernel takes.
bool AreSlabs(const Plan& plan) {
  return IsOneLoop(plan) && plan.inner > 1 &&
         (IsSmallSlab(plan.reduced, plan.inner) ||
          IsSlabOfFewRows(plan.reduced, plan.inner, SizeOf(plan.dtype)));
}

// A tensor of any shape, which is as near as others so small (sums of 16
// columns of int32 and of 64 x 20, of rows of 3,000 float64, 16 KiB, Intel: 56,
// 24 and 124 GB/s as from the L3 cache, 84, 32 and 146 so).
void ReduceByLevels(const Plan& plan, absl::string_view bytes, std::byte* out) {
  const Levels levels = MakeLevels(plan);
  const Level& first = levels.front();
  ReduceFinalRange(plan, first, first.extent, out, [&](const Kernel& kernel) {
    return RangeFold(kernel, SizeOf(plan.dtype), levels, bytes,
                     Source::kOwnCache);
  });
}

}  // namespace

bool IsSmall(const Plan& plan) {
  if (plan.input_count == 0 || plan.is_identity ||
      plan.input_bytes() > MaxInputBytes(*plan.kernel)) {
    return false;
  }
  return plan.output_count <= kFewOutputs || MakeNest(plan).range_count == 1;
}

void ReduceSmall(const Plan& plan, absl::string_view bytes, std::byte* out) {
  const Kernel& kernel = *plan.kernel;
  const auto* x = reinterpret_cast<const std::byte*>(bytes.data());
  // Tiny ones by one call of the kernel, if it takes such a tensor: rows and
  // slabs without states, where that can be (places in 4 rows of 6 float32 and
  // their LogSum, Zen 4: 124 and 94 ns with them, 106 and 78 so).
  const bool is_tiny =
      plan.output_count <= kFewOutputs && bytes.size() <= kTinyBytes;
  const bool are_rows = is_tiny && AreRows(plan);
  if (are_rows && kernel.reduce_rows != nullptr) {
    return kernel.reduce_rows(x, CountOf(plan), plan.reduced, out,
                              Source::kOwnCache);
  }
  const bool are_slabs = is_tiny && AreSlabs(plan);
  if (are_slabs && TakesSlabRows(kernel, plan.inner * SizeOf(plan.dtype))) {
    return kernel.reduce_slabs(x, CountOf(plan), plan.reduced, plan.inner,
                               plan.inner, out, Source::kOwnCache);
  }
  if (!are_rows && !are_slabs) return ReduceByLevels(plan, bytes, out);
  alignas(std::max_align_t) std::byte states[kFewOutputs * kMaxStateSize];
  FoldOutputs(kernel, plan.output_count, plan.reduced_count, states, out,
              [&](const Kernel& by, std::byte* into) {
                if (are_rows) {
                  by.fold_rows(x, CountOf(plan), plan.reduced, into, Into::kNew,
                               Source::kOwnCache);
                } else {
                  by.fold_slabs(x, CountOf(plan), plan.reduced, plan.inner,
                                into, Into::kNew, Source::kOwnCache);
                }
              });
}

}  // namespace reductor
