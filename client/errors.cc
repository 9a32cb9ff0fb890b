#include "client/errors.h"

#include "absl/strings/cord.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace reductor {
namespace {

// The detail of that type; absent where there is none or it cannot be read.
template <class Message>
std::optional<Message> FindDetail(const absl::Status& status) {
  Message message;
  const auto payload = status.GetPayload("type.googleapis.com/" +
                                         Message::descriptor()->full_name());
  if (!payload.has_value()) return std::nullopt;
  if (!message.ParseFromString(std::string(*payload))) return std::nullopt;
  return message;
}

// The same; the default one where there is none.
template <class Message>
Message DetailOf(const absl::Status& status) {
  return FindDetail<Message>(status).value_or(Message());
}

}  // namespace

absl::Status FromGrpc(const grpc::Status& status) {
  absl::Status result(static_cast<absl::StatusCode>(status.error_code()),
                      status.error_message());
  google::rpc::Status details;
  if (!details.ParseFromString(status.error_details())) return result;
  for (const google::protobuf::Any& detail : details.details()) {
    result.SetPayload(detail.type_url(), absl::Cord(detail.value()));
  }
  return result;
}

std::vector<FieldViolation> ViolationsOf(const absl::Status& status) {
  std::vector<FieldViolation> violations;
  const auto bad_request = DetailOf<google::rpc::BadRequest>(status);
  for (const auto& violation : bad_request.field_violations()) {
    violations.push_back(
        {violation.field(), violation.reason(), violation.description()});
  }
  return violations;
}

std::string ReasonOf(const absl::Status& status) {
  return DetailOf<google::rpc::ErrorInfo>(status).reason();
}

std::optional<absl::Duration> RetryDelayOf(const absl::Status& status) {
  const auto info = FindDetail<google::rpc::RetryInfo>(status);
  if (!info.has_value()) return std::nullopt;
  return absl::Seconds(info->retry_delay().seconds()) +
         absl::Nanoseconds(info->retry_delay().nanos());
}

}  // namespace reductor
