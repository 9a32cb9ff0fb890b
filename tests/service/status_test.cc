// Each error's way from absl::Status to the wire.
#include "service/status.h"

#include "core/violations.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/service/error_of.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

absl::Status TwoViolations() {
  Violations violations;
  violations.Add("tensor.shape[1]", "DIM_NEGATIVE", "-2 is negative");
  violations.Add("reductions[0].axes[0]", "AXIS_OUT_OF_RANGE", "5 is far");
  return violations.ToStatus();
}

TEST(ToGrpcStatus, GivesOkWithoutDetails) {
  const grpc::Status status = ToGrpcStatus(absl::OkStatus());
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.error_details(), "");
}

TEST(ToGrpcStatus, ListsEveryViolationAndTheFirstReason) {
  const Error error = ErrorOf(ToGrpcStatus(TwoViolations()));
  EXPECT_EQ(error.code, grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(error.text,
            "tensor.shape[1]: -2 is negative (and 1 more violation)");
  EXPECT_EQ(error.reason, "DIM_NEGATIVE");
  EXPECT_THAT(error.violations,
              ElementsAre("tensor.shape[1] DIM_NEGATIVE: -2 is negative",
                          "reductions[0].axes[0] AXIS_OUT_OF_RANGE: 5 is far"));
}

TEST(ToGrpcStatus, PutsCodeAndTextIntoTheDetailsToo) {
  google::rpc::Status details;
  details.ParseFromString(ToGrpcStatus(TwoViolations()).error_details());
  EXPECT_EQ(details.code(), 3);
  EXPECT_EQ(details.message(),
            "tensor.shape[1]: -2 is negative (and 1 more violation)");
}

TEST(ToGrpcStatus, GivesAMalformedMessageItsReasonAlone) {
  const Error error = ErrorOf(ToGrpcStatus(MalformedMessageError("no good")));
  EXPECT_EQ(error.code, grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(error.text, "no good");
  EXPECT_EQ(error.reason, "MALFORMED_MESSAGE");
  EXPECT_THAT(error.violations, IsEmpty());
}

TEST(ToGrpcStatus, TellsABusyServersCallerWhenToComeBack) {
  const Error error =
      ErrorOf(ToGrpcStatus(BusyError("no room", absl::Milliseconds(1250))));
  EXPECT_EQ(error.code, grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(error.text, "no room");
  EXPECT_EQ(error.reason, "BUSY");
  EXPECT_EQ(error.retry_delay, absl::Milliseconds(1250));
}

TEST(ToGrpcStatus, QuotesADeclaredSizeInPart) {
  const Error error = ErrorOf(
      ToGrpcStatus(DeclaredSizeInvalidError("key", std::string(1000, 'x'))));
  EXPECT_EQ(error.code, grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(error.reason, "DECLARED_SIZE_INVALID");
  EXPECT_EQ(error.text, absl::StrCat("key: '", std::string(64, 'x'),
                                     "' is no number of bytes"));
}

TEST(ToGrpcStatus, QuotesWhatIsNotPrintableByItsNumber) {
  EXPECT_EQ(
      ErrorOf(ToGrpcStatus(DeclaredSizeInvalidError("key", "\\'a\xff\n"))).text,
      R"(key: '\'a\xff\x0a' is no number of bytes)");
}

TEST(ToGrpcStatus, TellsLimitAndSizeInTextAndMetadata) {
  const Error error = ErrorOf(
      ToGrpcStatus(OutputTooLargeError("the results", "--max", 100, 101)));
  EXPECT_EQ(error.code, grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(error.text,
            "the results have 101 bytes together, more than the limit of "
            "100 (--max)");
  EXPECT_EQ(error.reason, "OUTPUT_TOO_LARGE");
  EXPECT_THAT(error.metadata, ElementsAre(Pair("limit_bytes", "100"),
                                          Pair("size_bytes", "101")));
}

TEST(ToGrpcStatus, SaysThatTheServerDrains) {
  const Error error = ErrorOf(ToGrpcStatus(DrainingError()));
  EXPECT_EQ(error.code, grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(error.reason, "DRAINING");
}

TEST(ToGrpcStatus, HidesWhatIsInternal) {
  const Error error = ErrorOf(ToGrpcStatus(InternalError("at 0xdeadbeef")));
  EXPECT_EQ(error.code, grpc::StatusCode::INTERNAL);
  EXPECT_EQ(error.text, "internal error");
  EXPECT_EQ(error.reason, "INTERNAL");
}

TEST(ToGrpcStatus, GivesCancelledNoDetails) {
  const grpc::Status status = ToGrpcStatus(absl::CancelledError("gone"));
  EXPECT_EQ(status.error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_EQ(status.error_details(), "");
}

TEST(ReasonOf, IsEmptyWithoutAReason) {
  EXPECT_EQ(ReasonOf(absl::OkStatus()), "");
  EXPECT_EQ(ReasonOf(absl::CancelledError("gone")), "");
}

}  // namespace
}  // namespace reductor
