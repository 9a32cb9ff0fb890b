// The translation between the wire's names and core's.
#include "service/codec.h"

#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

TEST(Codec, NumbersTheDataTypesAsTheWireDoes) {
  for (const DType dtype : kDTypes) {
    EXPECT_EQ(v1::DataType_Name(static_cast<v1::DataType>(dtype)),
              absl::StrCat("DATA_TYPE_", absl::AsciiStrToUpper(NameOf(dtype))));
  }
  EXPECT_EQ(std::size(kDTypes), v1::DataType_ARRAYSIZE - 1u);
}

// "ReduceLogSumExp" -> "OPERATOR_REDUCE_LOG_SUM_EXP".
std::string WireName(absl::string_view official) {
  std::string name = "OPERATOR";
  for (const char c : official) {
    if (absl::ascii_isupper(c)) name += '_';
    name += absl::ascii_toupper(c);
  }
  return name;
}

TEST(Codec, NumbersTheOperatorsAsTheWireDoes) {
  for (const Operator op : kOperators) {
    EXPECT_EQ(v1::Operator_Name(static_cast<v1::Operator>(op)),
              WireName(NameOf(op)));
  }
  EXPECT_EQ(std::size(kOperators), v1::Operator_ARRAYSIZE - 1u);
}

TEST(Decode, LeavesAbsentFieldsAbsent) {
  v1::ReduceRequest request;
  request.add_reductions();
  const RequestSpec spec = Decode(request, 0);
  ASSERT_EQ(spec.reductions.size(), 1u);
  EXPECT_FALSE(spec.tensor.has_value());
  const ReduceSpec& reduction = spec.reductions[0];
  EXPECT_EQ(reduction.op, Operator::kUnspecified);
  EXPECT_EQ(reduction.family, Family::kOnnx);
  EXPECT_EQ(reduction.opset, std::nullopt);
  EXPECT_EQ(reduction.keep_dims, std::nullopt);
  EXPECT_EQ(reduction.noop_with_empty_axes, std::nullopt);
  EXPECT_EQ(reduction.select_last_index, std::nullopt);
}

TEST(Decode, TakesEveryFieldOfAReduction) {
  v1::ReduceRequest request;
  v1::Reduction* const wire = request.add_reductions();
  wire->set_operator_(v1::OPERATOR_ARG_MAX);
  wire->set_openvino_opset(7);
  wire->add_axes(-1);
  wire->add_axes(2);
  wire->set_keep_dims(false);
  wire->set_noop_with_empty_axes(true);
  wire->set_select_last_index(false);
  const ReduceSpec reduction = Decode(request, 0).reductions[0];
  EXPECT_EQ(reduction.op, Operator::kArgMax);
  EXPECT_EQ(reduction.family, Family::kOpenvino);
  EXPECT_THAT(reduction.opset, Optional(7));
  EXPECT_THAT(reduction.axes, ElementsAre(-1, 2));
  EXPECT_THAT(reduction.keep_dims, Optional(false));
  EXPECT_THAT(reduction.noop_with_empty_axes, Optional(true));
  EXPECT_THAT(reduction.select_last_index, Optional(false));
}

TEST(Decode, KeepsAnOnnxOpsetOfZero) {
  v1::ReduceRequest request;
  request.add_reductions()->set_onnx_opset(0);
  EXPECT_THAT(Decode(request, 0).reductions[0].opset, Optional(0));
}

TEST(Decode, TakesTheTensorWithTheSizeOfItsData) {
  v1::ReduceRequest request;
  request.mutable_tensor()->set_data_type(v1::DATA_TYPE_UINT16);
  request.mutable_tensor()->add_shape(3);
  const RequestSpec spec = Decode(request, 6);
  ASSERT_TRUE(spec.tensor.has_value());
  EXPECT_EQ(spec.tensor->dtype, DType::kUint16);
  EXPECT_THAT(spec.tensor->shape, ElementsAre(3));
  EXPECT_EQ(spec.tensor->data_bytes, 6);
}

TEST(Decode, PassesUnknownNumbersOn) {
  v1::ReduceRequest request;
  request.add_reductions()->set_operator_(static_cast<v1::Operator>(99));
  request.mutable_tensor()->set_data_type(static_cast<v1::DataType>(-5));
  const RequestSpec spec = Decode(request, 0);
  EXPECT_EQ(static_cast<int>(spec.reductions[0].op), 99);
  EXPECT_EQ(static_cast<int>(spec.tensor->dtype), -5);
}

TEST(DescribeResults, NamesTypeAndShapeWithoutData) {
  const Plan plan = {.op = Operator::kReduceL1,
                     .dtype = DType::kFloat64,
                     .output_dtype = DType::kFloat64,
                     .output_shape = {2, 1}};
  const std::vector<v1::Tensor> results = DescribeResults({plan});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].ShortDebugString(),
            "data_type: DATA_TYPE_FLOAT64 shape: 2 shape: 1");
}

TEST(ListOperators, HasARowPerSchemaAndTheNewestOpsets) {
  const v1::ListOperatorsResponse response = ListOperators();
  EXPECT_EQ(response.newest_onnx_opset(), 28);
  EXPECT_EQ(response.newest_openvino_opset(), 16);
  EXPECT_EQ(static_cast<size_t>(response.operators_size()), Schemas().size());
}

TEST(ListOperators, TellsTheFirstVersionOfReduceL1) {
  const v1::OperatorSchema schema = ListOperators().operators(0);
  EXPECT_EQ(schema.operator_(), v1::OPERATOR_REDUCE_L1);
  EXPECT_EQ(schema.name(), "ReduceL1");
  EXPECT_EQ(schema.family(), v1::FAMILY_ONNX);
  EXPECT_EQ(schema.since_version(), 1);
  EXPECT_THAT(schema.data_types(),
              ElementsAre(v1::DATA_TYPE_FLOAT32, v1::DATA_TYPE_FLOAT64,
                          v1::DATA_TYPE_FLOAT16, v1::DATA_TYPE_INT32,
                          v1::DATA_TYPE_INT64, v1::DATA_TYPE_UINT32,
                          v1::DATA_TYPE_UINT64));
  ASSERT_EQ(schema.attributes_size(), 1);
  EXPECT_EQ(schema.attributes(0).name(), "keep_dims");
  EXPECT_EQ(schema.attributes(0).default_value(), "true");
  EXPECT_NE(schema.documentation(), "");
}

}  // namespace
}  // namespace reductor
