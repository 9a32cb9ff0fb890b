// A call in flight may still start something: the queue ends after the last
// one.
#include "service/call_queue.h"

#include <utility>

namespace reductor {
namespace {

// Calls that gRPC may open before a thread has asked for more.
constexpr int kAwaitedCalls = 64;

}  // namespace

CallQueue::CallQueue(grpc::ServerBuilder* builder,
                     std::function<AsyncReactor*(AsyncCall*)> serve)
    : source_{.queue = builder->AddCompletionQueue(),
              .serve = std::move(serve)} {
  builder->RegisterAsyncGenericService(&source_.service);
}

CallQueue::~CallQueue() {
  while (!source_.calls.WaitUntilNone(absl::Hours(1))) continue;
  source_.queue->Shutdown();
  if (threads_.empty()) React();
}

void CallQueue::Start(int threads) {
  for (int i = 0; i < kAwaitedCalls; ++i) {
    AsyncCall::Await(&source_);
  }
  for (int i = 0; i < threads; ++i) {
    threads_.emplace_back([this] { React(); });
  }
}

// Until the queue is shut down and empty.
void CallQueue::React() const {
  void* event;
  bool ok;
  while (source_.queue->Next(&event, &ok)) {
    static_cast<const AsyncCall::Event*>(event)->Happen(ok);
  }
}

}  // namespace reductor
