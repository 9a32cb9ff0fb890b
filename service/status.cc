// Errors travel inside the service as absl::Status with an ErrorInfo payload;
// only ToGrpcStatus() knows the wire's form.
#include "service/status.h"

#include <initializer_list>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/violations.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace reductor {
namespace {

constexpr char kDomain[] = "reductor";
constexpr char kErrorInfoUrl[] = "type.googleapis.com/google.rpc.ErrorInfo";
constexpr char kRetryInfoUrl[] = "type.googleapis.com/google.rpc.RetryInfo";

// Of a stranger's text, enough to recognise it.
constexpr size_t kMostQuoted = 64;

// As much as that, in characters that every error may have.
std::string Quoted(absl::string_view text) {
  std::string quoted = "'";
  for (const char c : text.substr(0, kMostQuoted)) {
    if (absl::ascii_isprint(static_cast<unsigned char>(c))) {
      quoted += c;
    } else {
      absl::StrAppendFormat(&quoted, "\\x%02x", static_cast<unsigned char>(c));
    }
  }
  return quoted + "'";
}

absl::Status MakeError(
    absl::StatusCode code, absl::string_view reason, absl::string_view message,
    std::initializer_list<std::pair<absl::string_view, int64_t>> metadata =
        {}) {
  google::rpc::ErrorInfo info;
  info.set_reason(std::string(reason));
  info.set_domain(kDomain);
  for (const auto& [key, value] : metadata) {
    (*info.mutable_metadata())[std::string(key)] = absl::StrCat(value);
  }
  absl::Status status(code, message);
  status.SetPayload(kErrorInfoUrl, absl::Cord(info.SerializeAsString()));
  return status;
}

std::optional<google::rpc::ErrorInfo> ErrorInfoOf(const absl::Status& status) {
  google::rpc::ErrorInfo info;
  if (const auto payload = status.GetPayload(kErrorInfoUrl)) {
    info.ParseFromString(std::string(*payload));
    return info;
  }
  const Violations violations = Violations::FromStatus(status);
  if (violations.empty()) return std::nullopt;
  info.set_reason(violations.kept().front().reason);
  info.set_domain(kDomain);
  return info;
}

std::optional<google::rpc::RetryInfo> RetryInfoOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kRetryInfoUrl);
  if (!payload.has_value()) return std::nullopt;
  google::rpc::RetryInfo info;
  info.ParseFromString(std::string(*payload));
  return info;
}

google::rpc::BadRequest ToBadRequest(const Violations& violations) {
  google::rpc::BadRequest bad_request;
  for (const Violation& violation : violations.kept()) {
    auto* field = bad_request.add_field_violations();
    field->set_field(violation.field);
    field->set_reason(violation.reason);
    field->set_description(violation.description);
  }
  return bad_request;
}

}  // namespace

absl::Status MalformedMessageError(absl::string_view what) {
  return MakeError(absl::StatusCode::kInvalidArgument, "MALFORMED_MESSAGE",
                   what);
}

absl::Status MessageTooLargeError(absl::string_view what, int64_t limit_bytes,
                                  int64_t size_bytes) {
  return MakeError(absl::StatusCode::kResourceExhausted, "MESSAGE_TOO_LARGE",
                   absl::StrCat(what, " has ", size_bytes,
                                " bytes, more than the limit of ", limit_bytes),
                   {{"limit_bytes", limit_bytes}, {"size_bytes", size_bytes}});
}

absl::Status OutputTooLargeError(absl::string_view what,
                                 absl::string_view limit, int64_t limit_bytes,
                                 int64_t size_bytes) {
  return MakeError(absl::StatusCode::kResourceExhausted, "OUTPUT_TOO_LARGE",
                   absl::StrCat(what, " have ", size_bytes,
                                " bytes together, more than the limit of ",
                                limit_bytes, " (", limit, ")"),
                   {{"limit_bytes", limit_bytes}, {"size_bytes", size_bytes}});
}

absl::Status BusyError(absl::string_view what, absl::Duration retry_delay) {
  absl::Status status =
      MakeError(absl::StatusCode::kResourceExhausted, "BUSY", what);
  google::rpc::RetryInfo info;
  info.mutable_retry_delay()->set_seconds(
      absl::IDivDuration(retry_delay, absl::Seconds(1), &retry_delay));
  info.mutable_retry_delay()->set_nanos(
      static_cast<int32_t>(absl::ToInt64Nanoseconds(retry_delay)));
  status.SetPayload(kRetryInfoUrl, absl::Cord(info.SerializeAsString()));
  return status;
}

absl::Status DeclaredSizeInvalidError(absl::string_view key,
                                      absl::string_view value) {
  return MakeError(
      absl::StatusCode::kInvalidArgument, "DECLARED_SIZE_INVALID",
      absl::StrCat(key, ": ", Quoted(value), " is no number of bytes"));
}

absl::Status DrainingError() {
  return MakeError(absl::StatusCode::kUnavailable, "DRAINING",
                   "the server is shutting down and takes no new calls");
}

absl::Status RefusedByGrpcError() {
  return MakeError(absl::StatusCode::kUnknown, "REFUSED_BY_GRPC",
                   "gRPC refused the message");
}

absl::Status InternalError(absl::string_view detail) {
  return MakeError(absl::StatusCode::kInternal, "INTERNAL", detail);
}

std::string ReasonOf(const absl::Status& status) {
  const auto info = ErrorInfoOf(status);
  return info.has_value() ? info->reason() : "";
}

std::optional<absl::Duration> RetryDelayOf(const absl::Status& status) {
  const auto info = RetryInfoOf(status);
  if (!info.has_value()) return std::nullopt;
  return absl::Seconds(info->retry_delay().seconds()) +
         absl::Nanoseconds(info->retry_delay().nanos());
}

grpc::Status ToGrpcStatus(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  google::rpc::Status details;
  details.set_code(static_cast<int>(status.code()));
  details.set_message(status.code() == absl::StatusCode::kInternal
                          ? "internal error"
                          : std::string(status.message()));
  if (const auto info = ErrorInfoOf(status)) {
    details.add_details()->PackFrom(*info);
  }
  const Violations violations = Violations::FromStatus(status);
  if (!violations.empty()) {
    details.add_details()->PackFrom(ToBadRequest(violations));
  }
  if (const auto info = RetryInfoOf(status)) {
    details.add_details()->PackFrom(*info);
  }
  return grpc::Status(
      static_cast<grpc::StatusCode>(details.code()), details.message(),
      details.details().empty() ? "" : details.SerializeAsString());
}

}  // namespace reductor
