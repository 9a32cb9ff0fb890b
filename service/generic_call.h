// A unary call served through gRPC's generic service: to that it is a
// bidirectional call with one message each way, and the server decides when the
// message is read.
#ifndef REDUCTOR_SERVICE_GENERIC_CALL_H_
#define REDUCTOR_SERVICE_GENERIC_CALL_H_

#include "grpcpp/generic/async_generic_service.h"
#include "service/calls.h"
#include "service/served_call.h"

namespace reductor {

// Reads the call's message and answers it with `handler`, on gRPC's own thread.
// Without a ticket the answer is DRAINING and nothing is read. The reactor
// deletes itself; `handler` and the ticket's Calls outlive it.
grpc::ServerGenericBidiReactor* ServeGenericCall(
    grpc::GenericCallbackServerContext* context, const MethodHandler& handler,
    Calls::Ticket ticket);

// Answers UNIMPLEMENTED: the generic service sees every unregistered method.
grpc::ServerGenericBidiReactor* RefuseUnknownMethod();

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_GENERIC_CALL_H_
