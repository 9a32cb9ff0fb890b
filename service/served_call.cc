#include "service/served_call.h"

#include <string>
#include <utility>

#include "absl/time/clock.h"

namespace reductor {
namespace {

// Of a stranger's method, enough to recognise it; those that are served are
// shorter.
constexpr size_t kMostMethodBytes = 128;

}  // namespace

ServedCall::ServedCall(AsyncCall* call, Calls::Ticket ticket)
    : AsyncReactor(call),
      context_(call->context()),
      ticket_(std::move(ticket)) {
  log_.method = context_.method().substr(0, kMostMethodBytes);
  log_.peer = context_.peer();
  log_.request_id = RequestIdOf(context_.client_metadata());
  log_.trace_id = TraceIdOf(context_.client_metadata());
  if (!log_.request_id.empty()) {
    context_.AddTrailingMetadata("x-request-id", log_.request_id);
  }
}

void ServedCall::OnDone() {
  OnEnding();
  log_.duration = MonotonicNow() - opened_;
  WriteLine(log_, Outcome());
  delete this;
}

void ServedCall::FinishWith(const absl::Status& status) {
  status_ = status;
  if (const auto delay = RetryDelayOf(status_)) {
    context_.AddTrailingMetadata(
        "grpc-retry-pushback-ms",
        std::to_string(absl::ToInt64Milliseconds(*delay)));
  }
  Finish(ToGrpcStatus(status_));
}

// As far as the server can know: gRPC does not say why it ended a call.
absl::Status ServedCall::Outcome() const {
  if (!context_.IsCancelled()) return status_;
  if (!refusal_.ok()) return refusal_;
  if (IsDeadlineOver()) {
    return absl::DeadlineExceededError("the deadline passed");
  }
  return absl::CancelledError("cancelled before it was done");
}

// The caller, whose deadline it is, gives up a little before the server would:
// its way here takes time, and gRPC rounds up by a part of a hundred.
bool ServedCall::IsDeadlineOver() const {
  const absl::Duration slack =
      absl::Milliseconds(5) + (MonotonicNow() - opened_) / 50;
  return absl::FromChrono(context_.deadline()) <= absl::Now() + slack;
}

}  // namespace reductor
