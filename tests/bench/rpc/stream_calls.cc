// Over a completion queue: by the callback API, whose own threads poll, the
// same client sends at 4.2 GB/s in place of 5.2, TCP alone at 5.7.
#include "tests/bench/rpc/stream_calls.h"

#include <string>

#include "absl/status/status.h"
#include "grpcpp/client_context.h"
#include "grpcpp/completion_queue.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/support/byte_buffer.h"
#include "tests/bench/rpc/requests.h"

namespace reductor::bench {
namespace {

// One operation at a time.
class Stream {
 public:
  explicit Stream(grpc::GenericStub* stub)
      : call_(stub->PrepareCall(&context_, kReduceStream, &queue_)) {
    call_->StartCall(nullptr);
    Await();
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { queue_.Shutdown(); }

  // With a hint that more is to come: then gRPC asks for it before all of this
  // has left. False once the server takes no more.
  bool Write(const grpc::ByteBuffer& message, bool is_last) {
    grpc::WriteOptions options;
    if (is_last) {
      options.set_last_message();
    } else {
      options.set_buffer_hint();
    }
    call_->Write(message, options, nullptr);
    return Await();
  }

  // Reads all answers.
  grpc::Status Finish() {
    grpc::ByteBuffer answer;
    do {
      call_->Read(&answer, nullptr);
    } while (Await());
    grpc::Status status;
    call_->Finish(&status, nullptr);
    Await();
    return status;
  }

 private:
  bool Await() {
    void* tag;
    bool is_done = false;
    queue_.Next(&tag, &is_done);
    return is_done;
  }

  grpc::ClientContext context_;
  grpc::CompletionQueue queue_;
  const std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call_;
};

}  // namespace

absl::StatusOr<Batch> RunStreamCalls(
    const Command& command, const std::shared_ptr<grpc::Channel>& channel) {
  const std::string header = StreamHeaderBytes(command.bytes);
  const std::string piece = StreamPieceBytes(kPieceBytes);
  grpc::GenericStub stub(channel);
  Batch batch;
  const Clock::time_point start = Clock::now();
  do {
    Stream stream(&stub);
    bool is_open = stream.Write(Refer(header), /*is_last=*/false);
    for (int64_t left = command.bytes; is_open && left > 0;) {
      left -= kPieceBytes;
      is_open = stream.Write(Refer(piece), left == 0);
    }
    const grpc::Status status = stream.Finish();
    if (!status.ok()) {
      return absl::Status(static_cast<absl::StatusCode>(status.error_code()),
                          status.error_message());
    }
    ++batch.calls;
    batch.time = Clock::now() - start;
  } while (std::chrono::duration<double>(batch.time).count() < command.seconds);
  return batch;
}

}  // namespace reductor::bench
