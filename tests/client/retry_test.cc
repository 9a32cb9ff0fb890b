// What becomes of calls that a server refuses because it is busy, or for ever.
#include <atomic>
#include <string>
#include <vector>

#include "client/client.h"
#include "client/errors.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/client/fake_server.h"

namespace reductor {
namespace {

// A server that counts its calls and refuses the first ones as `refusal` says,
// with gRPC's own form of the delay too, as reductor does.
class Retry : public ::testing::Test {
 protected:
  void RefuseFirst(int count, const grpc::Status& refusal,
                   const std::string& pushback_ms) {
    server_.on_call = [this, count, pushback_ms](grpc::ServerContext& context) {
      if (++calls_ <= count && !pushback_ms.empty()) {
        context.AddTrailingMetadata("grpc-retry-pushback-ms", pushback_ms);
      }
    };
    server_.on_reduce = [this, count, refusal](const v1::ReduceRequest&,
                                               v1::ReduceResponse* response) {
      if (calls_ <= count) return refusal;
      response->add_results()->set_data_type(v1::DATA_TYPE_FLOAT32);
      response->mutable_results(0)->set_data("four");
      return grpc::Status::OK;
    };
  }

  absl::Status Call(absl::Duration timeout = absl::Seconds(60)) {
    return Client(Connect(server_.address()))
        .ReduceOne<float>({1}, {3}, {.op = Operator::kReduceL1},
                          {.timeout = timeout})
        .status();
  }

  FakeServer server_;
  std::atomic<int> calls_ = 0;
};

TEST_F(Retry, GoesOnWhileTheServerSaysThatItIsBusy) {
  // More often than gRPC would by itself.
  RefuseFirst(7, Busy(1), "1");
  EXPECT_EQ(Call(), absl::OkStatus());
  EXPECT_EQ(calls_, 8);
}

TEST_F(Retry, NeedsNoDelayToBeAskedAgain) {
  RefuseFirst(2, Busy(0), "0");
  EXPECT_EQ(Call(), absl::OkStatus());
  EXPECT_EQ(calls_, 3);
}

TEST_F(Retry, EndsWithTheRefusalWhereTheDelayOutlastsTheTimeout) {
  RefuseFirst(1, Busy(3'600'000), "3600000");
  const absl::Status status = Call();
  EXPECT_EQ(ReasonOf(status), "BUSY");
  EXPECT_EQ(RetryDelayOf(status), absl::Hours(1));
  EXPECT_EQ(calls_, 1);
}

TEST_F(Retry, IsNotForWhatTheServerNeverTakes) {
  RefuseFirst(1, {grpc::StatusCode::RESOURCE_EXHAUSTED, "too large"}, "");
  EXPECT_EQ(Call(), absl::ResourceExhaustedError("too large"));
  EXPECT_EQ(calls_, 1);
}

TEST_F(Retry, IsNotForRequestsAtFault) {
  RefuseFirst(1, TwoViolations(), "");
  EXPECT_TRUE(absl::IsInvalidArgument(Call()));
  EXPECT_EQ(calls_, 1);
}

}  // namespace
}  // namespace reductor
