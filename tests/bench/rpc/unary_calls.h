// Many unary calls of the same bytes, some at a time.
#ifndef REDUCTOR_TESTS_BENCH_RPC_UNARY_CALLS_H_
#define REDUCTOR_TESTS_BENCH_RPC_UNARY_CALLS_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "grpcpp/channel.h"
#include "tests/bench/rpc/command.h"

namespace reductor::bench {

using Channels = std::vector<std::shared_ptr<grpc::Channel>>;

// Runs the command over the channels, in turn. Each of in_flight callers starts
// a call when its last one has ended; each makes at least one. The first call
// that fails ends the batch with its status.
absl::StatusOr<Batch> RunUnaryCalls(const Command& command,
                                    const Channels& channels);

}  // namespace reductor::bench

#endif  // REDUCTOR_TESTS_BENCH_RPC_UNARY_CALLS_H_
