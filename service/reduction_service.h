// reductor.v1.ReductionService: which method is served how, and by what.
#ifndef REDUCTOR_SERVICE_REDUCTION_SERVICE_H_
#define REDUCTOR_SERVICE_REDUCTION_SERVICE_H_

#include <cstdint>

#include "grpcpp/generic/async_generic_service.h"
#include "reductor/v1/reductor.grpc.pb.h"
#include "service/admission.h"
#include "service/calls.h"
#include "service/generic_call.h"

namespace reductor {

// The service as gRPC registers it. The methods that take tensors go through
// the generic service, because only so the server decides when a message is
// read. ListOperators does not: reflection lists a service by the methods that
// are registered.
using RegisteredService = v1::ReductionService::WithGenericMethod_Reduce<
    v1::ReductionService::WithGenericMethod_ReduceStream<
        v1::ReductionService::WithRawCallbackMethod_ListOperators<
            v1::ReductionService::Service>>>;

// To be registered twice: as a service and as the generic one.
class ReductionService final : public RegisteredService,
                               public grpc::CallbackGenericService {
 public:
  // The bytes of a request's message, and of all its results together.
  struct Limits {
    int64_t max_message_bytes = 0;
    int64_t max_output_bytes = 0;
  };

  // `admission` and `calls` outlive the service.
  ReductionService(const Limits& limits, Admission* admission, Calls* calls);

  grpc::ServerGenericBidiReactor* CreateReactor(
      grpc::GenericCallbackServerContext* context) override;

  grpc::ServerUnaryReactor* ListOperators(grpc::CallbackServerContext* context,
                                          const grpc::ByteBuffer* request,
                                          grpc::ByteBuffer* response) override;

 private:
  const Limits limits_;
  const MethodHandler reduce_;
  Admission* const admission_;
  Calls* const calls_;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_REDUCTION_SERVICE_H_
