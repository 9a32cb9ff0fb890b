#include "client/health.h"

#include "client/errors.h"
#include "client/retry.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "grpcpp/client_context.h"

namespace reductor {

absl::StatusOr<ServingStatus> CheckHealth(
    const std::shared_ptr<grpc::Channel>& channel, const std::string& service,
    absl::Time deadline) {
  grpc::health::v1::HealthCheckRequest request;
  request.set_service(service);
  grpc::health::v1::HealthCheckResponse response;
  const auto stub = grpc::health::v1::Health::NewStub(channel);
  const absl::Status status = RetryWhileBusy(deadline, [&] {
    grpc::ClientContext context;
    context.set_deadline(absl::ToChronoTime(deadline));
    return FromGrpc(stub->Check(&context, request, &response));
  });
  if (!status.ok()) return status;
  return response.status();
}

}  // namespace reductor
