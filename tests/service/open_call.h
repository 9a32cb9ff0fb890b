// A call taken step by step: open, send, receive, end. Each step waits until it
// is done.
#ifndef REDUCTOR_TESTS_SERVICE_OPEN_CALL_H_
#define REDUCTOR_TESTS_SERVICE_OPEN_CALL_H_

#include <map>
#include <memory>
#include <string>

#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/grpcpp.h"
#include "tests/service/wire_bytes.h"

namespace reductor {

class OpenCall {
 public:
  using Metadata = std::map<std::string, std::string>;

  OpenCall(const std::shared_ptr<grpc::Channel>& channel,
           const std::string& method, const Metadata& metadata = {})
      : call_(grpc::GenericStub(channel).PrepareCall(ContextWith(metadata),
                                                     method, &events_)) {
    call_->StartCall(nullptr);
    Await();
  }

  bool Write(const std::string& bytes) {
    call_->Write(ToByteBuffer(bytes), nullptr);
    return Await();
  }

  // The only message, as a unary call sends it: together with the end.
  void WriteLast(const std::string& bytes) {
    call_->WriteLast(ToByteBuffer(bytes), {}, nullptr);
    Await();
  }

  void WritesDone() {
    call_->WritesDone(nullptr);
    Await();
  }

  // Returns true when the server has begun to answer.
  bool AwaitHeaders() {
    call_->ReadInitialMetadata(nullptr);
    return Await();
  }

  // The next message's bytes; empty at the end, too.
  std::string Read() {
    grpc::ByteBuffer message;
    call_->Read(&message, nullptr);
    return Await() ? ToString(message) : "";
  }

  grpc::Status Finish() {
    grpc::Status status;
    call_->Finish(&status, nullptr);
    Await();
    return status;
  }

 private:
  grpc::ClientContext* ContextWith(const Metadata& metadata) {
    for (const auto& [key, value] : metadata) context_.AddMetadata(key, value);
    // Else a connection that fails at first, on a busy machine say, ends the
    // call before the server has heard of it.
    context_.set_wait_for_ready(true);
    return &context_;
  }

  bool Await() {
    void* tag;
    bool ok = false;
    events_.Next(&tag, &ok);
    return ok;
  }

  grpc::ClientContext context_;
  grpc::CompletionQueue events_;
  const std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call_;
};

}  // namespace reductor

#endif  // REDUCTOR_TESTS_SERVICE_OPEN_CALL_H_
