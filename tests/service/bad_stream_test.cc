// Streams that break a rule, over a real port: the exact answer, and a server
// that goes on serving.
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/service/error_of.h"
#include "tests/service/open_call.h"
#include "tests/service/reduce_stream.h"
#include "tests/service/running_server.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class BadStream : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_TRUE(Streamed(server_.stub(), SmallRequest(), 24).status.ok());
  }

  // What the call, which has sent its messages, is told.
  void ExpectViolation(ReduceStreamCall* call, const std::string& field,
                       const std::string& reason,
                       const std::string& description) {
    ExpectOneViolation(ErrorOf(call->Finish().status), field, reason,
                       description);
  }

  RunningServer server_;
  v1::ReduceStreamHeader header_ = HeaderOf(SmallRequest());
  ReduceStreamCall call_{server_.stub()};
};

TEST_F(BadStream, WithNoMessage) {
  call_.WritesDone();
  ExpectViolation(&call_, "header", "HEADER_MISSING",
                  "the stream has no header");
}

TEST_F(BadStream, ThatBeginsWithData) {
  call_.WriteData("abcd");
  ExpectViolation(&call_, "header", "HEADER_MISSING",
                  "the stream's first message is not a header");
}

TEST_F(BadStream, WithASecondHeader) {
  call_.WriteHeader(header_);
  call_.WriteData("abcd");
  call_.WriteHeader(header_);
  ExpectViolation(&call_, "header", "HEADER_REPEATED",
                  "the stream has had its header");
}

TEST_F(BadStream, WithTooFewBytes) {
  call_.WriteHeader(header_);
  call_.WriteData(std::string(23, 'x'));
  call_.WritesDone();
  ExpectViolation(&call_, "data", "DATA_SIZE_MISMATCH",
                  "23 bytes, but the header declares 24");
}

TEST_F(BadStream, WithTooManyBytes) {
  call_.WriteHeader(header_);
  call_.WriteData(std::string(20, 'x'));
  call_.WriteData(std::string(5, 'x'));
  ExpectViolation(&call_, "data", "DATA_SIZE_MISMATCH",
                  "at least 25 bytes, but the header declares 24");
}

TEST_F(BadStream, WithBytesForATensorThatHasNone) {
  header_.set_shape(0, 0);
  call_.WriteHeader(header_);
  call_.WriteData("x");
  ExpectViolation(&call_, "data", "DATA_SIZE_MISMATCH",
                  "at least 1 bytes, but the header declares 0");
}

TEST_F(BadStream, WithABadHeaderNamesItsFieldsAllAtOnce) {
  header_.clear_data_type();
  header_.add_shape(-7);
  header_.mutable_reductions(0)->set_onnx_opset(99);
  call_.WriteHeader(header_);
  const Error error = ErrorOf(call_.Finish().status);
  EXPECT_EQ(error.code, grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(error.reason, "DATA_TYPE_UNKNOWN");
  EXPECT_THAT(
      error.violations,
      ElementsAre("header.data_type DATA_TYPE_UNKNOWN: 0 names no data type",
                  "header.shape[2] DIM_NEGATIVE: -7 is negative",
                  "header.reductions[0].onnx_opset OPSET_UNKNOWN: 99 is not an "
                  "ONNX opset from 1 to 28"));
}

TEST_F(BadStream, WithoutReductions) {
  header_.clear_reductions();
  call_.WriteHeader(header_);
  ExpectViolation(&call_, "header.reductions", "REDUCTIONS_MISSING",
                  "the request asks for no reduction");
}

TEST_F(BadStream, OfBytesThatAreNoMessage) {
  OpenCall call(server_.channel(), kReduceStream);
  call.Write("\xff\xfe garbage");
  const Error error = ErrorOf(call.Finish());
  EXPECT_EQ(error.code, grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(error.reason, "MALFORMED_MESSAGE");
  EXPECT_THAT(error.violations, IsEmpty());
}

TEST_F(BadStream, WithMoreOpenResultsThanTheServerTakes) {
  // A zero-size dim: no data, and as many zeros as one likes.
  header_.set_shape(0, 0);
  header_.set_shape(1, int64_t{1} << 40);
  header_.mutable_reductions(0)->set_axes(0, 0);
  call_.WriteHeader(header_);
  const Error error = ErrorOf(call_.Finish().status);
  EXPECT_EQ(error.code, grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(error.reason, "OUTPUT_TOO_LARGE");
  EXPECT_EQ(error.metadata.at("limit_bytes"), "268435456");
  EXPECT_EQ(error.metadata.at("size_bytes"), "4398046511104");
}

TEST_F(BadStream, ThatSaysNothingForTooLong) {
  RunningServer impatient({"--idle-timeout=50ms"});
  ReduceStreamCall call(impatient.stub());
  call.WriteHeader(header_);
  const Error error = ErrorOf(call.Finish().status);
  EXPECT_EQ(error.code, grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_THAT(error.text, testing::HasSubstr("--idle-timeout (50ms)"));
}

}  // namespace
}  // namespace reductor
