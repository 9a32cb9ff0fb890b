#include "client/stream_call.h"

#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "client/errors.h"
#include "grpcpp/impl/codegen/proto_utils.h"

namespace reductor {
namespace {

constexpr char kMethod[] = "/reductor.v1.ReductionService/ReduceStream";

template <class Message>
grpc::ByteBuffer Serialize(const Message& message) {
  grpc::ByteBuffer bytes;
  bool own_buffer;
  grpc::SerializationTraits<Message>::Serialize(message, &bytes, &own_buffer);
  return bytes;
}

}  // namespace

StreamCall::StreamCall(const std::shared_ptr<grpc::Channel>& channel,
                       Upload& upload, Download& download)
    : upload_(upload), download_(download), stub_(channel) {}

StreamCall::~StreamCall() {
  queue_.Shutdown();
  void* tag;
  bool is_done;
  while (queue_.Next(&tag, &is_done)) {
  }
}

absl::Status StreamCall::Run(const v1::ReduceStreamHeader& header,
                             absl::Time start_deadline, absl::Time deadline) {
  context_.set_deadline(absl::ToChronoTime(deadline));
  stream_ = stub_.PrepareCall(&context_, kMethod, &queue_);
  stream_->StartCall(Begin());
  absl::Status mistake;
  if (Await(start_deadline).is_done) {
    v1::ReduceStreamRequest request;
    *request.mutable_header() = header;
    Send(Serialize(request));
    Receive();
    mistake = Exchange(start_deadline);
  }
  if (!mistake.ok()) context_.TryCancel();
  const absl::Status status = Finish();
  if (!mistake.ok()) return mistake;
  if (is_late_) {
    return absl::DeadlineExceededError("the server did not take the call");
  }
  if (!status.ok()) return status;
  return download_.CheckComplete();
}

absl::Status StreamCall::Exchange(absl::Time start_deadline) {
  while (true) {
    const Event event =
        Await(download_.has_types() ? absl::InfiniteFuture() : start_deadline);
    if (event.is_read) {
      if (!event.is_done) return absl::OkStatus();
      const absl::Status status = Take();
      if (!status.ok()) return status;
      Receive();
    } else {
      // What cannot be sent any more is known to the server's answer.
      is_sending_ = !event.is_done;
    }
    if (!download_.has_types() || is_sending_) continue;
    const absl::Status status = SendNext();
    if (!status.ok()) return status;
  }
}

absl::Status StreamCall::Take() {
  v1::ReduceStreamResponse response;
  const grpc::Status status =
      grpc::SerializationTraits<v1::ReduceStreamResponse>::Deserialize(
          &message_, &response);
  if (!status.ok()) {
    return absl::InternalError("the server answered bytes that are no message");
  }
  return download_.Take(response);
}

absl::Status StreamCall::SendNext() {
  if (has_sent_all_) return absl::OkStatus();
  if (upload_.is_done()) {
    has_sent_all_ = true;
    is_sending_ = true;
    stream_->WritesDone(Begin());
    return absl::OkStatus();
  }
  const absl::StatusOr<absl::Cord> piece = upload_.Next();
  if (!piece.ok()) return piece.status();
  Send(PieceMessage(*piece));
  return absl::OkStatus();
}

// The server's status, once nothing is under way any more.
absl::Status StreamCall::Finish() {
  grpc::Status status;
  stream_->Finish(&status, Begin());
  while (under_way_ > 0) Await(absl::InfiniteFuture());
  return FromGrpc(status);
}

void StreamCall::Send(const grpc::ByteBuffer& message) {
  is_sending_ = true;
  stream_->Write(message, Begin());
}

void StreamCall::Receive() { stream_->Read(&message_, Begin(&message_)); }

// The tag of an operation: reads have one, of the rest there is one at a time.
void* StreamCall::Begin(void* tag) {
  ++under_way_;
  return tag;
}

// The next of the operations to end; those that last beyond the deadline are
// given up then.
StreamCall::Event StreamCall::Await(absl::Time deadline) {
  void* tag = nullptr;
  bool is_done = false;
  if (queue_.AsyncNext(&tag, &is_done, absl::ToChronoTime(deadline)) ==
      grpc::CompletionQueue::TIMEOUT) {
    is_late_ = true;
    context_.TryCancel();
    queue_.Next(&tag, &is_done);
  }
  --under_way_;
  return {tag == &message_, is_done};
}

}  // namespace reductor
