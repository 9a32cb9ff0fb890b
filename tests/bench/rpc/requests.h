// The bytes of requests, made once: ReduceL1 of a whole tensor of float32.
#ifndef REDUCTOR_TESTS_BENCH_RPC_REQUESTS_H_
#define REDUCTOR_TESTS_BENCH_RPC_REQUESTS_H_

#include <cstdint>
#include <string>

#include "grpcpp/support/byte_buffer.h"

namespace reductor::bench {

inline constexpr char kReduce[] = "/reductor.v1.ReductionService/Reduce";
inline constexpr char kReduceStream[] =
    "/reductor.v1.ReductionService/ReduceStream";

// The one message of a Reduce call.
std::string ReduceRequestBytes(int64_t tensor_bytes);

// The first message of a ReduceStream call, and one with the tensor's next
// bytes.
std::string StreamHeaderBytes(int64_t tensor_bytes);
std::string StreamPieceBytes(int64_t piece_bytes);

// A buffer that refers to `bytes`, which outlive it: sending costs no copy.
grpc::ByteBuffer Refer(const std::string& bytes);

}  // namespace reductor::bench

#endif  // REDUCTOR_TESTS_BENCH_RPC_REQUESTS_H_
