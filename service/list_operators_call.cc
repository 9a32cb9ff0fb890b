// A method of gRPC's blocking API: it needs no room, is rarely called, and has
// no part in polling.
#include "service/list_operators_call.h"

#include <utility>

#include "service/codec.h"
#include "service/served_call.h"
#include "service/status.h"

namespace reductor {
namespace {

// What a reactor is to the other calls. It ends when its function returns.
class BlockingCall {
 public:
  virtual ~BlockingCall() = default;
  virtual void OnDone() = 0;

 protected:
  void Finish(grpc::Status status) { end_ = std::move(status); }
  const grpc::Status& end() const { return end_; }

 private:
  grpc::Status end_;
};

class ListOperatorsCall final
    : public ServedCall<BlockingCall, grpc::ServerContext> {
 public:
  ListOperatorsCall(grpc::ServerContext* context, Calls::Ticket ticket)
      : ServedCall(context, "/reductor.v1.ReductionService/ListOperators",
                   std::move(ticket)) {}

  grpc::Status Answer(ListOperatorsStream* stream) {
    FinishWith(is_admitted() ? Guard([&] { return Write(stream); })
                             : DrainingError());
    return end();
  }

 private:
  absl::Status Write(ListOperatorsStream* stream) {
    v1::ListOperatorsRequest request;
    if (!stream->Read(&request)) {
      return MalformedMessageError(
          "the bytes are not a reductor.v1.ListOperatorsRequest");
    }
    log().bytes = static_cast<int64_t>(request.ByteSizeLong());
    stream->Write(ListOperators());
    return absl::OkStatus();
  }
};

}  // namespace

grpc::Status ServeListOperators(grpc::ServerContext* context,
                                ListOperatorsStream* stream,
                                Calls::Ticket ticket) {
  auto* const call = new ListOperatorsCall(context, std::move(ticket));
  grpc::Status status = call->Answer(stream);
  call->OnDone();
  return status;
}

}  // namespace reductor
