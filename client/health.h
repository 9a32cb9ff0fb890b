// Asks a server by the standard health protocol whether it takes calls.
#ifndef REDUCTOR_CLIENT_HEALTH_H_
#define REDUCTOR_CLIENT_HEALTH_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "grpc/health/v1/health.pb.h"
#include "grpcpp/channel.h"

namespace reductor {

using ServingStatus = grpc::health::v1::HealthCheckResponse::ServingStatus;

// The state of `service`; of the whole server where it is empty. NOT_FOUND for
// a service that the server does not know.
absl::StatusOr<ServingStatus> CheckHealth(
    const std::shared_ptr<grpc::Channel>& channel, const std::string& service,
    absl::Time deadline);

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_HEALTH_H_
