#include "client/client.h"

#include <limits>
#include <string>

#include "absl/strings/str_format.h"
#include "client/errors.h"
#include "grpcpp/client_context.h"

namespace reductor {
namespace {

// The wire's limit, and the largest rank of a tensor that we take for one.
constexpr int kMaxRank = 64;

void SetDeadline(const CallOptions& options, grpc::ClientContext& context) {
  context.set_deadline(absl::ToChronoTime(absl::Now() + options.timeout));
}

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

// Takes the data out of `wire`. A server is a stranger too: what it says of a
// tensor is checked before anyone indexes by it.
absl::StatusOr<Tensor> FromWire(v1::Tensor& wire) {
  Tensor tensor = {static_cast<DType>(wire.data_type()),
                   {wire.shape().begin(), wire.shape().end()},
                   std::move(*wire.mutable_data())};
  if (!IsKnown(tensor.dtype)) {
    return absl::InternalError(
        absl::StrFormat("the server answered data type %d, which this client "
                        "does not know",
                        wire.data_type()));
  }
  const int64_t element_size = SizeOf(tensor.dtype);
  const std::optional<int64_t> count =
      wire.shape_size() > kMaxRank ? std::nullopt
                                   : ElementCount(tensor.shape, element_size);
  if (!count.has_value() ||
      tensor.data.size() != static_cast<uint64_t>(*count * element_size)) {
    return absl::InternalError(absl::StrFormat(
        "the server answered %d bytes of %s, which is not what its shape says",
        tensor.data.size(), NameOf(tensor.dtype)));
  }
  return tensor;
}

absl::StatusOr<std::vector<Tensor>> FromWire(v1::ReduceResponse response,
                                             size_t expected) {
  if (static_cast<size_t>(response.results_size()) != expected) {
    return absl::InternalError(
        absl::StrFormat("the server answered %d results for %d reductions",
                        response.results_size(), expected));
  }
  std::vector<Tensor> results;
  for (v1::Tensor& wire : *response.mutable_results()) {
    absl::StatusOr<Tensor> result = FromWire(wire);
    if (!result.ok()) return result.status();
    results.push_back(*std::move(result));
  }
  return results;
}

}  // namespace

absl::StatusOr<std::vector<Tensor>> Client::Reduce(
    Tensor tensor, absl::Span<const Reduction> reductions,
    const CallOptions& options) const {
  const v1::ReduceRequest request = ToWire(std::move(tensor), reductions);
  // protobuf counts the bytes of a message in int.
  if (request.ByteSizeLong() > std::numeric_limits<int>::max()) {
    return absl::ResourceExhaustedError(absl::StrFormat(
        "the request has %d bytes; one message holds at most %d",
        request.ByteSizeLong(), std::numeric_limits<int>::max()));
  }
  grpc::ClientContext context;
  SetDeadline(options, context);
  v1::ReduceResponse response;
  const grpc::Status status = stub_->Reduce(&context, request, &response);
  if (!status.ok()) return FromGrpc(status);
  return FromWire(std::move(response), reductions.size());
}

absl::StatusOr<v1::ListOperatorsResponse> Client::ListOperators(
    const CallOptions& options) const {
  grpc::ClientContext context;
  SetDeadline(options, context);
  v1::ListOperatorsResponse response;
  const grpc::Status status = stub_->ListOperators(&context, {}, &response);
  if (!status.ok()) return FromGrpc(status);
  return response;
}

}  // namespace reductor
