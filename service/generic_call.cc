// gRPC calls OnReadDone() once, then OnDone() of the base.
#include "service/generic_call.h"

#include <utility>

#include "absl/status/statusor.h"
#include "grpcpp/support/byte_buffer.h"
#include "service/status.h"

namespace reductor {
namespace {

class GenericCall final : public ServedCall<grpc::ServerGenericBidiReactor> {
 public:
  GenericCall(grpc::GenericCallbackServerContext* context,
              const MethodHandler& handler, Calls::Ticket ticket)
      : ServedCall(context, context->method(), handler, std::move(ticket)) {
    if (!is_admitted()) {
      FinishWith(DrainingError());
      return;
    }
    StartRead(&request_);
  }

  void OnReadDone(bool ok) override {
    if (!ok) {
      // Or the call was cancelled, or gRPC refused the message; then gRPC has
      // given the call its status, and this one goes nowhere.
      FinishWith(MalformedMessageError("the call has no message"));
      return;
    }
    absl::StatusOr<grpc::ByteBuffer> response = Answer(request_);
    request_.Clear();
    if (!response.ok()) {
      FinishWith(response.status());
      return;
    }
    response_ = *std::move(response);
    StartWriteAndFinish(&response_, grpc::WriteOptions(), grpc::Status::OK);
  }

 private:
  grpc::ByteBuffer request_;
  grpc::ByteBuffer response_;
};

class UnknownMethod final : public grpc::ServerGenericBidiReactor {
 public:
  UnknownMethod() {
    Finish({grpc::StatusCode::UNIMPLEMENTED, "unknown method"});
  }
  void OnDone() override { delete this; }
};

}  // namespace

grpc::ServerGenericBidiReactor* ServeGenericCall(
    grpc::GenericCallbackServerContext* context, const MethodHandler& handler,
    Calls::Ticket ticket) {
  return new GenericCall(context, handler, std::move(ticket));
}

grpc::ServerGenericBidiReactor* RefuseUnknownMethod() {
  return new UnknownMethod;
}

}  // namespace reductor
