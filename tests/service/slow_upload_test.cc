// Callers that open a call and send nothing, or hardly anything, while others
// wait for the room.
#include <signal.h>

#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/service/error_of.h"
#include "tests/service/many_calls.h"
#include "tests/service/open_call.h"
#include "tests/service/running_server.h"
#include "tests/service/server_process.h"

namespace reductor {
namespace {

using ::testing::HasSubstr;

// A server that one call fills until its message is read.
class SlowUploads : public testing::Test {
 protected:
  void Start(const std::vector<std::string>& flags) {
    std::vector<std::string> all = {
        "--listen=127.0.0.1:0", "--memory-budget=1048576",
        "--max-message-bytes=1048576", "--log-level=debug"};
    all.insert(all.end(), flags.begin(), flags.end());
    process_.emplace(all);
    const std::string address = process_->AwaitAddress();
    silent_channel_ = OwnChannel(address);
    channel_ = RetryingChannel(address);
  }

  // Whatever became of its calls, the server ends in order.
  void TearDown() override {
    silent_.clear();
    process_->Signal(SIGTERM);
    EXPECT_EQ(process_->ExitCode(), 0);
  }

  // Opens a call, and returns when it has its room.
  void Open(const OpenCall::Metadata& metadata = {}) {
    silent_.emplace_back(silent_channel_, kReduce, metadata);
    process_->AwaitLine("call");
  }

  grpc::Status Reduce() {
    grpc::ClientContext context;
    v1::ReduceResponse response;
    return v1::ReductionService::NewStub(channel_)->Reduce(
        &context, SmallRequest(), &response);
  }

  std::optional<ServerProcess> process_;
  std::shared_ptr<grpc::Channel> silent_channel_;
  std::shared_ptr<grpc::Channel> channel_;
  std::deque<OpenCall> silent_;
};

TEST_F(SlowUploads, LoseTheirRoomToThoseWhoWait) {
  Start({"--upload-grace=100ms"});
  Open();
  for (int i = 1; i < 40; ++i) silent_.emplace_back(silent_channel_, kReduce);
  EXPECT_TRUE(Reduce().ok());
  const Error error = ErrorOf(silent_.front().Finish());
  EXPECT_EQ(error.code, grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(error.reason, "BUSY");
  EXPECT_GT(error.retry_delay, absl::ZeroDuration());
  EXPECT_THAT(error.text, HasSubstr("declare its size"));
}

TEST_F(SlowUploads, KeepTheirRoomWithinTheGrace) {
  Start({"--upload-grace=1h"});
  Open();
  EXPECT_EQ(ErrorOf(Reduce()).text, "no room for the message now");
  EXPECT_TRUE(silent_.front().Write(SmallRequest().SerializeAsString()));
  EXPECT_NE(silent_.front().Read(), "");
  EXPECT_TRUE(silent_.front().Finish().ok());
}

TEST_F(SlowUploads, LoseTheirRoomLaterWhenTheirSizeIsDeclared) {
  Start({"--upload-grace=10ms"});
  Open({{"reductor-message-bytes", "1048576"}});
  EXPECT_TRUE(Reduce().ok());
  const Error error = ErrorOf(silent_.front().Finish());
  EXPECT_EQ(error.reason, "BUSY");
  EXPECT_THAT(error.text, HasSubstr("send it by ReduceStream"));
}

TEST_F(SlowUploads, LoseTheirRoomToThoseWhoWaitWhenTheyStreamAByteAtATime) {
  Start({"--max-message-bytes=393216", "--upload-grace=10ms",
         "--admission-wait=1h"});
  OpenCall stream(silent_channel_, kReduceStream);
  v1::ReduceStreamRequest header;
  header.mutable_header()->add_reductions()->set_operator_(
      v1::OPERATOR_REDUCE_SUM);
  header.mutable_header()->set_data_type(v1::DATA_TYPE_FLOAT32);
  header.mutable_header()->add_shape(1 << 20);
  EXPECT_TRUE(stream.Write(header.SerializeAsString()));
  EXPECT_NE(stream.Read(), "");  // It has its room.
  auto waiting = std::async(std::launch::async, [this] { return Reduce(); });
  v1::ReduceStreamRequest byte;
  byte.set_data("x");
  for (int i = 0; i < 200'000; ++i) {
    if (!stream.Write(byte.SerializeAsString())) break;
  }
  const Error error = ErrorOf(stream.Finish());
  EXPECT_EQ(error.reason, "BUSY");
  EXPECT_THAT(error.text, HasSubstr("whose client is slow"));
  EXPECT_TRUE(waiting.get().ok());
}

TEST_F(SlowUploads, EndAtTheTimeout) {
  Start({"--upload-timeout=1ms"});
  Open();
  const Error error = ErrorOf(silent_.front().Finish());
  EXPECT_EQ(error.code, grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_EQ(error.text,
            "the message did not come within --upload-timeout (1ms)");
}

TEST_F(SlowUploads, MayEndAtTheTimeoutAsTheirMessageComes) {
  Start({"--upload-timeout=1ms"});
  for (int i = 0; i < 100; ++i) {
    OpenCall call(silent_channel_, kReduce);
    // It is served, or late, or there is nobody any more to write to.
    call.WriteLast(SmallRequest().SerializeAsString());
    (void)call.Read();
    const grpc::Status status = call.Finish();
    if (!status.ok()) {
      EXPECT_EQ(status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
    }
  }
  EXPECT_TRUE(Reduce().ok());
}

TEST_F(SlowUploads, GiveTheirRoomBackWhenTheClientGoes) {
  Start({"--upload-grace=1h", "--admission-wait=1h"});
  Open();
  silent_.clear();
  EXPECT_TRUE(Reduce().ok());
}

}  // namespace
}  // namespace reductor
