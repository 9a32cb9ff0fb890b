// The call's way: Open(), then OnAdmitted() or OnRefused(), then OnReadDone()
// or OnTimeUp(), then OnDone() of the base. Each hands the call to the next;
// where two could come, whoever takes the call out of its list comes (see
// TimeLimit). A call that is cancelled while it is answered ends by itself.
//
// The first message is answered: what a client that is not unary sends after it
// goes unread. A second read, to find the end of the stream, took about 30 %
// more CPU of a 96-byte call.
#include "service/generic_call.h"

#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "grpc/grpc.h"
#include "grpcpp/support/byte_buffer.h"
#include "service/declared_size.h"
#include "service/status.h"
#include "service/tensor_call.h"
#include "service/work.h"

namespace reductor {
namespace {

class GenericCall final : public TensorCall {
 public:
  GenericCall(AsyncCall* call, const MethodHandler& handler,
              int64_t max_message_bytes, Admission* admission, Workers* workers,
              Calls::Ticket ticket)
      : TensorCall(call, admission, workers, std::move(ticket)),
        handler_(handler),
        max_message_bytes_(max_message_bytes) {}

  void OnEntered() override {
    if (!is_answering_) StartRead(&request_);
  }

  void OnTimeUp(const absl::Status& why) override { EndWith(why); }

  bool Hasten(const absl::Status& why) override {
    if (!is_answering_) return false;
    CancelFor(why);
    room().Release();
    return true;
  }

  void OnReadDone(bool ok) override {
    if (!Upload().Leave(this)) return;
    if (!ok) {
      // Or the call was cancelled, or gRPC refused the message; then gRPC has
      // given the call its status, and this one goes nowhere.
      NoteWhatGrpcRefused();
      EndWith(MalformedMessageError("the call has no message"));
      return;
    }
    if (static_cast<int64_t>(request_.Length()) > kLongMessageBytes) {
      AwaitTurn();
    } else {
      Respond(/*may_take_long=*/false);
    }
  }

  void OnTurn() override { Respond(/*may_take_long=*/true); }

  void OnEnding() override {
    if (is_answering_) admission().untaken_answers().Leave(this);
  }

 private:
  void Respond(bool may_take_long) {
    absl::StatusOr<std::optional<grpc::ByteBuffer>> response =
        Guard([this, may_take_long] { return Answer(may_take_long); });
    if (response.ok() && !response->has_value()) {
      AwaitTurn();
      return;
    }
    request_.Clear();
    if (!response.ok()) {
      EndWith(response.status());
      return;
    }
    response_ = **std::move(response);
    log().response_bytes = static_cast<int64_t>(response_.Length());
    room().Resize(log().response_bytes);
    is_answering_ = true;
    admission().untaken_answers().Enter(this);
    StartWriteAndFinish(response_, grpc::Status::OK);
  }

  absl::Status Open() override {
    const auto size = DeclaredSize(context().client_metadata());
    if (!size.ok()) return size.status();
    declared_ = *size;
    const int64_t bytes = declared_.value_or(max_message_bytes_);
    if (bytes > max_message_bytes_) {
      return MessageTooLargeError("the declared message", max_message_bytes_,
                                  bytes);
    }
    AskFor(bytes);
    return absl::OkStatus();
  }

  void Begin() override { Upload().Enter(this); }

  absl::StatusOr<std::optional<grpc::ByteBuffer>> Answer(bool may_take_long) {
    const auto bytes = static_cast<int64_t>(request_.Length());
    log().bytes = bytes;
    room().Resize(bytes);
    if (declared_.has_value() && bytes > *declared_) {
      return MessageTooLargeError("the message", *declared_, bytes);
    }
    return handler_(
        request_, may_take_long, [this] { return is_cancelled(); }, &room(),
        &log());
  }

  // If there is a message, and gRPC would not take it; the message of a call
  // whose time is over it does not take either.
  void NoteWhatGrpcRefused() {
    if (grpc_call_failed_before_recv_message(context().c_call())) return;
    if (IsDeadlineOver()) return;
    NoteRefusal(RefusedByGrpcError());
  }

  TimeLimit& Upload() {
    return declared_.has_value() ? admission().declared_uploads()
                                 : admission().undeclared_uploads();
  }

  const MethodHandler& handler_;
  const int64_t max_message_bytes_;
  std::optional<int64_t> declared_;
  bool is_answering_ = false;
  grpc::ByteBuffer request_;
  grpc::ByteBuffer response_;
};

class UnknownMethod final : public ServedCall {
 public:
  explicit UnknownMethod(AsyncCall* call)
      : ServedCall(call, Calls::Ticket(nullptr)) {}

  void OnOpened() override {
    FinishWith(absl::UnimplementedError("unknown method"));
  }
};

}  // namespace

AsyncReactor* ServeGenericCall(AsyncCall* call, const MethodHandler& handler,
                               int64_t max_message_bytes, Admission* admission,
                               Workers* workers, Calls::Ticket ticket) {
  return new GenericCall(call, handler, max_message_bytes, admission, workers,
                         std::move(ticket));
}

AsyncReactor* RefuseUnknownMethod(AsyncCall* call) {
  return new UnknownMethod(call);
}

}  // namespace reductor
