// What the methods have in common that ask about the server.
#include "service/short_call.h"

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

constexpr const char* kShortMethods[] = {
    "/reductor.v1.ReductionService/ListOperators",
    "/grpc.health.v1.Health/Check",
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
};

// An unknown field, which every message may have.
std::string MessageOf(int64_t bytes) {
  const int64_t length = bytes - 5;
  return absl::StrCat("\xfa\x01",
                      std::string({static_cast<char>(length | 128),
                                   static_cast<char>(length >> 7 | 128),
                                   static_cast<char>(length >> 14)}),
                      std::string(length, 'x'));
}

TEST(ShortCall, TakesMessagesUpToTheLimit) {
  RunningServer server;
  for (const char* const method : kShortMethods) {
    EXPECT_TRUE(server.Send(method, ToByteBuffer(MessageOf(65536))).ok())
        << method;
    const Error error =
        ErrorOf(server.Send(method, ToByteBuffer(MessageOf(65537))));
    EXPECT_EQ(error.code, grpc::StatusCode::RESOURCE_EXHAUSTED) << method;
    EXPECT_EQ(error.reason, "MESSAGE_TOO_LARGE") << method;
    EXPECT_EQ(error.metadata.at("limit_bytes"), "65536");
    EXPECT_EQ(error.metadata.at("size_bytes"), "65537");
  }
}

TEST(ShortCall, RefusesGarbage) {
  RunningServer server;
  for (const char* const method : kShortMethods) {
    const Error error = ErrorOf(server.Send(method, ToByteBuffer("\x0f")));
    EXPECT_EQ(error.code, grpc::StatusCode::INVALID_ARGUMENT) << method;
    EXPECT_EQ(error.reason, "MALFORMED_MESSAGE") << method;
  }
}

TEST(ShortCall, RefusesACallWithoutAMessage) {
  RunningServer server;
  for (const char* const method : kShortMethods) {
    OpenCall call(server.channel(), method);
    call.WritesDone();
    EXPECT_EQ(ErrorOf(call.Finish()).reason, "MALFORMED_MESSAGE") << method;
  }
}

TEST(ShortCall, EndsWhenItsClientIsSilent) {
  RunningServer server({"--idle-timeout=50ms"});
  for (const char* const method : kShortMethods) {
    OpenCall call(server.channel(), method);
    const Error error = ErrorOf(call.Finish());
    EXPECT_EQ(error.code, grpc::StatusCode::DEADLINE_EXCEEDED) << method;
    EXPECT_THAT(error.text, testing::HasSubstr("--idle-timeout (50ms)"));
  }
}

// More silent clients than turns to read: whoever comes last is the next.
TEST(ShortCall, IsServedWhileOthersAreSilent) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "an instrumented server takes longer to read a message than "
                  "the 10 ms that a client may be silent";
#endif
  RunningServer server;
  const auto channel = OwnChannel(server.server().addresses().front());
  std::deque<OpenCall> silent;
  for (int i = 0; i < 50; ++i) silent.emplace_back(channel, kShortMethods[1]);
  for (const char* const method : kShortMethods) {
    EXPECT_TRUE(server.Send(method, ToByteBuffer("")).ok()) << method;
  }
  // Those whose time has come make room.
  EXPECT_EQ(ErrorOf(silent.front().Finish()).reason, "BUSY");
}

}  // namespace
}  // namespace reductor
