// The sink: what gRPC itself costs. It takes the same calls as reductord over
// raw callback methods, with the same allocator settings, and discards them.
#include <memory>

#include "absl/synchronization/mutex.h"
#include "grpcpp/security/server_credentials.h"
#include "grpcpp/server.h"
#include "grpcpp/server_builder.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "reductor/v1/reductor.grpc.pb.h"
#include "service/allocator.h"
#include "service/process.h"
#include "tests/bench/rpc/serving.h"

namespace reductor::bench {
namespace {

// As long as reductord's answer to ReduceL1 of a whole tensor of float32.
grpc::ByteBuffer Answer() {
  v1::ReduceResponse response;
  v1::Tensor* const result = response.add_results();
  result->set_data_type(v1::DATA_TYPE_FLOAT32);
  result->set_data("\0\0\0\0", 4);
  const grpc::Slice slice(response.SerializeAsString());
  return grpc::ByteBuffer(&slice, 1);
}

class DiscardedStream final
    : public grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
 public:
  explicit DiscardedStream(const grpc::ByteBuffer* answer) : answer_(answer) {
    StartRead(&message_);
  }

  void OnReadDone(bool ok) override {
    message_.Clear();
    if (ok) {
      StartRead(&message_);
    } else {
      StartWriteAndFinish(answer_, grpc::WriteOptions(), grpc::Status::OK);
    }
  }

  void OnDone() override { delete this; }

 private:
  const grpc::ByteBuffer* const answer_;
  grpc::ByteBuffer message_;
};

class Sink final : public v1::ReductionService::WithRawCallbackMethod_Reduce<
                       v1::ReductionService::WithRawCallbackMethod_ReduceStream<
                           v1::ReductionService::Service>> {
  grpc::ServerUnaryReactor* Reduce(grpc::CallbackServerContext* context,
                                   const grpc::ByteBuffer*,
                                   grpc::ByteBuffer* response) override {
    *response = answer_;
    grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }

  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* ReduceStream(
      grpc::CallbackServerContext*) override {
    return new DiscardedStream(&answer_);
  }

  const grpc::ByteBuffer answer_ = Answer();
};

void Main() {
  // As service/main.cc does.
  TuneAllocator(AvailableCpus());
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  Sink sink;
  grpc::ServerBuilder builder;
  int port = 0;
  builder.SetMaxReceiveMessageSize(-1);
  builder.RegisterService(&sink);
  builder.AddListeningPort(kAnyPort, grpc::InsecureServerCredentials(), &port);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  SayAddress(port);
  AwaitEndOfInput();
}

}  // namespace
}  // namespace reductor::bench

int main() { reductor::bench::Main(); }
