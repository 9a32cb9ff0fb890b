// How the program ends while a call is open whose message has not come yet.
#include <signal.h>

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "tests/service/error_of.h"
#include "tests/service/health_bytes.h"
#include "tests/service/open_call.h"
#include "tests/service/reduce_stream.h"
#include "tests/service/running_server.h"
#include "tests/service/server_process.h"

namespace reductor {
namespace {

class Drain : public testing::Test {
 protected:
  Drain()
      : process_({"--listen=127.0.0.1:0", "--log-level=debug",
                  "--drain-timeout=1h"}),
        channel_(OwnChannel(process_.AwaitAddress())),
        stub_(v1::ReductionService::NewStub(channel_)),
        call_(channel_, kReduce) {
    process_.AwaitLine("call");
  }

  void StartDraining() {
    process_.Signal(SIGTERM);
    process_.AwaitLine("draining");
  }

  // The answer to the call that was open before, and the end of the process.
  void ExpectServedToTheEnd() {
    // Else the end could meet a connection that is closed by then.
    call_.WriteLast(SmallRequest().SerializeAsString());
    EXPECT_NE(call_.Read(), "");
    EXPECT_TRUE(call_.Finish().ok());
    EXPECT_EQ(process_.ExitCode(), 0);
  }

  grpc::Status Reduce() {
    grpc::ClientContext context;
    v1::ReduceResponse response;
    return stub_->Reduce(&context, SmallRequest(), &response);
  }

  ServerProcess process_;
  const std::shared_ptr<grpc::Channel> channel_;
  const std::unique_ptr<v1::ReductionService::Stub> stub_;
  OpenCall call_;
};

TEST_F(Drain, ServesTheCallThatWasOpenBefore) {
  StartDraining();
  ExpectServedToTheEnd();
}

TEST_F(Drain, RefusesNewCalls) {
  StartDraining();
  grpc::Status status;
  do {  // Those that come before it refuses are served.
    status = Reduce();
  } while (status.ok());
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(ErrorOf(status).reason, "DRAINING");
  grpc::ClientContext context;
  v1::ListOperatorsResponse response;
  EXPECT_EQ(ErrorOf(stub_->ListOperators(&context, {}, &response)).reason,
            "DRAINING");
  ReduceStreamCall stream(*stub_);
  EXPECT_EQ(ErrorOf(stream.Finish().status).reason, "DRAINING");
  ExpectServedToTheEnd();
}

TEST_F(Drain, ServesTheStreamThatWasOpenBefore) {
  const v1::ReduceRequest request = SmallRequest();
  ReduceStreamCall stream(*stub_);
  stream.WriteHeader(HeaderOf(request));
  EXPECT_TRUE(stream.Read().has_results());
  StartDraining();
  stream.WriteData(request.tensor().data());
  EXPECT_TRUE(stream.Read().has_piece());
  stream.WritesDone();
  EXPECT_TRUE(stream.Finish().status.ok());
  ExpectServedToTheEnd();
}

TEST(DrainTimeout, LeavesALineOfEachCallThatItCancels) {
  ServerProcess process(
      {"--listen=127.0.0.1:0", "--log-level=debug", "--drain-timeout=0s"});
  const auto channel = OwnChannel(process.AwaitAddress());
  const OpenCall unary(channel, kReduce);
  process.AwaitLine("call");
  const OpenCall stream(channel, kReduceStream);
  process.AwaitLine("call");
  process.Signal(SIGTERM);
  EXPECT_EQ(process.AwaitLine("request")["code"], "CANCELLED");
  EXPECT_EQ(process.AwaitLine("request")["code"], "CANCELLED");
  process.AwaitLine("stopped");
  EXPECT_EQ(process.ExitCode(), 0);
}

TEST_F(Drain, TellsWatchersThatItIsNotReady) {
  OpenCall readiness(channel_, kHealthWatch);
  readiness.Write(kReadiness);
  EXPECT_EQ(readiness.Read(), kServing);
  StartDraining();
  EXPECT_EQ(readiness.Read(), kNotServing);
  OpenCall liveness(channel_, kHealthWatch);
  liveness.Write(kLiveness);
  EXPECT_EQ(liveness.Read(), kServing);
  ExpectServedToTheEnd();
}

}  // namespace
}  // namespace reductor
