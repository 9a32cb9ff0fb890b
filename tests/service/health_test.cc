// What those see who watch; Check() and the names are in server_test.cc, the
// end of a server in drain_test.cc.
#include "service/health.h"

#include <deque>
#include <string>

#include "gtest/gtest.h"
#include "tests/service/health_bytes.h"
#include "tests/service/open_call.h"
#include "tests/service/running_server.h"

namespace reductor {
namespace {

// A HealthCheckRequest for a name that nobody has set.
constexpr char kStranger[] = "\x0a\x08stranger";

TEST(HealthWatch, TellsTheStatusAtOnce) {
  RunningServer server;
  OpenCall call(server.channel(), kHealthWatch);
  call.Write(kReadiness);
  EXPECT_EQ(call.Read(), kServing);
}

TEST(HealthWatch, GoesOnForANameThatItDoesNotKnow) {
  RunningServer server;
  OpenCall call(server.channel(), kHealthWatch);
  call.Write(kStranger);
  EXPECT_EQ(call.Read(), kServiceUnknown);
}

// Of whose name it keeps the beginning, which is no name that is set.
TEST(HealthWatch, GoesOnForALongNameThatItDoesNotKnow) {
  RunningServer server;
  OpenCall call(server.channel(), kHealthWatch);
  call.Write(std::string("\x0a\x89\x02") + "readiness" + std::string(256, 's'));
  EXPECT_EQ(call.Read(), kServiceUnknown);
}

TEST(HealthWatch, HasSeveralWatchers) {
  RunningServer server;
  OpenCall first(server.channel(), kHealthWatch);
  OpenCall second(server.channel(), kHealthWatch);
  for (OpenCall* const call : {&first, &second}) {
    call->Write(kReadiness);
    EXPECT_EQ(call->Read(), kServing);
  }
}

// A sixteenth of this budget holds three calls.
TEST(HealthWatch, HasNoMoreWatchersThanThereIsRoomFor) {
  RunningServer server({"--memory-budget=1048576"});
  std::deque<OpenCall> watchers;
  for (int i = 0; i < 3; ++i) {
    watchers.emplace_back(server.channel(), kHealthWatch);
    EXPECT_TRUE(watchers.back().Write(""));
    EXPECT_NE(watchers.back().Read(), "");
  }
  OpenCall one_too_many(server.channel(), kHealthWatch);
  one_too_many.Write("");
  EXPECT_EQ(one_too_many.Finish().error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST(HealthWatch, RefusesGarbage) {
  RunningServer server;
  OpenCall call(server.channel(), kHealthWatch);
  call.Write("\x0f");
  EXPECT_EQ(call.Finish().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST(HealthWatch, RefusesALongMessage) {
  RunningServer server;
  OpenCall call(server.channel(), kHealthWatch);
  call.Write(std::string("\x0a\x80\x80\x04") + std::string(1 << 16, 'x'));
  EXPECT_EQ(call.Finish().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST(HealthWatch, RefusesACallWithoutAMessage) {
  RunningServer server;
  OpenCall call(server.channel(), kHealthWatch);
  call.WritesDone();
  EXPECT_EQ(call.Finish().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST(Health, RemembersWhatItWasToldLast) {
  Health health(nullptr);
  health.SetServing("a", true);
  health.SetServing("a", false);
  grpc::health::v1::HealthCheckRequest request;
  request.set_service("a");
  EXPECT_EQ(health.Check(request)->status(),
            grpc::health::v1::HealthCheckResponse::NOT_SERVING);
}

}  // namespace
}  // namespace reductor
