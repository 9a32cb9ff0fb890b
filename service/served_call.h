// What every call of the service has, whatever gRPC reactor carries it: a place
// among the calls in flight, one end, one line in the log.
#ifndef REDUCTOR_SERVICE_SERVED_CALL_H_
#define REDUCTOR_SERVICE_SERVED_CALL_H_

#include <cstdint>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "service/calls.h"
#include "service/request_log.h"
#include "service/status.h"

namespace reductor {

// Lives until gRPC is done with the call, then deletes itself. `Context` is
// what `Reactor` knows of its call.
template <class Reactor, class Context>
class ServedCall : public Reactor {
 public:
  void OnDone() final {
    OnEnding();
    WriteLine(log_, Outcome());
    delete this;
  }

 protected:
  // The ticket's Calls outlives the call; `reactor` is for the base.
  template <class... Arguments>
  ServedCall(Context* context, std::string method, Calls::Ticket ticket,
             Arguments... reactor)
      : Reactor(reactor...), context_(context), ticket_(std::move(ticket)) {
    log_.method = std::move(method);
    log_.peer = context_->peer();
    log_.request_id = RequestIdOf(context_->client_metadata());
    log_.trace_id = TraceIdOf(context_->client_metadata());
    if (!log_.request_id.empty()) {
      context_->AddTrailingMetadata("x-request-id", log_.request_id);
    }
  }

  // The last that the call hears.
  virtual void OnEnding() {}

  // False: the server drains, and the call ends with DrainingError().
  bool is_admitted() const { return static_cast<bool>(ticket_); }

  // Whether nobody waits for the answer any more.
  bool is_cancelled() const { return context_->IsCancelled(); }

  Context& context() { return *context_; }
  RequestLog& log() { return log_; }

  // What `answer()` answers. The one place that catches: a bug or a failed
  // allocation ends this call, not the server.
  template <class Function>
  std::invoke_result_t<Function> Guard(const Function& answer) {
    try {
      return answer();
    } catch (const std::exception& e) {
      return InternalError(e.what());
    } catch (...) {
      return InternalError("unknown exception");
    }
  }

  // Notes for the log why a cancelled call was: in place of the status that it
  // is finished with.
  void NoteRefusal(absl::Status refusal) { refusal_ = std::move(refusal); }

  // Ends the call, once.
  void FinishWith(absl::Status status) {
    status_ = std::move(status);
    if (const auto delay = RetryDelayOf(status_)) {
      context_->AddTrailingMetadata(
          "grpc-retry-pushback-ms",
          std::to_string(absl::ToInt64Milliseconds(*delay)));
    }
    this->Finish(ToGrpcStatus(status_));
  }

 private:
  // As far as the server can know: gRPC does not say why it ended a call.
  absl::Status Outcome() const {
    if (!context_->IsCancelled()) return status_;
    if (!refusal_.ok()) return refusal_;
    if (IsDeadlineOver()) {
      return absl::DeadlineExceededError("the deadline passed");
    }
    return absl::CancelledError("cancelled before it was done");
  }

  // The caller, whose deadline it is, gives up a little before the server
  // would: its way here takes time, and gRPC rounds up by a part of a hundred.
  bool IsDeadlineOver() const {
    const absl::Time now = absl::Now();
    const absl::Duration slack = absl::Milliseconds(5) + (now - opened_) / 50;
    return absl::FromChrono(context_->deadline()) <= now + slack;
  }

  Context* const context_;
  const Calls::Ticket ticket_;
  const absl::Time opened_ = absl::Now();
  absl::Status status_;
  absl::Status refusal_;
  RequestLog log_;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_SERVED_CALL_H_
