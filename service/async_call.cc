// References are counted as gRPC's reactors do it: whoever drops the last one
// ends the call, in whatever order its events come.
#include "service/async_call.h"

#include "grpcpp/impl/call_op_set.h"

namespace reductor {

void AsyncReactor::StartRead(grpc::ByteBuffer* message) {
  call_->refs_.fetch_add(1, std::memory_order_relaxed);
  call_->messages_.Read(message, call_->read_.TagFor(call_));
}

void AsyncReactor::StartWrite(const grpc::ByteBuffer& message) {
  call_->refs_.fetch_add(1, std::memory_order_relaxed);
  call_->messages_.Write(message, call_->written_.TagFor(call_));
}

void AsyncReactor::StartWriteAndFinish(const grpc::ByteBuffer& message,
                                       const grpc::Status& status) {
  call_->messages_.WriteAndFinish(message, grpc::WriteOptions(), status,
                                  call_->finished_.TagFor(call_));
}

void AsyncReactor::Finish(const grpc::Status& status) {
  call_->messages_.Finish(status, call_->finished_.TagFor(call_));
}

void AsyncCall::Await(CallSource* source) {
  auto* const call = new AsyncCall(source);
  call->context_.AsyncNotifyWhenDone(call->closed_.TagFor(call));
  grpc::ServerCompletionQueue* const queue = source->queue.get();
  source->service.RequestCall(&call->context_, &call->messages_, queue, queue,
                              call->open_.TagFor(call));
}

AsyncCall::AsyncCall(CallSource* source)
    : source_(*source), ticket_(source->calls.Admit()) {}

void AsyncCall::OnOpened(bool ok) {
  if (!ok) {
    // The server ends; of a call that never was, nothing else happens.
    delete this;
    return;
  }
  Await(&source_);
  reactor_ = source_.serve(this);
  reactor_->OnOpened();
  CountTowardsCancel();
  Unref();
}

void AsyncCall::OnRead(bool ok) {
  reactor_->OnReadDone(ok);
  Unref();
}

void AsyncCall::OnWritten(bool ok) {
  reactor_->OnWriteDone(ok);
  Unref();
}

void AsyncCall::OnFinished(bool) { Unref(); }

void AsyncCall::OnClosed(bool) {
  if (context_.IsCancelled()) CountTowardsCancel();
  Unref();
}

void AsyncCall::CountTowardsCancel() {
  if (missing_for_cancel_.fetch_sub(1) == 1) reactor_->OnCancel();
}

void AsyncCall::Unref() {
  if (refs_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  reactor_->OnDone();
  delete this;
}

}  // namespace reductor
