#include "core/small_tensor.h"

#include <cassert>
#include <cstddef>

#include "core/kernels.h"
#include "core/nest.h"
#include "core/range_fold.h"
#include "core/trial.h"

namespace reductor {
namespace {

// A quarter of a range: cut to a power of two it still holds all of it.
constexpr int64_t kMaxInputBytes = 64 * 1024;

// States and results have their place on the stack.
constexpr int64_t kMaxOutputs = 64;
constexpr int64_t kMaxStateSize = 32;

}  // namespace

bool IsSmall(const Plan& plan) {
  return plan.input_count > 0 && plan.input_bytes() <= kMaxInputBytes &&
         plan.output_count <= kMaxOutputs && !plan.is_identity;
}

absl::Cord ReduceSmall(const Plan& plan, absl::string_view bytes) {
  const Kernel& kernel = GetKernel(plan.op, plan.dtype, plan.select_last_index);
  const Levels levels = MakeLevels(plan);
  assert(MakeNest(plan).range_count == 1);
  assert(kernel.state_size <= kMaxStateSize);
  alignas(std::max_align_t) std::byte states[kMaxOutputs * kMaxStateSize];
  std::byte results[kMaxOutputs * kMaxElementSize];
  FoldOutputs(kernel, plan.output_count, plan.reduced_count, states, results,
              [&](const Kernel& by, std::byte* into) {
                RangeFold(by, SizeOf(plan.dtype), levels, bytes)
                    .FoldInto(levels.front().extent, into, Into::kNew);
              });
  return absl::Cord(absl::string_view(reinterpret_cast<const char*>(results),
                                      plan.output_bytes()));
}

}  // namespace reductor
