// Callers that send a request and then do not take its answer.
#include <signal.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/service/open_call.h"
#include "tests/service/running_server.h"
#include "tests/service/server_process.h"

namespace reductor {
namespace {

// The sums of no elements: a small request with an answer of 3 MB, more than a
// client takes that reads nothing.
v1::ReduceRequest SumsOfNothing() {
  v1::ReduceRequest request;
  v1::Reduction* const reduction = request.add_reductions();
  reduction->set_operator_(v1::OPERATOR_REDUCE_SUM);
  reduction->add_axes(0);
  request.mutable_tensor()->set_data_type(v1::DATA_TYPE_INT32);
  request.mutable_tensor()->add_shape(0);
  request.mutable_tensor()->add_shape(750'000);
  return request;
}

// A channel that takes so much of an answer that is not read, and no more.
std::shared_ptr<grpc::Channel> NarrowChannel(const std::string& address,
                                             int bytes) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  arguments.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, bytes);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(),
                                   arguments);
}

constexpr char kListOperators[] = "/reductor.v1.ReductionService/ListOperators";

TEST(UntakenShortAnswers, EndAtTheTimeout) {
  ServerProcess process({"--listen=127.0.0.1:0", "--idle-timeout=100ms"});
  OpenCall call(NarrowChannel(process.AwaitAddress(), 5), kListOperators);
  EXPECT_TRUE(call.Write(""));
  EXPECT_EQ(process.AwaitLine("request")["code"], "DEADLINE_EXCEEDED");
}

TEST(UntakenShortAnswers, EndWhereThereAreMany) {
  ServerProcess process({"--listen=127.0.0.1:0", "--idle-timeout=1h"});
  const auto channel = NarrowChannel(process.AwaitAddress(), 5);
  std::deque<OpenCall> calls;
  for (int i = 0; i < 65; ++i) {
    calls.emplace_back(channel, kListOperators);
    EXPECT_TRUE(calls.back().Write(""));
  }
  EXPECT_EQ(process.AwaitLine("request")["code"], "RESOURCE_EXHAUSTED");
}

// Beside the answer there is no room for a message of undeclared size.
class UntakenAnswers : public testing::Test {
 protected:
  void Start(const std::string& flag) {
    process_.emplace(std::vector<std::string>{
        "--listen=127.0.0.1:0", "--memory-budget=4194304",
        "--max-message-bytes=4194304", flag});
    address_ = process_->AwaitAddress();
    call_.emplace(NarrowChannel(address_, 65536), kReduce);
    call_->Write(SumsOfNothing().SerializeAsString());
    call_->WritesDone();
    EXPECT_TRUE(call_->AwaitHeaders());
  }

  void ExpectCutOff() {
    EXPECT_TRUE(call_->Read().empty());
    EXPECT_EQ(call_->Finish().error_code(), grpc::StatusCode::CANCELLED);
  }

  std::optional<ServerProcess> process_;
  std::string address_;
  std::optional<OpenCall> call_;
};

TEST_F(UntakenAnswers, EndAtTheTimeout) {
  Start("--upload-timeout=1s");
  EXPECT_EQ(process_->AwaitLine("request")["code"], "DEADLINE_EXCEEDED");
  ExpectCutOff();
}

TEST_F(UntakenAnswers, LoseTheirRoomToThoseWhoWait) {
  Start("--upload-grace=10ms");
  const auto stub = v1::ReductionService::NewStub(OwnChannel(address_));
  grpc::Status status;
  do {
    grpc::ClientContext context;
    v1::ReduceResponse response;
    status = stub->Reduce(&context, SmallRequest(), &response);
  } while (!status.ok());
  ExpectCutOff();
}

TEST_F(UntakenAnswers, EndWithTheServer) {
  Start("--drain-timeout=10ms");
  process_->Signal(SIGTERM);
  EXPECT_EQ(process_->ExitCode(), 0);
}

}  // namespace
}  // namespace reductor
