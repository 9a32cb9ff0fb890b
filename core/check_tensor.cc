// CheckTensor().
#include "absl/strings/str_cat.h"
#include "core/checks.h"
#include "core/shape.h"

namespace reductor {
namespace {

void CheckShape(const std::vector<int64_t>& shape, Violations& violations) {
  const auto rank = static_cast<int64_t>(shape.size());
  if (rank > kMaxRank) {
    violations.Add(
        "tensor.shape", "RANK_TOO_LARGE",
        absl::StrCat("rank ", rank, " is above the limit of ", kMaxRank));
  }
  for (int64_t i = 0; i < rank; ++i) {
    if (shape[i] >= 0) continue;
    violations.Add(absl::StrCat("tensor.shape[", i, "]"), "DIM_NEGATIVE",
                   absl::StrCat(shape[i], " is negative"));
  }
}

CheckedTensor CheckPresentTensor(const TensorSpec& tensor,
                                 Violations& violations) {
  CheckedTensor checked;
  if (IsKnown(tensor.dtype)) {
    checked.dtype = tensor.dtype;
  } else {
    violations.Add("tensor.data_type", "DATA_TYPE_UNKNOWN",
                   absl::StrCat(static_cast<int32_t>(tensor.dtype),
                                " names no data type"));
  }
  const int64_t before = violations.count();
  CheckShape(tensor.shape, violations);
  checked.rank = static_cast<int64_t>(tensor.shape.size());
  if (violations.count() > before) return checked;

  // An unknown type leaves the bytes open, but not whether they can be counted.
  const int64_t element_size = checked.dtype ? SizeOf(*checked.dtype) : 1;
  checked.count = CountElements(tensor.shape, element_size);
  if (!checked.count.has_value()) {
    violations.Add("tensor.shape", "SHAPE_TOO_LARGE",
                   absl::StrCat(ShapeText(tensor.shape),
                                " has more bytes than int64 counts"));
    return checked;
  }
  if (checked.dtype && tensor.data_bytes.has_value() &&
      *checked.count * element_size != *tensor.data_bytes) {
    violations.Add(
        "tensor.data", "DATA_SIZE_MISMATCH",
        absl::StrCat(*tensor.data_bytes, " bytes, but shape ",
                     ShapeText(tensor.shape), " of ", NameOf(*checked.dtype),
                     " has ", *checked.count * element_size));
  }
  return checked;
}

}  // namespace

CheckedTensor CheckTensor(const std::optional<TensorSpec>& tensor,
                          Violations& violations) {
  if (tensor.has_value()) return CheckPresentTensor(*tensor, violations);
  violations.Add("tensor", "TENSOR_MISSING", "the request has no tensor");
  return {};
}

}  // namespace reductor
