// Calls that say how large their message is, rightly or not, over a real port.
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/service/error_of.h"
#include "tests/service/open_call.h"
#include "tests/service/running_server.h"

namespace reductor {
namespace {

// The answer to a small request that comes with this declaration.
Error Answer(RunningServer& server, const std::string& declaration) {
  grpc::ClientContext context;
  context.AddMetadata("reductor-message-bytes", declaration);
  v1::ReduceResponse response;
  return ErrorOf(server.stub().Reduce(&context, SmallRequest(), &response));
}

size_t SmallSize() { return SmallRequest().ByteSizeLong(); }

TEST(DeclaredCall, IsServedWhenItsMessageIsNotLarger) {
  RunningServer server;
  for (const size_t size : {SmallSize(), SmallSize() + 1}) {
    EXPECT_EQ(Answer(server, absl::StrCat(size)).code, grpc::StatusCode::OK);
  }
}

TEST(DeclaredCall, IsRefusedWhenItsMessageIsLarger) {
  RunningServer server;
  const Error error = Answer(server, absl::StrCat(SmallSize() - 1));
  EXPECT_EQ(error.code, grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(error.reason, "MESSAGE_TOO_LARGE");
  EXPECT_EQ(error.metadata.at("limit_bytes"), absl::StrCat(SmallSize() - 1));
  EXPECT_EQ(error.metadata.at("size_bytes"), absl::StrCat(SmallSize()));
  EXPECT_EQ(error.retry_delay, absl::ZeroDuration());
}

TEST(DeclaredCall, IsRefusedUnreadWhenItIsLargerThanTheServerTakes) {
  RunningServer server({"--max-message-bytes=1000"});
  const Error error = Answer(server, "1001");
  EXPECT_EQ(error.code, grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(error.text,
            "the declared message has 1001 bytes, more than the limit of 1000");
  EXPECT_EQ(error.reason, "MESSAGE_TOO_LARGE");
  EXPECT_EQ(error.metadata.at("limit_bytes"), "1000");
  EXPECT_EQ(error.metadata.at("size_bytes"), "1001");
  EXPECT_EQ(error.retry_delay, absl::ZeroDuration());
}

TEST(DeclaredCall, IsRefusedWhenTheDeclarationIsNoNumber) {
  RunningServer server;
  const Error error = Answer(server, "-1");
  EXPECT_EQ(error.code, grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(error.reason, "DECLARED_SIZE_INVALID");
}

// Results that no budget holds, beside those that it does not hold now.
TEST(Results, AreTooLargeForTheBudgetWithoutARetry) {
  RunningServer server(
      {"--memory-budget=1048576", "--max-output-bytes=2000000"});
  v1::ReduceRequest request;
  request.add_reductions()->set_operator_(v1::OPERATOR_REDUCE_SUM);
  request.mutable_reductions(0)->add_axes(0);
  request.mutable_tensor()->set_data_type(v1::DATA_TYPE_FLOAT32);
  request.mutable_tensor()->add_shape(0);
  request.mutable_tensor()->add_shape(500'000);
  v1::ReduceResponse response;
  const Error error = ErrorOf(server.Reduce(request, &response));
  EXPECT_EQ(error.code, grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(error.reason, "OUTPUT_TOO_LARGE");
  EXPECT_EQ(error.metadata.at("size_bytes"), "2000000");
  EXPECT_EQ(error.retry_delay, absl::ZeroDuration());
}

}  // namespace
}  // namespace reductor
