// Where the calls of gRPC's generic service come in, and the threads that serve
// them.
#ifndef REDUCTOR_SERVICE_CALL_QUEUE_H_
#define REDUCTOR_SERVICE_CALL_QUEUE_H_

#include <functional>
#include <thread>
#include <vector>

#include "grpcpp/completion_queue.h"
#include "grpcpp/server_builder.h"
#include "service/async_call.h"

namespace reductor {

class CallQueue {
 public:
  // Adds itself to the server to be built.
  CallQueue(grpc::ServerBuilder* builder,
            std::function<AsyncReactor*(AsyncCall*)> serve);

  // Returns when no call is left. REQUIRES: the server is shut down, but still
  // there; or was never built.
  ~CallQueue();

  // Serves what comes with so many threads. REQUIRES: the server is built.
  void Start(int threads);

 private:
  void React();
  void LookAtSockets();

  CallSource source_;
  grpc::CompletionQueue no_events_;
  std::vector<std::jthread> threads_;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_CALL_QUEUE_H_
