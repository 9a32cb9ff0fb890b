// The call's way: wait for a turn, read, answer, and again for a stream. While
// it waits for its client, a limit may end it: whoever takes the call out of
// that limit carries it on, alone (see TimeLimit).
#include "service/short_call.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "grpcpp/support/proto_buffer_reader.h"
#include "grpcpp/support/slice.h"
#include "service/admitted_call.h"

namespace reductor {
namespace {

class ShortCall final : public AdmittedCall {
 public:
  ShortCall(AsyncCall* call, const ShortMethod& method, Turns* turns,
            Calls::Ticket ticket)
      : AdmittedCall(call, &turns->to_read(), std::move(ticket)),
        method_(method),
        turns_(*turns) {
    log().level = method.log_level;
  }

  void OnEntered() override {
    if (!is_answering_) {
      StartRead(&message_);
    } else if (method_.is_stream) {
      StartWrite(answer_);
    } else {
      StartWriteAndFinish(answer_, grpc::Status::OK);
    }
  }

  bool Hasten(const absl::Status& why) override {
    if (!is_answering_ || method_.is_stream) return false;
    CancelFor(why);
    return true;
  }

  void OnTimeUp(const absl::Status& why) override {
    // A client that takes no answers would not take this one's status.
    if (is_answering_) CancelFor(why);
    EndWith(why);
  }

  void OnReadDone(bool ok) override {
    if (!admission().silent_streams().Leave(this)) return;
    room().Release();
    if (ok) {
      Answer();
    } else if (has_answered_) {
      FinishWith(absl::OkStatus());
    } else {
      FinishWith(MalformedMessageError("the call has no message"));
    }
  }

  void OnWriteDone(bool ok) override {
    if (!turns_.LeaveAnswer(this)) return;
    is_answering_ = false;
    if (ok) {
      AskFor(Turns::kTurn);
    } else {
      FinishWith(absl::CancelledError("the client takes no more answers"));
    }
  }

  void OnEnding() override {
    if (is_answering_) turns_.LeaveAnswer(this);
  }

 private:
  absl::Status Open() override {
    AskFor(Turns::kTurn);
    return absl::OkStatus();
  }

  void Begin() override { admission().silent_streams().Enter(this); }

  void Answer() {
    log().bytes += static_cast<int64_t>(message_.Length());
    auto answer = Guard([this] { return method_.answer(message_); });
    message_.Clear();
    if (!answer.ok()) {
      FinishWith(answer.status());
      return;
    }
    has_answered_ = true;
    answer_ = *std::move(answer);
    log().response_bytes += static_cast<int64_t>(answer_.Length());
    is_answering_ = true;
    turns_.EnterAnswer(this);
  }

  const ShortMethod& method_;
  Turns& turns_;
  bool is_answering_ = false;
  bool has_answered_ = false;
  grpc::ByteBuffer message_;
  grpc::ByteBuffer answer_;
};

}  // namespace

AsyncReactor* ServeShortCall(AsyncCall* call, const ShortMethod& method,
                             Turns* turns, Calls::Ticket ticket) {
  return new ShortCall(call, method, turns, std::move(ticket));
}

absl::Status Parse(const grpc::ByteBuffer& bytes,
                   google::protobuf::MessageLite* message) {
  const auto length = static_cast<int64_t>(bytes.Length());
  if (length > kMaxShortMessageBytes) {
    return MessageTooLargeError("the message", kMaxShortMessageBytes, length);
  }
  grpc::ByteBuffer shared = bytes;
  grpc::ProtoBufferReader reader(&shared);
  if (reader.status().ok() && message->ParseFromZeroCopyStream(&reader)) {
    return absl::OkStatus();
  }
  return MalformedMessageError(
      absl::StrCat("the bytes are not a ", message->GetTypeName()));
}

grpc::ByteBuffer Serialize(const google::protobuf::MessageLite& message) {
  const grpc::Slice bytes(message.SerializeAsString());
  return grpc::ByteBuffer(&bytes, 1);
}

}  // namespace reductor
