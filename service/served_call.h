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
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "service/calls.h"
#include "service/request_log.h"
#include "service/status.h"

namespace reductor {

// Lives until gRPC is done with the call, then deletes itself. `Reactor` is
// gRPC's class of reactor.
template <class Reactor>
class ServedCall : public Reactor {
 public:
  void OnDone() final {
    WriteLine(log_, Outcome());
    delete this;
  }

 protected:
  // The ticket's Calls outlives the call.
  ServedCall(grpc::CallbackServerContext* context, std::string method,
             Calls::Ticket ticket)
      : context_(context), ticket_(std::move(ticket)) {
    log_.method = std::move(method);
    log_.peer = context_->peer();
    log_.request_id = RequestIdOf(context_->client_metadata());
    log_.trace_id = TraceIdOf(context_->client_metadata());
    if (!log_.request_id.empty()) {
      context_->AddTrailingMetadata("x-request-id", log_.request_id);
    }
  }

  // False: the server drains, and the call ends with DrainingError().
  bool is_admitted() const { return static_cast<bool>(ticket_); }

  // Whether nobody waits for the answer any more.
  bool is_cancelled() const { return context_->IsCancelled(); }

  grpc::CallbackServerContext& context() { return *context_; }
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
  // As far as the server can know: gRPC does not say how it ended a call.
  absl::Status Outcome() const {
    if (!context_->IsCancelled()) return status_;
    if (context_->deadline() <= std::chrono::system_clock::now()) {
      return absl::DeadlineExceededError("the deadline passed");
    }
    return absl::CancelledError("cancelled before it was done");
  }

  grpc::CallbackServerContext* const context_;
  const Calls::Ticket ticket_;
  absl::Status status_;
  RequestLog log_;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_SERVED_CALL_H_
