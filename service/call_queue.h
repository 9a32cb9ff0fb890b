// Where the calls of gRPC's generic service come in, and the threads that serve
// them.
#ifndef REDUCTOR_SERVICE_CALL_QUEUE_H_
#define REDUCTOR_SERVICE_CALL_QUEUE_H_

#include <memory>
#include <thread>
#include <vector>

#include "grpcpp/completion_queue.h"
#include "grpcpp/generic/async_generic_service.h"
#include "grpcpp/server_builder.h"
#include "service/async_call.h"
#include "service/calls.h"

namespace reductor {

class CallQueue {
 public:
  // Adds itself to the server to be built.
  CallQueue(grpc::ServerBuilder* builder, AsyncCall::Serve serve);

  // Returns when no call is left. REQUIRES: the server is shut down, but still
  // there; or was never built.
  ~CallQueue();

  // Serves what comes with so many threads. REQUIRES: the server is built.
  void Start(int threads);

 private:
  void React() const;

  const AsyncCall::Serve serve_;
  grpc::AsyncGenericService service_;
  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  Calls opened_;
  std::vector<std::jthread> threads_;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_CALL_QUEUE_H_
