// What every call of the service has, whatever gRPC reactor carries it: a place
// among the calls in flight, one answer, one line in the log.
#ifndef REDUCTOR_SERVICE_SERVED_CALL_H_
#define REDUCTOR_SERVICE_SERVED_CALL_H_

#include <exception>
#include <functional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "service/calls.h"
#include "service/request_log.h"
#include "service/status.h"

namespace reductor {

// Computes the bytes of the response from those of the request, and notes for
// the log what it did. May throw: the call then ends with INTERNAL, alone.
using MethodHandler = std::function<absl::StatusOr<grpc::ByteBuffer>(
    const grpc::ByteBuffer& request, RequestLog* log)>;

// Lives until gRPC is done with the call, then deletes itself. `Reactor` is
// gRPC's class of reactor.
template <class Reactor>
class ServedCall : public Reactor {
 public:
  void OnDone() final {
    WriteLine(log_, context_->IsCancelled()
                        ? absl::CancelledError("cancelled before it was done")
                        : status_);
    delete this;
  }

 protected:
  // `handler` and the ticket's Calls outlive the call.
  ServedCall(grpc::CallbackServerContext* context, std::string method,
             const MethodHandler& handler, Calls::Ticket ticket)
      : context_(context), handler_(handler), ticket_(std::move(ticket)) {
    log_.method = std::move(method);
    log_.peer = context_->peer();
    log_.request_id = RequestIdOf(context_->client_metadata());
    log_.trace_id = TraceIdOf(context_->client_metadata());
    if (!log_.request_id.empty()) {
      context_->AddTrailingMetadata("x-request-id", log_.request_id);
    }
    if (is_admitted()) WriteOpening(log_);
  }

  // The handler's answer. The one place that catches: a bug or a failed
  // allocation ends this call, not the server.
  absl::StatusOr<grpc::ByteBuffer> Answer(const grpc::ByteBuffer& request) {
    log_.bytes = static_cast<int64_t>(request.Length());
    try {
      return handler_(request, &log_);
    } catch (const std::exception& e) {
      return InternalError(e.what());
    } catch (...) {
      return InternalError("unknown exception");
    }
  }

  bool is_admitted() const { return static_cast<bool>(ticket_); }

  void FinishWith(absl::Status status) {
    status_ = std::move(status);
    this->Finish(ToGrpcStatus(status_));
  }

 private:
  grpc::CallbackServerContext* const context_;
  const MethodHandler& handler_;
  const Calls::Ticket ticket_;
  absl::Status status_;
  RequestLog log_;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_SERVED_CALL_H_
