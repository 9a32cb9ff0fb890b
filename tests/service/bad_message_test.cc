// Bytes that are no request, or more than the server takes, over a real port:
// each has its exact answer, and the server goes on serving.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/service/error_of.h"
#include "tests/service/open_call.h"
#include "tests/service/running_server.h"
#include "tests/service/wire_bytes.h"

namespace reductor {
namespace {

using ::testing::IsEmpty;

class BadMessage : public testing::Test {
 protected:
  void TearDown() override {
    v1::ReduceResponse response;
    EXPECT_TRUE(server_.Reduce(SmallRequest(), &response).ok());
  }

  void ExpectMalformed(const std::string& bytes) {
    const Error error = ErrorOf(server_.Send(kReduce, ToByteBuffer(bytes)));
    EXPECT_EQ(error.code, grpc::StatusCode::INVALID_ARGUMENT);
    EXPECT_EQ(error.text, "the bytes are not a reductor.v1.ReduceRequest");
    EXPECT_EQ(error.reason, "MALFORMED_MESSAGE");
    EXPECT_THAT(error.violations, IsEmpty());
  }

  RunningServer server_;
};

TEST_F(BadMessage, ATruncatedMessage) {
  std::string bytes = SmallRequest().SerializeAsString();
  bytes.pop_back();
  ExpectMalformed(bytes);
}

TEST_F(BadMessage, GarbageBytes) { ExpectMalformed("\xff\xfe\xfd garbage"); }

TEST_F(BadMessage, AMessageLargerThanTheLimit) {
  // 300 MiB that cost the client one.
  const grpc::Slice slice(std::string(1 << 20, 'x'));
  const std::vector<grpc::Slice> slices(300, slice);
  const Error error = ErrorOf(
      server_.Send(kReduce, grpc::ByteBuffer(slices.data(), slices.size())));
  EXPECT_EQ(error.code, grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(error.text,
            "Received message larger than max (314572800 vs. 268435456)");
}

TEST_F(BadMessage, ACallWithoutAMessage) {
  OpenCall call(server_.channel(), kReduce);
  call.WritesDone();
  const Error error = ErrorOf(call.Finish());
  EXPECT_EQ(error.code, grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(error.text, "the call has no message");
  EXPECT_EQ(error.reason, "MALFORMED_MESSAGE");
}

TEST_F(BadMessage, ACompressedMessage) {
  for (const auto algorithm : {GRPC_COMPRESS_GZIP, GRPC_COMPRESS_DEFLATE}) {
    grpc::ClientContext context;
    context.set_compression_algorithm(algorithm);
    v1::ReduceRequest request = SmallRequest();
    request.mutable_tensor()->set_data(std::string(4000, '\0'));
    v1::ReduceResponse response;
    EXPECT_EQ(server_.stub().Reduce(&context, request, &response).error_code(),
              grpc::StatusCode::UNIMPLEMENTED);
  }
}

}  // namespace
}  // namespace reductor
