// The code in the log's line is the one that the caller saw, as far as gRPC
// tells it.
#include <chrono>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "tests/service/open_call.h"
#include "tests/service/running_server.h"
#include "tests/service/server_process.h"

namespace reductor {
namespace {

class Outcome : public testing::Test {
 protected:
  Outcome()
      : process_({"--listen=127.0.0.1:0", "--max-message-bytes=1000",
                  "--log-level=debug"}),
        channel_(OwnChannel(process_.AwaitAddress())) {}

  grpc::Status Reduce(grpc::ClientContext* context, size_t data_bytes) {
    v1::ReduceRequest request = SmallRequest();
    request.mutable_tensor()->set_data(std::string(data_bytes, '\0'));
    v1::ReduceResponse response;
    return v1::ReductionService::NewStub(channel_)->Reduce(context, request,
                                                           &response);
  }

  nlohmann::json Line() { return process_.AwaitLine("request"); }

  ServerProcess process_;
  const std::shared_ptr<grpc::Channel> channel_;
};

TEST_F(Outcome, OfAMessageThatIsTooLarge) {
  grpc::ClientContext context;
  EXPECT_EQ(Reduce(&context, 1001).error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
  const auto line = Line();
  EXPECT_EQ(line["code"], "UNKNOWN");
  EXPECT_EQ(line["reason"], "REFUSED_BY_GRPC");
}

TEST_F(Outcome, OfACompressedMessage) {
  grpc::ClientContext context;
  context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
  EXPECT_EQ(Reduce(&context, 900).error_code(),
            grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_EQ(Line()["reason"], "REFUSED_BY_GRPC");
}

TEST_F(Outcome, OfACallWithoutAMessage) {
  OpenCall call(channel_, kReduce);
  call.WritesDone();
  EXPECT_FALSE(call.Finish().ok());
  EXPECT_EQ(Line()["code"], "INVALID_ARGUMENT");
}

TEST_F(Outcome, OfADeadlineThatPassed) {
  // Waits for its message; nobody writes one.
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() +
                       std::chrono::milliseconds(100));
  grpc::CompletionQueue events;
  const auto call =
      grpc::GenericStub(channel_).PrepareCall(&context, kReduce, &events);
  call->StartCall(nullptr);
  grpc::Status status;
  call->Finish(&status, &status);
  for (void* tag = nullptr; tag != &status;) {
    bool ok;
    events.Next(&tag, &ok);
  }
  EXPECT_EQ(status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_EQ(Line()["code"], "DEADLINE_EXCEEDED");
}

TEST_F(Outcome, OfACallThatIsCancelled) {
  {
    const OpenCall call(channel_, kReduce);
    process_.AwaitLine("call");
  }
  EXPECT_EQ(Line()["code"], "CANCELLED");
}

TEST_F(Outcome, OfAnUnknownMethod) {
  OpenCall call(channel_, "/reductor.v1.ReductionService/Explode");
  EXPECT_EQ(call.Finish().error_code(), grpc::StatusCode::UNIMPLEMENTED);
  const auto line = Line();
  EXPECT_EQ(line["method"], "/reductor.v1.ReductionService/Explode");
  EXPECT_EQ(line["code"], "UNIMPLEMENTED");
}

TEST_F(Outcome, OfAnUnknownMethodNamesNoMoreOfItThanTellsIt) {
  OpenCall call(channel_, "/" + std::string(4000, 'x'));
  EXPECT_EQ(call.Finish().error_code(), grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_EQ(Line()["method"], "/" + std::string(127, 'x'));
}

TEST_F(Outcome, OfARefusedRequestTellsWhatWasAskedFor) {
  grpc::ClientContext context;
  EXPECT_FALSE(Reduce(&context, 1).ok());
  const auto line = Line();
  EXPECT_EQ(line["reason"], "DATA_SIZE_MISMATCH");
  EXPECT_EQ(line["operator"], "ReduceL1");
  EXPECT_EQ(line["dtype"], "float32");
  EXPECT_EQ(line["shape"], nlohmann::json({2, 3}));
}

}  // namespace
}  // namespace reductor
