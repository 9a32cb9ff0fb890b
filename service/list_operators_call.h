// ListOperators: a table, told whenever it is asked for.
#ifndef REDUCTOR_SERVICE_LIST_OPERATORS_CALL_H_
#define REDUCTOR_SERVICE_LIST_OPERATORS_CALL_H_

#include "grpcpp/server_context.h"
#include "grpcpp/support/sync_stream.h"
#include "reductor/v1/reductor.grpc.pb.h"
#include "service/calls.h"

namespace reductor {

using ListOperatorsStream =
    grpc::ServerUnaryStreamer<v1::ListOperatorsRequest,
                              v1::ListOperatorsResponse>;

// Reads the call's message and answers it; the status to end it with. Without
// a ticket that is DRAINING.
grpc::Status ServeListOperators(grpc::ServerContext* context,
                                ListOperatorsStream* stream,
                                Calls::Ticket ticket);

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_LIST_OPERATORS_CALL_H_
