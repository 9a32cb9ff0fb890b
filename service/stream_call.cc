// The call's way: Open(), OnAdmitted() or OnRefused(); then read, answer what
// became final, read again, until the client has sent its last message. While
// it waits for the client, the limit on silence may end it: whoever takes the
// call out of that list carries it on, alone (see TimeLimit).
#include "service/stream_call.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "grpcpp/support/byte_buffer.h"
#include "service/served_call.h"
#include "service/status.h"
#include "service/streamed_reduction.h"

namespace reductor {
namespace {

class StreamCall final
    : public ServedCall<AsyncReactor, grpc::GenericServerContext>,
      public Admission::Waiter,
      public TimeLimit::Call {
 public:
  StreamCall(AsyncCall* call, int64_t max_message_bytes,
             int64_t max_output_bytes, Admission* admission, Workers* workers,
             Calls::Ticket ticket)
      : ServedCall(&call->context(), call->context().method(),
                   std::move(ticket), call),
        admission_(admission),
        workers_(workers),
        message_bytes_(std::min(max_message_bytes, kStreamMessageBytes)),
        reduction_(max_output_bytes, &room_, &log()) {}

  void OnOpened() override {
    const absl::Status opened = Open();
    if (!opened.ok()) FinishWith(opened);
  }

  void OnAdmitted(Admission::Ticket room) override {
    room_ = std::move(room);
    WriteOpening(log());
    AwaitClient(Awaited::kMessage);
  }

  void OnRefused(const absl::Status& why) override { FinishWith(why); }

  void OnEntered() override {
    if (awaited_ == Awaited::kMessage) {
      StartRead(&message_);
    } else {
      StartWrite(answer_);
    }
  }

  void OnTimeUp(const absl::Status& why) override {
    // A client that takes no answers would not take this one's status.
    if (awaited_ == Awaited::kAnswerTaken) context().TryCancel();
    End(why);
  }

  bool Hasten(const absl::Status&) override { return false; }

  void OnReadDone(bool ok) override {
    if (!admission_->silent_streams().Leave(this)) return;
    if (!ok) {
      End(reduction_.End());
      return;
    }
    const auto bytes = static_cast<int64_t>(message_.Length());
    const auto results = static_cast<int64_t>(reduction_.results());
    is_long_ = bytes > kLongMessageBytes || bytes * results > kLongWorkBytes;
    GoOn([this] { Take(); });
  }

  void OnWriteDone(bool ok) override {
    if (!admission_->silent_streams().Leave(this)) return;
    if (ok) {
      GoOn([this] { Answer(); });
    } else {
      End(absl::CancelledError("the client takes no more answers"));
    }
  }

  void OnCancel() override {
    if (admission_->Withdraw(this)) {
      FinishWith(absl::CancelledError("cancelled before there was room"));
    }
  }

 private:
  enum class Awaited { kMessage, kAnswerTaken };

  absl::Status Open() {
    if (!is_admitted()) return DrainingError();
    if (2 * message_bytes_ > admission_->budget_bytes()) {
      return MessageTooLargeError("a stream", admission_->budget_bytes(),
                                  2 * message_bytes_);
    }
    Admission::Ticket room = admission_->Admit(2 * message_bytes_, this);
    if (room) OnAdmitted(std::move(room));
    return absl::OkStatus();
  }

  void AwaitClient(Awaited awaited) {
    awaited_ = awaited;
    admission_->silent_streams().Enter(this);
  }

  // Does what is next about the message that came.
  template <class Step>
  void GoOn(Step step) {
    if (is_long_) {
      workers_->Run(std::move(step));
    } else {
      step();
    }
  }

  void Take() {
    const absl::Status taken = Guard([this] { return TakeMessage(); });
    if (taken.ok()) {
      Answer();
    } else {
      End(taken);
    }
  }

  absl::Status TakeMessage() {
    const auto bytes = static_cast<int64_t>(message_.Length());
    log().bytes += bytes;
    const int64_t excess = std::max<int64_t>(bytes - message_bytes_, 0);
    room_.Resize(room_.bytes() - excess_bytes_ + excess);
    excess_bytes_ = excess;
    const absl::Status taken = reduction_.Take(message_);
    message_.Clear();
    return taken;
  }

  // Sends the next answer, or reads the next message where there is none.
  void Answer() {
    auto answer = Guard([this] {
      return reduction_.NextAnswer([this] { return is_cancelled(); });
    });
    if (!answer.ok()) {
      End(answer.status());
    } else if (!answer->has_value()) {
      AwaitClient(Awaited::kMessage);
    } else {
      answer_ = **std::move(answer);
      AwaitClient(Awaited::kAnswerTaken);
    }
  }

  void End(const absl::Status& status) {
    room_.Release();
    FinishWith(status);
  }

  Admission* const admission_;
  Workers* const workers_;
  const int64_t message_bytes_;
  Admission::Ticket room_;
  int64_t excess_bytes_ = 0;  // Of the last message, above message_bytes_.
  StreamedReduction reduction_;
  Awaited awaited_ = Awaited::kMessage;
  bool is_long_ = false;  // The message that came last.
  grpc::ByteBuffer message_;
  grpc::ByteBuffer answer_;
};

}  // namespace

AsyncReactor* ServeStreamCall(AsyncCall* call, int64_t max_message_bytes,
                              int64_t max_output_bytes, Admission* admission,
                              Workers* workers, Calls::Ticket ticket) {
  return new StreamCall(call, max_message_bytes, max_output_bytes, admission,
                        workers, std::move(ticket));
}

}  // namespace reductor
