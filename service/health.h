// grpc.health.v1.Health: whether a name is being served, asked once or watched.
#ifndef REDUCTOR_SERVICE_HEALTH_H_
#define REDUCTOR_SERVICE_HEALTH_H_

#include <map>
#include <mutex>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "grpc/health/v1/health.pb.h"
#include "service/calls.h"
#include "service/methods.h"
#include "service/short_call.h"
#include "service/turns.h"

namespace reductor {

// Thread-safe. Outlives its calls.
class Health {
 public:
  // `turns` outlives it.
  explicit Health(Turns* turns);

  // Check is answered as below. Watch tells the status now and whenever it
  // changes, for as long as the caller listens; SERVICE_UNKNOWN for a name not
  // set yet.
  void Register(Methods* methods);

  // Tells those who watch `name`, too.
  void SetServing(const std::string& name, bool serving);

  // NOT_FOUND for a name that was never set.
  absl::StatusOr<grpc::health::v1::HealthCheckResponse> Check(
      const grpc::health::v1::HealthCheckRequest& request);

 private:
  class WatchCall;
  using Status = grpc::health::v1::HealthCheckResponse::ServingStatus;

  Status StatusOf(const std::string& name) const;
  bool IsWatchedByMost() const;

  Turns* const turns_;
  const ShortMethod check_;
  Calls calls_;       // No drain waits for them.
  std::mutex mutex_;  // Guards all below, and every watcher.
  std::map<std::string, Status> statuses_;
  std::set<WatchCall*> watchers_;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_HEALTH_H_
