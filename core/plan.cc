#include "core/plan.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/checks.h"
#include "core/kernels.h"
#include "core/shape.h"
#include "core/violations.h"

namespace reductor {
namespace {

// Which axes are reduced, by the rules for naming none.
std::vector<bool> ReducedAxes(const ReduceSpec& spec,
                              const CheckedReduction& checked) {
  const bool means_all =
      spec.axes.empty() && checked.schema->family == Family::kOnnx &&
      !checked.noop_with_empty_axes && !IsPosition(checked.schema->op);
  if (!means_all) return checked.named_axes;
  return std::vector<bool>(checked.named_axes.size(), true);
}

// Whether an operator does nothing to an element but reduce it with others, so
// that one alone stays as it is.
bool OnlyReduces(Operator op) {
  switch (op) {
    case Operator::kReduceProd:
    case Operator::kReduceSum:
    case Operator::kReduceMean:
    case Operator::kReduceMax:
    case Operator::kReduceMin:
    case Operator::kReduceLogSumExp:  // As the logarithm undoes the rest.
      return true;
    case Operator::kUnspecified:
    case Operator::kReduceL1:
    case Operator::kReduceL2:
    case Operator::kReduceSumSquare:
    case Operator::kReduceLogSum:
    case Operator::kArgMax:
    case Operator::kArgMin:
    case Operator::kReduceLogicalAnd:
    case Operator::kReduceLogicalOr:
      break;
  }
  return false;
}

std::vector<int64_t> OutputShape(const std::vector<int64_t>& shape,
                                 const std::vector<bool>& reduced,
                                 bool keep_dims) {
  std::vector<int64_t> output_shape;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (!reduced[i]) output_shape.push_back(shape[i]);
    if (reduced[i] && keep_dims) output_shape.push_back(1);
  }
  return output_shape;
}

// Elements folded into each result. Past int64 only beside a kept extent of 0:
// then no result asks for it.
int64_t ReducedCount(const std::vector<int64_t>& shape,
                     const std::vector<bool>& reduced) {
  std::vector<int64_t> extents;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (reduced[i]) extents.push_back(shape[i]);
  }
  return CountElements(extents, 1).value_or(0);
}

// Drops extents of 1, merges neighbours of a kind, and cuts the tile off.
void MakeLoops(const std::vector<int64_t>& shape,
               const std::vector<bool>& reduced, Plan& plan) {
  std::vector<Loop>& loops = plan.loops;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1) continue;
    if (!loops.empty() && loops.back().reduced == reduced[i]) {
      loops.back().extent *= shape[i];
    } else {
      loops.push_back({.extent = shape[i], .reduced = reduced[i]});
    }
  }
  if (!loops.empty() && !loops.back().reduced) {
    plan.inner = loops.back().extent;
    loops.pop_back();
  }
  if (!loops.empty()) {
    plan.reduced = loops.back().extent;
    loops.pop_back();
  }
}

// Nullopt, and a violation, where the result has more bytes than can be
// counted: a zero extent lets such an input through the checks.
std::optional<Plan> MakePlan(const RequestSpec& request, int64_t index,
                             const CheckedTensor& tensor,
                             const CheckedReduction& checked,
                             Violations& violations) {
  const ReduceSpec& spec = request.reductions[index];
  const std::vector<int64_t>& shape = request.tensor->shape;
  const DType dtype = *tensor.dtype;
  const std::vector<bool> reduced = ReducedAxes(spec, checked);
  Plan plan{.op = spec.op,
            .dtype = dtype,
            .output_dtype = IsPosition(spec.op) ? DType::kInt64 : dtype,
            .output_shape = OutputShape(shape, reduced, checked.keep_dims)};
  const std::optional<int64_t> output_count =
      CountElements(plan.output_shape, SizeOf(plan.output_dtype));
  if (!output_count.has_value()) {
    violations.Add(
        "tensor.shape", "SHAPE_TOO_LARGE",
        absl::StrCat("reductions[", index, "]: the result ",
                     ShapeText(plan.output_shape), " of ", ShapeText(shape),
                     " has more bytes than int64 counts"));
    return std::nullopt;
  }
  plan.input_count = *tensor.count;
  plan.kernel =
      &GetKernel(spec.op, dtype, checked.select_last_index, plan.source());
  plan.output_count = *output_count;
  plan.reduced_count = ReducedCount(shape, reduced);
  const bool leaves_elements =
      checked.schema->family == Family::kOpenvino ||
      (checked.noop_with_empty_axes && OnlyReduces(spec.op));
  // A bool's byte may be any; its answer is 0 or 1.
  plan.is_identity =
      spec.axes.empty() && dtype != DType::kBool && leaves_elements;
  if (plan.input_count > 0) MakeLoops(shape, reduced, plan);
  return plan;
}

}  // namespace

absl::StatusOr<std::vector<Plan>> MakePlans(const RequestSpec& request) {
  Violations violations;
  const CheckedTensor tensor = CheckTensor(request.tensor, violations);
  const auto count = static_cast<int64_t>(request.reductions.size());
  CheckReductionCount(count, violations);
  std::vector<Plan> plans;
  // Those above the limit are not checked one by one: a message may hold a
  // hundred thousand.
  for (int64_t i = 0; i < std::min(count, kMaxReductions); ++i) {
    const std::optional<CheckedReduction> checked =
        CheckReduction(request, tensor, i, violations);
    if (!checked.has_value()) continue;
    std::optional<Plan> plan =
        MakePlan(request, i, tensor, *checked, violations);
    if (plan.has_value()) plans.push_back(*std::move(plan));
  }
  if (!violations.empty()) return violations.ToStatus();
  return plans;
}

}  // namespace reductor
