// What is taken from a caller's metadata, and the line it ends up in.
#include "service/request_log.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "service/log.h"
#include "service/status.h"
#include "tests/service/log_of.h"

namespace reductor {
namespace {

using ::testing::HasSubstr;

std::string RequestId(const std::string& value) {
  return RequestIdOf({{"x-request-id", value}});
}

std::string TraceId(const std::string& value) {
  return TraceIdOf({{"traceparent", value}});
}

TEST(RequestIdOf, TakesPrintableIds) {
  EXPECT_EQ(RequestId("a-1/ b"), "a-1/ b");
  EXPECT_EQ(RequestId(std::string(128, 'x')), std::string(128, 'x'));
}

TEST(RequestIdOf, DropsLongAndUnprintableOnes) {
  EXPECT_EQ(RequestId(std::string(129, 'x')), "");
  EXPECT_EQ(RequestId("a\nb"), "");
  EXPECT_EQ(RequestId("\xc3\xa4"), "");
  EXPECT_EQ(RequestIdOf({}), "");
}

TEST(TraceIdOf, TakesTheSecondPartOfATraceparent) {
  EXPECT_EQ(TraceId("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
            "4bf92f3577b34da6a3ce929d0e0e4736");
}

TEST(TraceIdOf, DropsWhatIsNone) {
  EXPECT_EQ(TraceId("00-4bf92f-00f067aa0ba902b7-01"), "");
  EXPECT_EQ(TraceId("00-zzf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
            "");
  EXPECT_EQ(TraceId("4bf92f3577b34da6a3ce929d0e0e4736"), "");
  EXPECT_EQ(TraceId("00-00000000000000000000000000000000-00f067aa0ba902b7-01"),
            "");
  EXPECT_EQ(TraceIdOf({}), "");
}

TEST(PeerOf, IsAsPeopleWriteIt) {
  EXPECT_EQ(PeerOf("ipv4:127.0.0.1:50000"), "ipv4:127.0.0.1:50000");
  EXPECT_EQ(PeerOf("ipv6:%5Bfe80::1%25eth0%5D:50000"),
            "ipv6:[fe80::1%eth0]:50000");
}

TEST(WriteLine, TellsWhatWasComputed) {
  const RequestSpec request = {
      .reductions = {{.op = Operator::kReduceProd},
                     {.op = Operator::kReduceProd}},
      .tensor = TensorSpec{.dtype = DType::kInt64, .shape = {3, 1}}};
  RequestLog log = {.method = "/m", .peer = "p", .request_id = "r"};
  log.bytes = 24;
  log.response_bytes = 8;
  log.compute_time = absl::Microseconds(1500);
  log.duration = absl::Microseconds(2250);
  Describe(request, &log);
  EXPECT_EQ(LineOf([&] { WriteLine(log, absl::OkStatus()); }).dump(),
            R"({"level":"info","msg":"request","method":"/m","code":"OK",)"
            R"("peer":"p","request_id":"r",)"
            R"("operator":"ReduceProd,ReduceProd","dtype":"int64",)"
            R"("shape":[3,1],"compute_ms":1.5,"duration_ms":2.25,)"
            R"("bytes":24,"response_bytes":8})");
}

TEST(Describe, LeavesOutWhatIsLongerThanARequestMayBe) {
  RequestLog log;
  RequestSpec request = {.reductions = {}, .tensor = TensorSpec()};
  request.tensor->shape.resize(kMaxRank + 1);
  Describe(request, &log);
  EXPECT_THAT(log.shape, testing::IsEmpty());
  request.tensor->shape.clear();
  request.reductions.resize(kMaxReductions + 1);
  Describe(request, &log);
  EXPECT_THAT(log.operators, testing::IsEmpty());
}

TEST(WriteLine, TellsTheReasonOfAnError) {
  const RequestLog log = {.method = "/m", .peer = "p"};
  EXPECT_EQ(LineOf([&] { WriteLine(log, MalformedMessageError("x")); }).dump(),
            R"({"level":"info","msg":"request","method":"/m",)"
            R"("code":"INVALID_ARGUMENT","peer":"p","duration_ms":0,)"
            R"("bytes":0,"reason":"MALFORMED_MESSAGE"})");
}

TEST(WriteLine, KeepsTheDetailOfABugForTheLog) {
  const RequestLog log = {.method = "/m", .peer = "p"};
  const auto line = LineOf([&] { WriteLine(log, InternalError("bad_alloc")); });
  EXPECT_EQ(line["level"], "error");
  EXPECT_EQ(line["detail"], "bad_alloc");
}

TEST(WriteLine, TellsWhoseTimeWasOver) {
  const auto line = LineOf([] {
    WriteLine({}, absl::DeadlineExceededError("the message took too long"));
  });
  EXPECT_EQ(line["level"], "info");
  EXPECT_EQ(line["detail"], "the message took too long");
}

TEST(Log, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(LineOf([] { Log(LogLevel::kError, "a\xff"); })["msg"],
            "a\xef\xbf\xbd");
}

TEST(Log, StampsTheTimeInUtc) {
  const auto line =
      nlohmann::json::parse(LogOf([] { Log(LogLevel::kError, "x"); }));
  EXPECT_THAT(line["ts"].get<std::string>(),
              testing::MatchesRegex("[0-9]+-[0-9]+-[0-9]+T[0-9]+:[0-9]+:[0-9.]+"
                                    "Z"));
}

TEST(Log, DropsWhatIsBelowTheLevel) {
  SetLogLevel(LogLevel::kWarning);
  const std::string text = LogOf([] {
    Log(LogLevel::kInfo, "quiet");
    Log(LogLevel::kWarning, "loud");
  });
  SetLogLevel(LogLevel::kInfo);
  EXPECT_THAT(text, Not(HasSubstr("quiet")));
  EXPECT_THAT(text, HasSubstr("loud"));
}

}  // namespace
}  // namespace reductor
