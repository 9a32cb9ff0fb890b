// How much memory the program takes, as the system sees it, and whom it serves,
// whatever clients send.
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "grpc/grpc.h"
#include "gtest/gtest.h"
#include "tests/service/error_of.h"
#include "tests/service/many_calls.h"
#include "tests/service/server_process.h"
#include "tests/service/shared_request.h"

namespace reductor {
namespace {

constexpr int64_t kMebibyte = 1 << 20;
constexpr int64_t kBudget = 512 * kMebibyte;
constexpr int64_t kMost = kBudget + kBudget / 5;

class Memory : public testing::Test {
 protected:
  // The client's gRPC never ends: that could wait ten seconds for a poller that
  // a large message has left asleep.
  static void SetUpTestSuite() { grpc_init(); }

  Memory()
      : process_({"--listen=127.0.0.1:0",
                  absl::StrCat("--memory-budget=", kBudget)}),
        address_(process_.AwaitAddress()) {
    process_.CloseErrors();
  }

  ServerProcess process_;
  const std::string address_;
};

// Each is right or BUSY; at least one is right.
void ExpectRightOrBusy(const std::deque<ManyCall>& calls, uint32_t answer) {
  int right = 0;
  for (const ManyCall& call : calls) {
    if (call.status.ok()) {
      ++right;
      EXPECT_EQ(call.Response().results(0).data(),
                std::string(reinterpret_cast<const char*>(&answer), 4));
      continue;
    }
    const Error error = ErrorOf(call.status);
    EXPECT_EQ(error.reason, "BUSY");
    EXPECT_GT(error.retry_delay, absl::ZeroDuration());
    EXPECT_GT(call.Pushback().value_or(0), 0);
  }
  EXPECT_GT(right, 0);
}

TEST_F(Memory, StaysWithinTheBudgetUnderLargeUndeclaredMessages) {
  const auto channels = OwnChannels(address_, 64);
  ExpectRightOrBusy(ReduceAtOnce(channels, SharedRequest(64)),
                    SharedAnswer(64));
  EXPECT_LE(process_.PeakBytes(), kMost);
}

TEST_F(Memory, StaysWithinTheBudgetWhenTheyComeAgainAndAgain) {
  // Their connections' windows have grown by then.
  const auto channels = OwnChannels(address_, 64);
  for (int i = 0; i < 5; ++i) {
    ExpectRightOrBusy(ReduceAtOnce(channels, SharedRequest(40)),
                      SharedAnswer(40));
  }
  EXPECT_LE(process_.PeakBytes(), kMost);
}

TEST_F(Memory, StaysWithinTheBudgetUnderLargeDeclaredMessages) {
  const auto channels = OwnChannels(address_, 64);
  const grpc::ByteBuffer request = SharedRequest(64);
  ExpectRightOrBusy(ReduceAtOnce(channels, request, request.Length()),
                    SharedAnswer(64));
  EXPECT_LE(process_.PeakBytes(), kMost);
}

TEST_F(Memory, StaysWithinTheBudgetUnderAMessageOfTwoGibibytes) {
  const auto calls = ReduceAtOnce({OwnChannel(address_)}, SharedRequest(2047));
  EXPECT_EQ(calls.front().status.error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_LE(process_.PeakBytes(), kMost);
}

TEST_F(Memory, StaysWithinTheBudgetUnderLargeMessagesToOtherMethods) {
  for (const char* const method :
       {"/reductor.v1.ReductionService/ListOperators",
        "/grpc.health.v1.Health/Check", "/grpc.health.v1.Health/Watch",
        "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"}) {
    for (const ManyCall& call :
         SendAtOnce(OwnChannels(address_, 32), method, SharedRequest(64))) {
      EXPECT_FALSE(call.status.ok()) << method;
    }
    EXPECT_LE(process_.PeakBytes(), kMost) << method;
  }
}

TEST_F(Memory, ServesAThousandSmallUndeclaredCallsThatComeBack) {
  // Each holds room for the largest message until its own is read.
  std::vector<std::shared_ptr<grpc::Channel>> channels;
  for (int i = 0; i < 10; ++i) {
    channels.insert(channels.end(), 100, RetryingChannel(address_));
  }
  for (const ManyCall& call : ReduceAtOnce(
           channels, ToByteBuffer(SmallRequest().SerializeAsString()))) {
    EXPECT_TRUE(call.status.ok()) << call.status.error_message();
  }
}

}  // namespace
}  // namespace reductor
