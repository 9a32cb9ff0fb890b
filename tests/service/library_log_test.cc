// The messages of libraries, as they come and as they are logged.
#include "service/library_log.h"

#include <algorithm>
#include <string>

#include "gmock/gmock.h"
#include "grpc/health/v1/health.pb.h"
#include "grpc/support/log.h"
#include "gtest/gtest.h"
#include "service/log.h"
#include "service/once_a_second.h"
#include "tests/service/log_of.h"

namespace reductor {
namespace {

using ::testing::IsEmpty;

// As gRPC does; which levels it tells is else its own affair.
void SayError(const std::string& text) {
  gpr_set_log_verbosity(GPR_LOG_SEVERITY_ERROR);
  gpr_log(GPR_ERROR, "%s", text.c_str());
}

// As health is asked for a name that is no UTF-8.
void ParseBadText() {
  grpc::health::v1::HealthCheckRequest().ParseFromString("\x0a\x02\xff\xfe");
}

TEST(OnceASecond, LetsTheFirstOfEachSecondGo) {
  OnceASecond limit;
  const absl::Time now = absl::FromUnixSeconds(1000);
  EXPECT_TRUE(limit.IsFirst(now));
  EXPECT_FALSE(limit.IsFirst(now + absl::Milliseconds(999)));
  EXPECT_TRUE(limit.IsFirst(now + absl::Seconds(1)));
}

TEST(LibraryLog, TellsFewMessagesOfGrpcsAndNoMoreOfThemThanTellsThem) {
  LogLibraryMessages();
  std::string text;
  // Something else may have been said in this second.
  while (text.empty()) {
    text = LogOf([] {
      for (int i = 0; i < 100; ++i) SayError(std::string(10'000, 'x'));
    });
  }
  const auto line = nlohmann::json::parse(text.substr(0, text.find('\n')));
  EXPECT_EQ(line["level"], "warning");
  EXPECT_EQ(line["msg"], std::string(256, 'x'));
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 100);
}

TEST(LibraryLog, TellsAFailedAssertionWhateverElseWasSaid) {
  LogLibraryMessages();
  const std::string text = LogOf([] {
    SayError("x");
    SayError("assertion failed: a < b");
  });
  EXPECT_THAT(text, testing::HasSubstr("assertion failed: a < b"));
}

TEST(LibraryLog, TellsWhatProtobufSaysAtDebugAlone) {
  LogLibraryMessages();
  EXPECT_THAT(LogOf(ParseBadText), IsEmpty());
  SetLogLevel(LogLevel::kDebug);
  const auto line = LineOf(ParseBadText);
  SetLogLevel(LogLevel::kInfo);
  EXPECT_EQ(line["level"], "debug");
  EXPECT_THAT(line["msg"].get<std::string>(), testing::HasSubstr("UTF-8"));
}

TEST(KeptMessages, AreNotLogged) {
  EXPECT_THAT(LogOf([] {
                const KeptMessages kept;
                SayError("x");
                EXPECT_EQ(kept.LastCause(), "x");
              }),
              IsEmpty());
}

TEST(KeptMessages, LeaveAFailedAssertionToTheLog) {
  EXPECT_THAT(LogOf([] {
                const KeptMessages kept;
                SayError("assertion failed: a < b");
              }),
              testing::HasSubstr("assertion failed: a < b"));
}

TEST(KeptMessages, TellWhatTheLastErrorCameFrom) {
  const KeptMessages kept;
  EXPECT_EQ(kept.LastCause(), "");
  SayError("UNKNOWN:Outer {a:1, children:[UNKNOWN:Inner {errno:98}]}");
  EXPECT_EQ(kept.LastCause(), "inner");
  SayError("Plain");
  EXPECT_EQ(kept.LastCause(), "plain");
}

}  // namespace
}  // namespace reductor
