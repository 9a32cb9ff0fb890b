// CheckReductionCount() and CheckReduction().
#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "core/checks.h"

namespace reductor {
namespace {

std::string VersionText(const Schema& schema) {
  return absl::StrCat(NameOf(schema.family), " ", NameOf(schema.op),
                      " version ", schema.since_version);
}

template <class Names>
std::string NamesText(const Names& names) {
  return absl::StrJoin(names, ", ", [](std::string* out, auto name) {
    absl::StrAppend(out, NameOf(name));
  });
}

// Who has the operator: "ONNX has it from opset 1, OpenVINO from opset 4".
std::string AvailabilityText(Operator op) {
  std::string text;
  for (const Family family : {Family::kOnnx, Family::kOpenvino}) {
    int32_t first = 1;
    const int32_t newest = NewestOpset(family);
    while (first <= newest && !FindSchema(op, family, first)) ++first;
    if (first > newest) continue;
    absl::StrAppend(&text, text.empty() ? "" : ", ", NameOf(family),
                    text.empty() ? " has it" : "", " from opset ", first);
  }
  return text;
}

// Checks one reduction against the tensor, as far as that is known.
class ReductionCheck {
 public:
  ReductionCheck(const RequestSpec& request, const CheckedTensor& tensor,
                 int64_t index, Violations& violations)
      : request_(request),
        spec_(request.reductions[index]),
        tensor_(tensor),
        path_(absl::StrCat("reductions[", index, "]")),
        violations_(violations) {}

  std::optional<CheckedReduction> Run() {
    const int64_t before = violations_.count();
    const Schema* schema = CheckOperator();
    if (schema != nullptr) CheckDType(*schema);
    std::optional<std::vector<bool>> named = CheckAxes();
    if (schema != nullptr && IsPosition(schema->op)) {
      if (spec_.axes.size() > 1) {
        Add("axes", "TOO_MANY_AXES",
            absl::StrCat(spec_.axes.size(), " axes, but ", NameOf(schema->op),
                         " takes one"));
      } else if (named.has_value()) {
        CheckPositionAxis(*schema, *named);
      }
    }
    if (schema != nullptr) CheckAttributes(*schema);
    if (violations_.count() > before || !named.has_value() ||
        !tensor_.count.has_value() || !tensor_.dtype.has_value()) {
      return std::nullopt;
    }
    return CheckedReduction{
        .schema = schema,
        .named_axes = *std::move(named),
        .keep_dims = Value(*schema, Attribute::kKeepDims),
        .noop_with_empty_axes = Value(*schema, Attribute::kNoopWithEmptyAxes),
        .select_last_index = Value(*schema, Attribute::kSelectLastIndex)};
  }

 private:
  void Add(absl::string_view field, absl::string_view reason,
           absl::string_view description) {
    violations_.Add(absl::StrCat(path_, ".", field), reason, description);
  }

  const Schema* CheckOperator() {
    const bool known = IsKnown(spec_.op);
    if (!known) {
      Add("operator", "OPERATOR_UNKNOWN",
          absl::StrCat(static_cast<int32_t>(spec_.op), " names no operator"));
    }
    const int32_t newest = NewestOpset(spec_.family);
    const int32_t opset = spec_.opset.value_or(newest);
    if (opset < 1 || opset > newest) {
      Add(spec_.family == Family::kOnnx ? "onnx_opset" : "openvino_opset",
          "OPSET_UNKNOWN",
          absl::StrCat(opset, " is not an ", NameOf(spec_.family),
                       " opset from 1 to ", newest));
      return nullptr;
    }
    if (!known) return nullptr;
    const Schema* schema = FindSchema(spec_.op, spec_.family, opset);
    if (schema == nullptr) {
      Add("operator", "OPERATOR_NOT_IN_OPSET",
          absl::StrCat(NameOf(spec_.family), " opset ", opset, " has no ",
                       NameOf(spec_.op), "; ", AvailabilityText(spec_.op)));
    }
    return schema;
  }

  void CheckDType(const Schema& schema) {
    if (!tensor_.dtype.has_value() || schema.Allows(*tensor_.dtype)) return;
    violations_.Add("tensor.data_type", "DATA_TYPE_NOT_ALLOWED",
                    absl::StrCat(path_, ": ", VersionText(schema),
                                 " does not allow ", NameOf(*tensor_.dtype),
                                 ", it allows ", NamesText(schema.DTypes())));
  }

