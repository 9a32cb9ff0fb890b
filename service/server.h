// The gRPC server around the service: addresses, limits, health, reflection,
// and an orderly end.
#ifndef REDUCTOR_SERVICE_SERVER_H_
#define REDUCTOR_SERVICE_SERVER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "grpcpp/server.h"
#include "service/admission.h"
#include "service/call_queue.h"
#include "service/calls.h"
#include "service/config.h"
#include "service/health.h"
#include "service/idle_trim.h"
#include "service/library_log.h"
#include "service/methods.h"
#include "service/reduction_service.h"
#include "service/reflection.h"
#include "service/ticker.h"
#include "service/turns.h"
#include "service/workers.h"

namespace reductor {

class Server {
 public:
  // Listens on every address of the configuration and serves. UNAVAILABLE
  // naming the address that could not be bound, and why.
  static absl::StatusOr<std::unique_ptr<Server>> Start(const Config& config);

  // Stops at once; calls in flight are cancelled.
  ~Server();

  // Where it listens, as a client names it: with the port that was bound.
  const std::vector<std::string>& addresses() const { return addresses_; }

  // Ends in order: says NOT_SERVING, goes on serving for drain_delay, refuses
  // new calls, waits for those in flight up to drain_timeout, cancels what is
  // left. Returns when each request has ended, and its line is in the log,
  // those of health and reflection aside; or, if one does not notice that it is
  // cancelled, after some seconds.
  void Drain();

 private:
  explicit Server(const Config& config);

  absl::Status Listen(const Config& config, const KeptMessages& messages);
  AsyncReactor* Serve(AsyncCall* call);
  void SetServing(bool serving);

  const absl::Duration drain_delay_;
  const absl::Duration drain_timeout_;
  Calls calls_;
  Admission admission_;
  Turns turns_;
  Ticker ticker_;  // Of both, which know it as their clock.
  Workers workers_;
  ReductionService service_;
  IdleTrim idle_trim_;
  std::vector<std::string> addresses_;
  Health health_;
  Reflection reflection_;
  Methods methods_;
  std::unique_ptr<CallQueue> queue_;
  std::unique_ptr<grpc::Server> server_;  // Last: it calls the ones above.
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_SERVER_H_
