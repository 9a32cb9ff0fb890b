// The call's way: read, answer, and again for a stream. While it waits for its
// client, the limit on silence may end it: whoever takes the call out of that
// limit carries it on, alone (see TimeLimit).
#include "service/short_call.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "google/protobuf/io/coded_stream.h"
#include "grpcpp/support/proto_buffer_reader.h"
#include "grpcpp/support/slice.h"
#include "service/served_call.h"

namespace reductor {
namespace {

class ShortCall final : public ServedCall, public TimeLimit::Call {
 public:
  ShortCall(AsyncCall* call, const ShortMethod& method, TimeLimit* silence,
            Calls* calls)
      : ServedCall(call,
                   calls == nullptr ? Calls::Ticket(nullptr) : calls->Admit()),
        method_(method),
        silence_(*silence),
        is_draining_(calls != nullptr && !is_admitted()) {
    log().level = method.log_level;
  }

  void OnOpened() override {
    if (is_draining_) {
      FinishWith(DrainingError());
    } else {
      silence_.Enter(this);
    }
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
    FinishWith(why);
  }

  void OnReadDone(bool ok) override {
    if (!silence_.Leave(this)) return;
    if (ok) {
      Answer();
    } else if (answered_ > 0) {
      FinishWith(absl::OkStatus());
    } else {
      FinishWith(MalformedMessageError("the call has no message"));
    }
  }

  void OnWriteDone(bool ok) override {
    if (!silence_.Leave(this)) return;
    is_answering_ = false;
    if (ok) {
      silence_.Enter(this);
    } else {
      FinishWith(absl::CancelledError("the client takes no more answers"));
    }
  }

 private:
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
      silence_.Enter(this);
    } else {
      StartWriteAndFinish(answer_, grpc::Status::OK);
    }
  }

  const ShortMethod& method_;
  TimeLimit& silence_;
  const bool is_draining_;
  bool is_answering_ = false;
  int64_t answered_ = 0;
  grpc::ByteBuffer message_;
  grpc::ByteBuffer answer_;
};

}  // namespace

AsyncReactor* ServeShortCall(AsyncCall* call, const ShortMethod& method,
                             TimeLimit* silence, Calls* calls) {
  return new ShortCall(call, method, silence, calls);
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