  // Which axes are named, or nullopt where that is wrong or cannot be known.
  std::optional<std::vector<bool>> CheckAxes() {
    if (!tensor_.rank.has_value()) return std::nullopt;
    const int64_t rank = *tensor_.rank;
    bool valid = true;
    std::vector<bool> named(rank, false);
    for (size_t i = 0; i < spec_.axes.size(); ++i) {
      const int64_t axis = spec_.axes[i];
      const bool is_in_range = -rank <= axis && axis < rank;
      const int64_t position = axis < 0 ? axis + rank : axis;
      if (is_in_range && !named[position]) {
        named[position] = true;
        continue;
      }
      valid = false;
      if (violations_.is_full()) {
        violations_.AddUnlisted();
      } else if (is_in_range) {
        Add(absl::StrCat("axes[", i, "]"), "AXIS_REPEATED",
            absl::StrCat(axis, " names axis ", position, " again"));
      } else {
        Add(absl::StrCat("axes[", i, "]"), "AXIS_OUT_OF_RANGE",
            OutOfRangeText(axis, rank));
      }
    }
    if (!valid) return std::nullopt;
    return named;
  }

  // The one axis of ArgMax and ArgMin, 0 unless named, is not empty. Names it
  // in `named`. REQUIRES: at most one axis is.
  void CheckPositionAxis(const Schema& schema, std::vector<bool>& named) {
    if (named.empty()) {
      // Version 1 let a scalar be its own largest element.
      if (schema.since_version < 11) return;
      Add("axes", "AXIS_OUT_OF_RANGE",
          absl::StrCat("the default axis ", OutOfRangeText(0, 0)));
      return;
    }
    if (spec_.axes.empty()) named[0] = true;
    const size_t axis =
        std::find(named.begin(), named.end(), true) - named.begin();
    if (request_.tensor->shape[axis] == 0) {
      Add("axes", "EMPTY_AXIS",
          absl::StrCat("axis ", axis, " has no elements"));
    }
  }

  static std::string OutOfRangeText(int64_t axis, int64_t rank) {
    if (rank == 0) {
      return absl::StrCat(axis, " is out of range: rank 0 has no axes");
    }
    return absl::StrCat(axis, " is out of range [", -rank, ", ", rank - 1,
                        "] for rank ", rank);
  }

  const std::optional<bool>& Given(Attribute attribute) const {
    switch (attribute) {
      case Attribute::kKeepDims:
        break;
      case Attribute::kNoopWithEmptyAxes:
        return spec_.noop_with_empty_axes;
      case Attribute::kSelectLastIndex:
        return spec_.select_last_index;
    }
    return spec_.keep_dims;
  }

  // Present at all, even with its default, is too much for a version without.
  void CheckAttributes(const Schema& schema) {
    for (const Attribute attribute : kAttributes) {
      if (!Given(attribute).has_value() || schema.Has(attribute)) continue;
      Add(NameOf(attribute), "ATTRIBUTE_NOT_ALLOWED",
          absl::StrCat(VersionText(schema), " does not have it, it has ",
                       NamesText(schema.Attributes())));
    }
  }

  bool Value(const Schema& schema, Attribute attribute) const {
    return schema.Has(attribute) &&
           Given(attribute).value_or(schema.DefaultOf(attribute));
  }

  const RequestSpec& request_;
  const ReduceSpec& spec_;
  const CheckedTensor& tensor_;
  const std::string path_;
  Violations& violations_;
};

}  // namespace

void CheckReductionCount(int64_t count, Violations& violations) {
  if (count == 0) {
    violations.Add("reductions", "REDUCTIONS_MISSING",
                   "the request asks for no reduction");
  }
  if (count > kMaxReductions) {
    violations.Add("reductions", "TOO_MANY_REDUCTIONS",
                   absl::StrCat(count, " reductions are above the limit of ",
                                kMaxReductions));
  }
}

std::optional<CheckedReduction> CheckReduction(const RequestSpec& request,
                                               const CheckedTensor& tensor,
                                               int64_t index,
                                               Violations& violations) {
  return ReductionCheck(request, tensor, index, violations).Run();
}

}  // namespace reductor
