// The room that calls take, over a real port: for a message of the size that
// they declare, for results, for themselves.
#include <deque>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
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

// The sums of no elements: a small request with results of 4 * `count` bytes.
v1::ReduceRequest SumsOfNothing(int64_t count) {
  v1::ReduceRequest request;
  request.add_reductions()->set_operator_(v1::OPERATOR_REDUCE_SUM);
  request.mutable_reductions(0)->add_axes(0);
  request.mutable_tensor()->set_data_type(v1::DATA_TYPE_FLOAT32);
  request.mutable_tensor()->add_shape(0);
  request.mutable_tensor()->add_shape(count);
  return request;
}

// Results that no budget holds, beside those that it does not hold now.
TEST(Results, AreTooLargeForTheBudgetWithoutARetry) {
  RunningServer server(
      {"--memory-budget=1048576", "--max-output-bytes=2000000"});
  v1::ReduceResponse response;
  const Error error = ErrorOf(server.Reduce(SumsOfNothing(500'000), &response));
  EXPECT_EQ(error.code, grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(error.reason, "OUTPUT_TOO_LARGE");
  EXPECT_EQ(error.metadata.at("size_bytes"), "2000000");
  EXPECT_THAT(
      error.text,
      testing::EndsWith("(what the call's messages leave of --memory-budget)"));
  EXPECT_EQ(error.retry_delay, absl::ZeroDuration());
}

TEST(Results, AreRefusedForNowWhileOthersHoldTheRoom) {
  RunningServer server({"--memory-budget=1048576", "--max-message-bytes=500000",
                        "--max-output-bytes=1000000"});
  const v1::ReduceRequest request = SumsOfNothing(200'000);
  v1::ReduceResponse response;
  {
    const OpenCall silent(server.channel(), kReduce);
    grpc::Status status;
    do {
      status = server.Reduce(request, &response);
    } while (status.ok());  // Until the silent call has its room.
    const Error error = ErrorOf(status);
    EXPECT_EQ(error.code, grpc::StatusCode::RESOURCE_EXHAUSTED);
    EXPECT_EQ(error.reason, "BUSY");
    EXPECT_EQ(error.text, "no room for the results now");
    EXPECT_GT(error.retry_delay, absl::ZeroDuration());
  }
  while (!server.Reduce(request, &response).ok()) {
    // Until it has given its room back.
  }
  EXPECT_EQ(response.results(0).data().size(), 800'000);
}

TEST(Results, MayBeManyForASmallRequest) {
  RunningServer server;
  v1::ReduceResponse response;
  ASSERT_TRUE(server.Reduce(SumsOfNothing(3'000'000), &response).ok());
  EXPECT_TRUE(response.results(0).data() == std::string(12'000'000, '\0'));
}

// They declare next to nothing and send nothing, but are there.
TEST(OpenCalls, TakeRoomThemselves) {
  RunningServer server({"--memory-budget=1048576", "--max-message-bytes=1000"});
  std::deque<OpenCall> silent;
  v1::ReduceResponse response;
  grpc::Status status;
  while (status.ok() && silent.size() < 200) {
    silent.emplace_back(server.channel(), kReduce);
    status = server.Reduce(SmallRequest(), &response);
  }
  EXPECT_EQ(ErrorOf(status).reason, "BUSY");
}

}  // namespace
}  // namespace reductor
