// What a client reads from an error: its code, text and details, as values that
// a test can compare.
#ifndef REDUCTOR_TESTS_SERVICE_ERROR_OF_H_
#define REDUCTOR_TESTS_SERVICE_ERROR_OF_H_

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "grpcpp/support/status.h"
#include "gtest/gtest.h"

namespace reductor {

struct Error {
  grpc::StatusCode code;
  std::string text;
  std::string reason;  // Of ErrorInfo; empty without one.
  std::map<std::string, std::string> metadata;
  std::vector<std::string> violations;  // "field REASON: description"
  absl::Duration retry_delay;           // Of RetryInfo; zero without one.
};

inline Error ErrorOf(const grpc::Status& status) {
  Error error{.code = status.error_code(), .text = status.error_message()};
  google::rpc::Status details;
  details.ParseFromString(status.error_details());
  for (const auto& detail : details.details()) {
    google::rpc::ErrorInfo info;
    if (detail.UnpackTo(&info) && info.domain() == "reductor") {
      error.reason = info.reason();
      error.metadata.insert(info.metadata().begin(), info.metadata().end());
    }
    google::rpc::RetryInfo retry;
    if (detail.UnpackTo(&retry)) {
      error.retry_delay = absl::Seconds(retry.retry_delay().seconds()) +
                          absl::Nanoseconds(retry.retry_delay().nanos());
    }
    google::rpc::BadRequest bad_request;
    detail.UnpackTo(&bad_request);
    for (const auto& violation : bad_request.field_violations()) {
      error.violations.push_back(absl::StrCat(violation.field(), " ",
                                              violation.reason(), ": ",
                                              violation.description()));
    }
  }
  return error;
}

// The error is that of one broken rule, and says so in every place.
inline void ExpectOneViolation(const Error& error, const std::string& field,
                               const std::string& reason,
                               const std::string& description) {
  EXPECT_EQ(error.code, grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(error.text, field + ": " + description);
  EXPECT_EQ(error.reason, reason);
  EXPECT_THAT(error.violations,
              testing::ElementsAre(field + " " + reason + ": " + description));
}

}  // namespace reductor

#endif  // REDUCTOR_TESTS_SERVICE_ERROR_OF_H_
