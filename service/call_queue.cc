// A call in flight may still start something: the queue ends after the last
// one.
#include "service/call_queue.h"

#include <chrono>
#include <utility>

#include "grpc/support/time.h"

namespace reductor {
namespace {

// Calls that gRPC may open before a thread has asked for more.
constexpr int kAwaitedCalls = 64;

// A queue of gRPC's has its thread look at the sockets only when nothing else
// is left to happen. Where clients have sent ahead, up to 4 MiB a stream, each
// read is done as soon as it is started: whoever answers one after the other
// hears meanwhile of no new call, no health check, no cancellation (four
// streams in pieces of 64 KiB: health answered after 9 s, when they had ended).
constexpr std::chrono::milliseconds kLookEvery{1};

// Each look sees to one socket that is ready.
constexpr int kSocketsALook = 4;

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
  threads_.clear();
  no_events_.Shutdown();
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
void CallQueue::React() {
  using Clock = std::chrono::steady_clock;
  Clock::time_point looked = Clock::now();
  void* event;
  bool ok;
  while (source_.queue->Next(&event, &ok)) {
    static_cast<const AsyncCall::Event*>(event)->Happen(ok);
    if (Clock::now() - looked < kLookEvery) continue;
    LookAtSockets();
    looked = Clock::now();
  }
}

// All queues have their sockets in common: one without events looks at once.
void CallQueue::LookAtSockets() {
  void* event;
  bool ok;
  for (int i = 0; i < kSocketsALook; ++i) {
    no_events_.AsyncNext(&event, &ok, gpr_inf_past(GPR_CLOCK_MONOTONIC));
  }
}

}  // namespace reductor
