#include "tests/bench/rpc/stream_calls.h"

#include <string>

#include "absl/status/status.h"
#include "absl/synchronization/notification.h"
#include "grpcpp/client_context.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/client_callback.h"
#include "tests/bench/rpc/requests.h"

namespace reductor::bench {
namespace {

// Writes the header and the pieces, reads whatever comes.
class Stream final
    : public grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
 public:
  Stream(grpc::GenericStub* stub, const std::string& header,
         const std::string& piece, int64_t pieces)
      : header_(Refer(header)), piece_(Refer(piece)), pieces_(pieces) {
    stub->PrepareBidiStreamingCall(&context_, kReduceStream, {}, this);
    StartRead(&response_);
    StartWrite(&header_);
    StartCall();
  }

  grpc::Status Await() {
    done_.WaitForNotification();
    return status_;
  }

  void OnWriteDone(bool ok) override {
    if (!ok || pieces_ == 0) return;
    if (--pieces_ == 0) {
      StartWriteLast(&piece_, grpc::WriteOptions());
    } else {
      StartWrite(&piece_);
    }
  }

  void OnReadDone(bool ok) override {
    if (ok) StartRead(&response_);
  }

  void OnDone(const grpc::Status& status) override {
    status_ = status;
    done_.Notify();
  }

 private:
  const grpc::ByteBuffer header_;
  const grpc::ByteBuffer piece_;
  int64_t pieces_;
  grpc::ClientContext context_;
  grpc::ByteBuffer response_;
  grpc::Status status_;
  absl::Notification done_;
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
    Stream stream(&stub, header, piece, command.bytes / kPieceBytes);
    const grpc::Status status = stream.Await();
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
