// One call of ReduceStream. A single thread, the caller's, sends and receives
// whatever is possible next: a server that is not read stops reading, so who
// sends everything first waits for ever.
#ifndef REDUCTOR_CLIENT_STREAM_CALL_H_
#define REDUCTOR_CLIENT_STREAM_CALL_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "client/download.h"
#include "client/upload.h"
#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"
#include "grpcpp/completion_queue.h"
#include "grpcpp/generic/generic_stub.h"
#include "reductor/v1/reductor.pb.h"

namespace reductor {

class StreamCall {
 public:
  // The source and the sink of the two are called within Run() only.
  StreamCall(const std::shared_ptr<grpc::Channel>& channel, Upload& upload,
             Download& download);
  ~StreamCall();

  // Sends the header and, once the server has answered the results' types, the
  // data: a server that refuses the call has not cost an upload, and the source
  // is untouched. Call it once.
  absl::Status Run(const v1::ReduceStreamHeader& header,
                   absl::Time start_deadline, absl::Time deadline);

 private:
  // What was under way has come to its end: a read, or what else there was.
  struct Event {
    bool is_read;
    bool is_done;  // Rather than given up, because the call is over.
  };

  // Sends and receives until the server ends the call, or until what is wrong
  // here, which it answers.
  absl::Status Exchange(absl::Time start_deadline);
  absl::Status Take();
  absl::Status SendNext();
  absl::Status Finish();

  void Send(const grpc::ByteBuffer& message);
  void Receive();
  void* Begin(void* tag = nullptr);
  Event Await(absl::Time deadline);

  Upload& upload_;
  Download& download_;
  grpc::GenericStub stub_;
  grpc::ClientContext context_;
  grpc::CompletionQueue queue_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream_;
  grpc::ByteBuffer message_;
  int under_way_ = 0;
  bool is_sending_ = false;
  bool has_sent_all_ = false;
  bool is_late_ = false;
};

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_STREAM_CALL_H_
