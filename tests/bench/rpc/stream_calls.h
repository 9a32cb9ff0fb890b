// Streams of one tensor in pieces, one after the other.
#ifndef REDUCTOR_TESTS_BENCH_RPC_STREAM_CALLS_H_
#define REDUCTOR_TESTS_BENCH_RPC_STREAM_CALLS_H_

#include <memory>

#include "absl/status/statusor.h"
#include "grpcpp/channel.h"
#include "tests/bench/rpc/command.h"

namespace reductor::bench {

// Runs the command over the channel, with one stream in flight. The first that
// fails ends the batch with its status.
// REQUIRES: bytes is a multiple of kPieceBytes.
absl::StatusOr<Batch> RunStreamCalls(
    const Command& command, const std::shared_ptr<grpc::Channel>& channel);

}  // namespace reductor::bench

#endif  // REDUCTOR_TESTS_BENCH_RPC_STREAM_CALLS_H_
