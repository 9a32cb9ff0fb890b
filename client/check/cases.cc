#include "client/check/cases.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/check/local_operators.h"
#include "client/check/random_tensor.h"
#include "client/format.h"

namespace reductor::check {
namespace {

constexpr int64_t kMaxReductions = 4;
constexpr int64_t kStreamEvery = 4;  // One request in so many.

Operator OperatorOf(const Version& version) {
  return static_cast<Operator>(version.schema.operator_());
}

// The last opset that selects `schema`: the one before the next version.
int32_t LastOpset(const v1::ListOperatorsResponse& operators,
                  const v1::OperatorSchema& schema) {
  int32_t last = schema.family() == v1::FAMILY_ONNX
                     ? operators.newest_onnx_opset()
                     : operators.newest_openvino_opset();
  for (const v1::OperatorSchema& other : operators.operators()) {
    if (other.operator_() == schema.operator_() &&
        other.family() == schema.family() &&
        other.since_version() > schema.since_version()) {
      last = std::min(last, other.since_version() - 1);
    }
  }
  return last;
}

// Absent, true or false where the version has the attribute; absent elsewhere.
std::optional<bool> RandomAttribute(const v1::OperatorSchema& schema,
                                    absl::string_view name, Random& random) {
  const bool has_it = std::ranges::any_of(
      schema.attributes(),
      [name](const v1::Attribute& a) { return a.name() == name; });
  if (!has_it || random.OneIn(3)) return std::nullopt;
  return random.OneIn(2);
}

// ArgMax and ArgMin know no axis of a scalar from this version on.
constexpr int32_t kFirstWithoutScalars = 11;

// Whether the version reduces tensors of that shape at all. The positions need
// an axis that has elements.
bool CanReduce(const Version& version, const std::vector<int64_t>& shape) {
  if (!IsPosition(OperatorOf(version))) return true;
  if (shape.empty()) {
    return version.schema.since_version() < kFirstWithoutScalars;
  }
  return std::ranges::any_of(shape, [](int64_t extent) { return extent > 0; });
}

int64_t CountedEitherWay(int64_t axis, int64_t rank, Random& random) {
  return random.OneIn(2) ? axis : axis - rank;
}

// One axis that has elements; where that is axis 0, often none.
std::vector<int64_t> RandomPositionAxes(const std::vector<int64_t>& shape,
                                        Random& random) {
  const int64_t rank = std::ssize(shape);
  if (rank == 0 || (shape[0] > 0 && random.OneIn(6))) return {};
  int64_t axis = random.Below(rank);
  while (shape[axis] == 0) axis = random.Below(rank);
  return {CountedEitherWay(axis, rank, random)};
}

// Any subset of the axes, in any order, either way of counting; often empty.
std::vector<int64_t> RandomAxes(int64_t rank, Random& random) {
  std::vector<int64_t> axes;
  if (random.OneIn(6)) return axes;
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (!random.OneIn(2)) continue;
    axes.push_back(CountedEitherWay(axis, rank, random));
  }
  random.Shuffle(axes);
  return axes;
}

void AppendAttribute(absl::string_view name, std::optional<bool> value,
                     std::string& text) {
  if (value) absl::StrAppend(&text, " ", name, "=", *value ? "true" : "false");
}

std::string Describe(const Reduction& reduction) {
  std::string text(NameOf(reduction.op));
  if (reduction.onnx_opset) {
    absl::StrAppend(&text, " onnx_opset=", *reduction.onnx_opset);
  }
  if (reduction.openvino_opset) {
    absl::StrAppend(&text, " openvino_opset=", *reduction.openvino_opset);
  }
  absl::StrAppend(&text, " axes=[", absl::StrJoin(reduction.axes, ","), "]");
  AppendAttribute("keep_dims", reduction.keep_dims, text);
  AppendAttribute("noop_with_empty_axes", reduction.noop_with_empty_axes, text);
  AppendAttribute("select_last_index", reduction.select_last_index, text);
  return text;
}

}  // namespace

Cases::Cases(const v1::ListOperatorsResponse& operators, uint64_t seed)
    : seed_(seed) {
  for (const v1::OperatorSchema& schema : operators.operators()) {
    const int32_t last_opset = LastOpset(operators, schema);
    Version version = {
        .schema = schema,
        .last_opset = last_opset,
        .is_default = schema.family() == v1::FAMILY_ONNX &&
                      last_opset == operators.newest_onnx_opset()};
    for (const int data_type : schema.data_types()) {
      const auto dtype = static_cast<DType>(data_type);
      if (last_opset < schema.since_version() || !IsKnown(dtype) ||
          FindLocalFunction(OperatorOf(version), dtype) == nullptr) {
        continue;
      }
      version.is_known = true;
      pairs_.emplace_back(versions_.size(), dtype);
    }
    versions_.push_back(version);
  }
}

Case Cases::Make(int64_t index) const {
  Random random(seed_, index);
  const auto [version, dtype] = pairs_[index % pair_count()];
  Case request = {.tensor = RandomTensor(dtype, random)};
  const std::vector<int64_t>& shape = request.tensor.shape;
  while (!CanReduce(versions_[version], shape)) {
    request.tensor = RandomTensor(dtype, random);
  }
  request.versions.push_back(version);
  const int64_t more =
      random.OneIn(4) ? 1 + random.Below(kMaxReductions - 1) : 0;
  for (int64_t i = 0; i < more; ++i) {
    const auto& [other, other_dtype] = pairs_[random.Below(pair_count())];
    if (other_dtype != dtype || !CanReduce(versions_[other], shape)) continue;
    request.versions.push_back(other);
  }
  for (const size_t each : request.versions) {
    request.reductions.push_back(RandomReduction(each, shape, random));
  }
  if (random.OneIn(kStreamEvery)) {
    // Up to 64 pieces, that mostly end within an element.
    const int64_t bytes = std::ssize(request.tensor.data);
    request.piece_bytes = 1 + bytes / 64 + random.Below(bytes / 2 + 1);
  }
  return request;
}

Reduction Cases::RandomReduction(size_t version,
                                 const std::vector<int64_t>& shape,
                                 Random& random) const {
  const v1::OperatorSchema& schema = versions_[version].schema;
  Reduction reduction = {.op = OperatorOf(versions_[version])};
  const int32_t opset = static_cast<int32_t>(
      schema.since_version() +
      random.Below(versions_[version].last_opset - schema.since_version() + 1));
  if (schema.family() == v1::FAMILY_OPENVINO) {
    reduction.openvino_opset = opset;
  } else if (!versions_[version].is_default || !random.OneIn(4)) {
    reduction.onnx_opset = opset;
  }
  reduction.axes = IsPosition(reduction.op)
                       ? RandomPositionAxes(shape, random)
                       : RandomAxes(std::ssize(shape), random);
  reduction.keep_dims = RandomAttribute(schema, "keep_dims", random);
  reduction.noop_with_empty_axes =
      RandomAttribute(schema, "noop_with_empty_axes", random);
  reduction.select_last_index =
      RandomAttribute(schema, "select_last_index", random);
  return reduction;
}

std::string Describe(const Case& request) {
  std::string text = Signature(request.tensor.dtype, request.tensor.shape);
  for (const Reduction& reduction : request.reductions) {
    absl::StrAppend(&text, "; ", Describe(reduction));
  }
  if (request.piece_bytes.has_value()) {
    absl::StrAppend(&text, "; as a stream too, in pieces of ",
                    *request.piece_bytes, " bytes");
  }
  return text;
}

}  // namespace reductor::check
