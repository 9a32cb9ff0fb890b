#include "client/codec.h"

#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "client/format.h"

namespace reductor {
namespace {

// The wire's limit, and the largest rank of a tensor that we take for one.
constexpr int kMaxRank = 64;

// DType and Operator carry the numbers of the wire's enums.
v1::Reduction ToWire(const Reduction& reduction) {
  v1::Reduction wire;
  wire.set_operator_(static_cast<v1::Operator>(reduction.op));
  if (reduction.onnx_opset) wire.set_onnx_opset(*reduction.onnx_opset);
  if (reduction.openvino_opset) {
    wire.set_openvino_opset(*reduction.openvino_opset);
  }
  wire.mutable_axes()->Assign(reduction.axes.begin(), reduction.axes.end());
  if (reduction.keep_dims) wire.set_keep_dims(*reduction.keep_dims);
  if (reduction.noop_with_empty_axes) {
    wire.set_noop_with_empty_axes(*reduction.noop_with_empty_axes);
  }
  if (reduction.select_last_index) {
    wire.set_select_last_index(*reduction.select_last_index);
  }
  return wire;
}

absl::StatusOr<Tensor> FromWire(v1::Tensor& wire) {
  absl::StatusOr<TensorType> type = TypeFromWire(wire);
  if (!type.ok()) return type.status();
  if (std::ssize(wire.data()) != ByteCount(*type)) {
    return absl::InternalError(absl::StrFormat(
        "the server answered %d bytes of %s, which is not what its shape says",
        wire.data().size(), NameOf(type->dtype)));
  }
  return Tensor{type->dtype, std::move(type->shape),
                std::move(*wire.mutable_data())};
}

}  // namespace

v1::ReduceRequest ToWire(Tensor tensor,
                         absl::Span<const Reduction> reductions) {
  v1::ReduceRequest request;
  for (const Reduction& reduction : reductions) {
    *request.add_reductions() = ToWire(reduction);
  }
  v1::Tensor& wire = *request.mutable_tensor();
  wire.set_data_type(static_cast<v1::DataType>(tensor.dtype));
  wire.mutable_shape()->Assign(tensor.shape.begin(), tensor.shape.end());
  wire.set_data(std::move(tensor.data));
  return request;
}

v1::ReduceStreamHeader ToWire(const TensorType& type,
                              absl::Span<const Reduction> reductions) {
  v1::ReduceStreamHeader header;
  for (const Reduction& reduction : reductions) {
    *header.add_reductions() = ToWire(reduction);
  }
  header.set_data_type(static_cast<v1::DataType>(type.dtype));
  header.mutable_shape()->Assign(type.shape.begin(), type.shape.end());
  return header;
}

absl::StatusOr<TensorType> TypeFromWire(const v1::Tensor& wire) {
  TensorType type = {static_cast<DType>(wire.data_type()),
                     {wire.shape().begin(), wire.shape().end()}};
  if (!IsKnown(type.dtype)) {
    return absl::InternalError(
        absl::StrFormat("the server answered data type %d, which this client "
                        "does not know",
                        wire.data_type()));
  }
  if (wire.shape_size() > kMaxRank || !ByteCount(type).has_value()) {
    return absl::InternalError(
        absl::StrFormat("the server answered %s, which is no tensor",
                        Signature(type.dtype, type.shape)));
  }
  return type;
}

absl::StatusOr<std::vector<Tensor>> FromWire(v1::ReduceResponse response,
                                             size_t expected) {
  const absl::Status count =
      CheckResultCount(response.results_size(), expected);
  if (!count.ok()) return count;
  std::vector<Tensor> results;
  for (v1::Tensor& wire : *response.mutable_results()) {
    absl::StatusOr<Tensor> result = FromWire(wire);
    if (!result.ok()) return result.status();
    results.push_back(*std::move(result));
  }
  return results;
}

absl::Status CheckResultCount(size_t answered, size_t expected) {
  if (answered == expected) return absl::OkStatus();
  return absl::InternalError(absl::StrFormat(
      "the server answered %d results for %d reductions", answered, expected));
}

}  // namespace reductor
