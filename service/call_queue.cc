// A call in flight may still start something: the queue ends after the last
// one.
#include "service/call_queue.h"

#include <utility>

namespace reductor {
namespace {

// Calls that gRPC may open before a thread has asked for more.
constexpr int kAwaitedCalls = 64;

}  // namespace

CallQueue::CallQueue(grpc::ServerBuilder* builder, AsyncCall::Serve serve)
    : serve_(std::move(serve)), queue_(builder->AddCompletionQueue()) {
  builder->RegisterAsyncGenericService(&service_);
}

CallQueue::~CallQueue() {
  while (!opened_.WaitUntilNone(absl::Hours(1))) continue;
  queue_->Shutdown();
  if (threads_.empty()) React();
}

void CallQueue::Start(int threads) {
  for (int i = 0; i < kAwaitedCalls; ++i) {
    AsyncCall::Await(&service_, queue_.get(), &opened_, serve_);
  }
  for (int i = 0; i < threads; ++i) {
    threads_.emplace_back([this] { React(); });
  }
}

// Until the queue is shut down and empty.
void CallQueue::React() const {
  void* event;
  bool ok;
  while (queue_->Next(&event, &ok)) {
    static_cast<const AsyncCall::Event*>(event)->Happen(ok);
  }
}

}  // namespace reductor
