// Every way to ask wrongly, over a real port: the exact code, reason, field and
// text, and a server that goes on serving.
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/service/error_of.h"
#include "tests/service/running_server.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::SizeIs;

class BadRequest : public testing::Test {
 protected:
  void TearDown() override {
    v1::ReduceResponse response;
    EXPECT_TRUE(server_.Reduce(SmallRequest(), &response).ok());
  }

  Error Refusal(const v1::ReduceRequest& request) {
    v1::ReduceResponse response;
    return ErrorOf(server_.Reduce(request, &response));
  }

  // The request breaks one rule.
  void ExpectViolation(const v1::ReduceRequest& request,
                       const std::string& field, const std::string& reason,
                       const std::string& description) {
    ExpectOneViolation(Refusal(request), field, reason, description);
  }

  RunningServer server_;
  v1::ReduceRequest request_ = SmallRequest();
  v1::Reduction& reduction_ = *request_.mutable_reductions(0);
  v1::Tensor& tensor_ = *request_.mutable_tensor();
};

TEST_F(BadRequest, AnAxisOutOfRange) {
  reduction_.set_axes(0, 2);
  ExpectViolation(request_, "reductions[0].axes[0]", "AXIS_OUT_OF_RANGE",
                  "2 is out of range [-2, 1] for rank 2");
}

TEST_F(BadRequest, ARepeatedAxis) {
  reduction_.add_axes(-1);
  ExpectViolation(request_, "reductions[0].axes[1]", "AXIS_REPEATED",
                  "-1 names axis 1 again");
}

TEST_F(BadRequest, AnAxisOfAScalar) {
  tensor_.clear_shape();
  tensor_.set_data("\0\0\0\0", 4);
  reduction_.set_axes(0, 0);
  ExpectViolation(request_, "reductions[0].axes[0]", "AXIS_OUT_OF_RANGE",
                  "0 is out of range: rank 0 has no axes");
}

TEST_F(BadRequest, ANegativeDim) {
  tensor_.set_shape(1, -3);
  ExpectViolation(request_, "tensor.shape[1]", "DIM_NEGATIVE",
                  "-3 is negative");
}

TEST_F(BadRequest, AProductThatOverflows) {
  tensor_.set_shape(0, int64_t{1} << 32);
  tensor_.set_shape(1, int64_t{1} << 31);
  ExpectViolation(request_, "tensor.shape", "SHAPE_TOO_LARGE",
                  "[4294967296, 2147483648] has more bytes than int64 counts");
}

TEST_F(BadRequest, AByteTooFew) {
  tensor_.mutable_data()->pop_back();
  ExpectViolation(request_, "tensor.data", "DATA_SIZE_MISMATCH",
                  "23 bytes, but shape [2, 3] of float32 has 24");
}

TEST_F(BadRequest, AByteTooMany) {
  tensor_.mutable_data()->push_back('x');
  ExpectViolation(request_, "tensor.data", "DATA_SIZE_MISMATCH",
                  "25 bytes, but shape [2, 3] of float32 has 24");
}

TEST_F(BadRequest, AnUnknownOperator) {
  reduction_.set_operator_(static_cast<v1::Operator>(99));
  ExpectViolation(request_, "reductions[0].operator", "OPERATOR_UNKNOWN",
                  "99 names no operator");
}

TEST_F(BadRequest, AnUnspecifiedOperator) {
  reduction_.clear_operator_();
  ExpectViolation(request_, "reductions[0].operator", "OPERATOR_UNKNOWN",
                  "0 names no operator");
}

TEST_F(BadRequest, AnOperatorThatTheOpsetLacks) {
  reduction_.set_openvino_opset(3);
  ExpectViolation(request_, "reductions[0].operator", "OPERATOR_NOT_IN_OPSET",
                  "OpenVINO opset 3 has no ReduceL1; ONNX has it from opset "
                  "1, OpenVINO from opset 4");
}

TEST_F(BadRequest, AnUnknownOpset) {
  reduction_.set_onnx_opset(29);
  ExpectViolation(request_, "reductions[0].onnx_opset", "OPSET_UNKNOWN",
                  "29 is not an ONNX opset from 1 to 28");
}

TEST_F(BadRequest, AnAttributeThatTheVersionLacks) {
  reduction_.set_onnx_opset(13);
  reduction_.set_noop_with_empty_axes(false);
  ExpectViolation(request_, "reductions[0].noop_with_empty_axes",
                  "ATTRIBUTE_NOT_ALLOWED",
                  "ONNX ReduceL1 version 13 does not have it, it has "
                  "keep_dims");
}

