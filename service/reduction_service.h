// reductor.v1.ReductionService: which method is served how, and by what.
#ifndef REDUCTOR_SERVICE_REDUCTION_SERVICE_H_
#define REDUCTOR_SERVICE_REDUCTION_SERVICE_H_

#include <cstdint>

#include "reductor/v1/reductor.grpc.pb.h"
#include "service/admission.h"
#include "service/async_call.h"
#include "service/calls.h"
#include "service/generic_call.h"
#include "service/list_operators_call.h"

namespace reductor {

// The service as gRPC registers it. The methods that take tensors go through
// the generic service, because only so the server decides when a message is
// read. ListOperators does not: reflection lists a service by the methods that
// are registered. It is a stream to gRPC, and so tells bytes that are not its
// message by a status of ours.
using RegisteredService = v1::ReductionService::WithGenericMethod_Reduce<
    v1::ReductionService::WithGenericMethod_ReduceStream<
        v1::ReductionService::WithStreamedUnaryMethod_ListOperators<
            v1::ReductionService::Service>>>;

class ReductionService final : public RegisteredService {
 public:
  // The bytes of a request's message, and of all its results together.
  struct Limits {
    int64_t max_message_bytes = 0;
    int64_t max_output_bytes = 0;
  };

  // All outlive the service.
  ReductionService(const Limits& limits, Admission* admission, Workers* workers,
                   Calls* calls);

  // What serves a call of the generic service.
  AsyncReactor* Serve(AsyncCall* call);

  grpc::Status StreamedListOperators(grpc::ServerContext* context,
                                     ListOperatorsStream* stream) override;

 private:
  const Limits limits_;
  const MethodHandler reduce_;
  Admission* const admission_;
  Workers* const workers_;
  Calls* const calls_;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_REDUCTION_SERVICE_H_
