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
#include "service/pace.h"
#include "service/status.h"
#include "service/streamed_reduction.h"
#include "service/tensor_call.h"

namespace reductor {
namespace {

class StreamCall final : public TensorCall {
 public:
  StreamCall(AsyncCall* call, int64_t max_message_bytes,
             int64_t max_output_bytes, Admission* admission, Workers* workers,
             Calls::Ticket ticket)
      : TensorCall(call, admission, workers, std::move(ticket)),
        message_bytes_(std::min({max_message_bytes, kStreamMessageBytes,
                                 admission->budget_bytes() / 2})),
        reduction_(std::in_place, max_output_bytes, &room(), &log()),
        pace_(2 * message_bytes_) {}

  void OnEntered() override {
    if (awaited_ == Awaited::kMessage) {
      is_reading_ = true;
      StartRead(&message_);
    } else {
      StartWrite(answer_);
    }
  }

  void OnTimeUp(const absl::Status& why) override {
    // A client that takes no answers would not take this one's status.
    if (awaited_ == Awaited::kAnswerTaken) CancelFor(why);
    EndWith(why);
  }

  void OnReadDone(bool ok) override {
    if (!admission().silent_streams().Leave(this)) return;
    is_reading_ = false;
    if (!ok) {
      EndWith(reduction_->End());
      return;
    }
    const auto bytes = static_cast<int64_t>(message_.Length());
    if (!MayGoOn(bytes)) return;
    is_long_ = reduction_->MayTakeLong(bytes);
    GoOn(&StreamCall::Take);
  }

  void OnWriteDone(bool ok) override {
    if (!admission().silent_streams().Leave(this)) return;
    if (!ok) {
      EndWith(absl::CancelledError("the client takes no more answers"));
      return;
    }
    if (!MayGoOn(static_cast<int64_t>(answer_.Length()))) return;
    GoOn(&StreamCall::Answer);
  }

  void OnTurn() override { (this->*step_)(); }

 private:
  enum class Awaited { kMessage, kAnswerTaken };

  absl::Status Open() override {
    AskFor(2 * message_bytes_);
    return absl::OkStatus();
  }

  // The client may take its time to hear of the end.
  void Forget() override {
    reduction_.reset();
    answer_.Clear();
    if (!is_reading_) message_.Clear();
  }

  void Begin() override { AwaitClient(Awaited::kMessage); }

  void AwaitClient(Awaited awaited) {
    awaited_ = awaited;
    admission().silent_streams().Enter(this);
  }

  // The client has moved `bytes`. False if it has lost its room to those who
  // wait; then the call ends.
  bool MayGoOn(int64_t bytes) {
    pace_.Note(admission().now() - entered(), bytes);
    const absl::Status verdict = admission().MayGoOn(pace_);
    if (!verdict.ok()) EndWith(verdict);
    return verdict.ok();
  }

  using Step = void (StreamCall::*)();

  // Does what is next about the message that came.
  void GoOn(Step step) {
    if (is_long_) {
      step_ = step;
      AwaitTurn();
    } else {
      (this->*step)();
    }
  }

  void Take() {
    const absl::Status taken = Guard([this] { return TakeMessage(); });
    if (taken.ok()) {
      Answer();
    } else {
      EndWith(taken);
    }
  }

  absl::Status TakeMessage() {
    const auto bytes = static_cast<int64_t>(message_.Length());
    log().bytes += bytes;
    const int64_t excess = std::max<int64_t>(bytes - message_bytes_, 0);
    room().Resize(room().bytes() - excess_bytes_ + excess);
    excess_bytes_ = excess;
    const absl::Status taken = reduction_->Take(message_);
    message_.Clear();
    return taken;
  }

  // Sends the next answer, or reads the next message where there is none.
  void Answer() {
    auto answer = Guard([this] {
      return reduction_->NextAnswer([this] { return is_cancelled(); });
    });
    if (!answer.ok()) {
      EndWith(answer.status());
    } else if (!answer->has_value()) {
      AwaitClient(Awaited::kMessage);
    } else {
      answer_ = **std::move(answer);
      log().response_bytes += static_cast<int64_t>(answer_.Length());
      AwaitClient(Awaited::kAnswerTaken);
    }
  }

  const int64_t message_bytes_;
  int64_t excess_bytes_ = 0;  // Of the last message, above message_bytes_.
  std::optional<StreamedReduction> reduction_;  // Until the end.
  Pace pace_;
  Awaited awaited_ = Awaited::kMessage;
  bool is_reading_ = false;  // message_ is gRPC's.
  bool is_long_ = false;     // The message that came last.
  Step step_ = nullptr;      // For when its turn comes.
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