TEST_F(BadRequest, AnUnknownDataType) {
  tensor_.set_data_type(static_cast<v1::DataType>(14));
  ExpectViolation(request_, "tensor.data_type", "DATA_TYPE_UNKNOWN",
                  "14 names no data type");
}

TEST_F(BadRequest, AnUnspecifiedDataType) {
  tensor_.clear_data_type();
  ExpectViolation(request_, "tensor.data_type", "DATA_TYPE_UNKNOWN",
                  "0 names no data type");
}

TEST_F(BadRequest, ADataTypeThatTheVersionLacks) {
  tensor_.set_data_type(v1::DATA_TYPE_INT8);
  tensor_.set_data("123456");
  ExpectViolation(request_, "tensor.data_type", "DATA_TYPE_NOT_ALLOWED",
                  "reductions[0]: ONNX ReduceL1 version 18 does not allow "
                  "int8, it allows float32, float64, float16, bfloat16, int32, "
                  "int64, uint32, uint64");
}

TEST_F(BadRequest, AnEmptyRequest) {
  const Error error = Refusal({});
  EXPECT_EQ(error.text,
            "tensor: the request has no tensor (and 1 more violation)");
  EXPECT_EQ(error.reason, "TENSOR_MISSING");
  EXPECT_THAT(
      error.violations,
      ElementsAre(
          "tensor TENSOR_MISSING: the request has no tensor",
          "reductions REDUCTIONS_MISSING: the request asks for no reduction"));
}

TEST_F(BadRequest, SixtyFiveReductions) {
  while (request_.reductions_size() < 65) {
    *request_.add_reductions() = request_.reductions(0);
  }
  ExpectViolation(request_, "reductions", "TOO_MANY_REDUCTIONS",
                  "65 reductions are above the limit of 64");
}

TEST_F(BadRequest, RankSixtyFive) {
  tensor_.clear_shape();
  for (int i = 0; i < 65; ++i) tensor_.add_shape(1);
  ExpectViolation(request_, "tensor.shape", "RANK_TOO_LARGE",
                  "rank 65 is above the limit of 64");
}

TEST_F(BadRequest, TwentyFaultsAtOnce) {
  reduction_.clear_axes();
  for (int i = 0; i < 20; ++i) reduction_.add_axes(100 + i);
  const Error error = Refusal(request_);
  EXPECT_EQ(error.text,
            "reductions[0].axes[0]: 100 is out of range [-2, 1] for rank 2 "
            "(and 19 more violations, of which 4 are not listed)");
  EXPECT_EQ(error.reason, "AXIS_OUT_OF_RANGE");
  EXPECT_THAT(error.violations, SizeIs(16));
}

TEST_F(BadRequest, AnOutputAboveTheLimitThroughADimOfZero) {
  tensor_.set_shape(0, int64_t{1} << 40);
  tensor_.set_shape(1, 0);
  tensor_.clear_data();
  const Error error = Refusal(request_);
  EXPECT_EQ(error.code, grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(error.text,
            "the results have 4398046511104 bytes together, more than the "
            "limit of 268435456 (--max-output-bytes)");
  EXPECT_EQ(error.reason, "OUTPUT_TOO_LARGE");
  EXPECT_THAT(error.metadata, ElementsAre(Pair("limit_bytes", "268435456"),
                                          Pair("size_bytes", "4398046511104")));
}

TEST_F(BadRequest, OutputsThatOverflowTogether) {
  tensor_.set_shape(0, int64_t{1} << 60);
  tensor_.set_shape(1, 0);
  tensor_.clear_data();
  while (request_.reductions_size() < 3) {
    *request_.add_reductions() = request_.reductions(0);
  }
  EXPECT_THAT(Refusal(request_).metadata["size_bytes"], "9223372036854775807");
}

TEST_F(BadRequest, AFaultBesideAnOutputAboveTheLimit) {
  tensor_.set_shape(0, int64_t{1} << 40);
  tensor_.set_shape(1, 0);
  ExpectViolation(request_, "tensor.data", "DATA_SIZE_MISMATCH",
                  "24 bytes, but shape [1099511627776, 0] of float32 has 0");
}

}  // namespace
}  // namespace reductor
