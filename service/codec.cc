// A plain translation: no checks and no decisions but the rules' default.
#include "service/codec.h"

#include <iterator>
#include <optional>
#include <string>

#include "core/schema.h"

namespace reductor {
namespace {

// The last of each; all numbers are compared by name in codec_test.
static_assert(static_cast<int>(kDTypes[std::size(kDTypes) - 1]) ==
              v1::DataType_MAX);
static_assert(static_cast<int>(kOperators[std::size(kOperators) - 1]) ==
              v1::Operator_MAX);
static_assert(static_cast<int>(Family::kOnnx) == v1::FAMILY_ONNX);
static_assert(static_cast<int>(Family::kOpenvino) == v1::FAMILY_OPENVINO);

// A v1::Tensor, or a header, which describes one.
template <class Message>
TensorSpec DecodeTensor(const Message& tensor,
                        std::optional<int64_t> data_bytes) {
  return {.dtype = static_cast<DType>(tensor.data_type()),
          .shape = {tensor.shape().begin(), tensor.shape().end()},
          .data_bytes = data_bytes};
}

ReduceSpec DecodeReduction(const v1::Reduction& reduction) {
  ReduceSpec spec;
  spec.op = static_cast<Operator>(reduction.operator_());
  switch (reduction.rules_case()) {
    case v1::Reduction::kOnnxOpset:
      spec.opset = reduction.onnx_opset();
      break;
    case v1::Reduction::kOpenvinoOpset:
      spec.family = Family::kOpenvino;
      spec.opset = reduction.openvino_opset();
      break;
    case v1::Reduction::RULES_NOT_SET:
      break;
  }
  spec.axes.assign(reduction.axes().begin(), reduction.axes().end());
  if (reduction.has_keep_dims()) spec.keep_dims = reduction.keep_dims();
  if (reduction.has_noop_with_empty_axes()) {
    spec.noop_with_empty_axes = reduction.noop_with_empty_axes();
  }
  if (reduction.has_select_last_index()) {
    spec.select_last_index = reduction.select_last_index();
  }
  return spec;
}

// The reductions of a request, or of a header.
template <class Message>
std::vector<ReduceSpec> DecodeReductions(const Message& message) {
  std::vector<ReduceSpec> specs;
  specs.reserve(message.reductions_size());
  for (const v1::Reduction& reduction : message.reductions()) {
    specs.push_back(DecodeReduction(reduction));
  }
  return specs;
}

v1::OperatorSchema EncodeSchema(const Schema& schema) {
  v1::OperatorSchema message;
  message.set_operator_(static_cast<v1::Operator>(schema.op));
  message.set_name(std::string(NameOf(schema.op)));
  message.set_family(static_cast<v1::Family>(schema.family));
  message.set_since_version(schema.since_version);
  for (const DType dtype : schema.DTypes()) {
    message.add_data_types(static_cast<v1::DataType>(dtype));
  }
  for (const Attribute attribute : schema.Attributes()) {
    v1::Attribute* const added = message.add_attributes();
    added->set_name(std::string(NameOf(attribute)));
    added->set_default_value(schema.DefaultOf(attribute) ? "true" : "false");
  }
  message.set_documentation(std::string(DocumentationOf(schema.op)));
  return message;
}

}  // namespace

RequestSpec Decode(const v1::ReduceRequest& request, int64_t data_bytes) {
  RequestSpec spec{.reductions = DecodeReductions(request)};
  if (request.has_tensor()) {
    spec.tensor = DecodeTensor(request.tensor(), data_bytes);
  }
  return spec;
}

RequestSpec DecodeHeader(const v1::ReduceStreamHeader& header) {
  return {.reductions = DecodeReductions(header),
          .tensor = DecodeTensor(header, std::nullopt)};
}

std::vector<v1::Tensor> DescribeResults(absl::Span<const Plan> plans) {
  std::vector<v1::Tensor> results;
  results.reserve(plans.size());
  for (const Plan& plan : plans) {
    v1::Tensor& result = results.emplace_back();
    result.set_data_type(static_cast<v1::DataType>(plan.output_dtype));
    result.mutable_shape()->Add(plan.output_shape.begin(),
                                plan.output_shape.end());
  }
  return results;
}

v1::ListOperatorsResponse ListOperators() {
  v1::ListOperatorsResponse response;
  for (const Schema& schema : Schemas()) {
    *response.add_operators() = EncodeSchema(schema);
  }
  response.set_newest_onnx_opset(kNewestOnnxOpset);
  response.set_newest_openvino_opset(kNewestOpenvinoOpset);
  return response;
}

}  // namespace reductor
