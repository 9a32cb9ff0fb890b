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

// The most messages that are read at once: gRPC would buffer all of them whole,
// however long they are. 32 clients of 64 MiB took 950 MiB of a server with a
// budget of 512.
constexpr int64_t kTurnsAtOnce = 4;

// While others wait, a client that is silent for ten times this ends.
constexpr absl::Duration kGrace = absl::Milliseconds(3);

class ShortCall final : public AdmittedCall {
 public:
  ShortCall(AsyncCall* call, const ShortMethod& method, Admission* turns,
            Calls::Ticket ticket)
      : AdmittedCall(call, turns, std::move(ticket)), method_(method) {
    log().level = method.log_level;
  }

  void OnEntered() override {
    if (is_answering_) {
      StartWrite(answer_);
    } else {
      StartRead(&message_);
    }
  }

  void OnTimeUp(const absl::Status& why) override {
    // A client that takes no answers would not take this one's status.
    if (is_answering_) context().TryCancel();
    EndWith(why);
  }

  void OnReadDone(bool ok) override {
    if (!admission().silent_streams().Leave(this)) return;
    room().Release();
    if (ok) {
      Answer();
    } else if (answered_ > 0) {
      FinishWith(absl::OkStatus());
    } else {
      FinishWith(MalformedMessageError("the call has no message"));
    }
  }

  void OnWriteDone(bool ok) override {
    if (!admission().untaken_answers().Leave(this)) return;
    is_answering_ = false;
    if (ok) {
      AskFor(kTurn);
    } else {
      FinishWith(absl::CancelledError("the client takes no more answers"));
    }
  }

 private:
  absl::Status Open() override {
    AskFor(kTurn);
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
    ++answered_;
    answer_ = *std::move(answer);
    if (method_.is_stream) {
      is_answering_ = true;
      admission().untaken_answers().Enter(this);
    } else {
      StartWriteAndFinish(answer_, grpc::Status::OK);
    }
  }

  const ShortMethod& method_;
  bool is_answering_ = false;
  int64_t answered_ = 0;
  grpc::ByteBuffer message_;
  grpc::ByteBuffer answer_;
};

}  // namespace

Admission::Limits TurnsToRead(absl::Duration idle_timeout) {
  return {.budget_bytes = kTurnsAtOnce * kTurn,
          .wait = idle_timeout,
          .upload_grace = kGrace,
          .upload_timeout = idle_timeout,
          .idle_timeout = idle_timeout,
          .newest_first = true};
}

AsyncReactor* ServeShortCall(AsyncCall* call, const ShortMethod& method,
                             Admission* turns, Calls::Ticket ticket) {
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
