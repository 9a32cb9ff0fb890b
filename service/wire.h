// The bytes of messages that carry tensors, without copying the tensors: a
// request splits into a small message and a Cord over the received slices; a
// response joins small headers and the results' own memory.
#ifndef REDUCTOR_SERVICE_WIRE_H_
#define REDUCTOR_SERVICE_WIRE_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/types/span.h"
#include "core/result_bytes.h"
#include "grpcpp/support/byte_buffer.h"
#include "reductor/v1/reductor.pb.h"

namespace reductor {

// The most that a request may have besides its tensor's data: room for far
// more than any valid request needs. Parsed, bytes grow up to forty times.
inline constexpr int64_t kMaxRequestBytesWithoutData = 256 * 1024;

// Pieces smaller than this are copied: that costs less than a reference, and a
// gRPC slice or a Cord of a few bytes holds them within itself, where nothing
// can share them.
inline constexpr size_t kMinSharedBytes = 128;

struct SplitRequest {
  v1::ReduceRequest message;  // Without tensor.data.
  absl::Cord data;            // tensor.data; shares the received slices.
};

// Accepts what v1::ReduceRequest::ParseFromString accepts, by the same rules:
// fields in any order, the last of a repeated scalar wins, split tensors merge,
// unknown fields are skipped. INVALID_ARGUMENT MALFORMED_MESSAGE for bytes that
// it refuses; RESOURCE_EXHAUSTED MESSAGE_TOO_LARGE when the known fields
// besides the data exceed kMaxRequestBytesWithoutData, or all bytes what
// protobuf can count.
absl::StatusOr<SplitRequest> Split(const grpc::ByteBuffer& bytes);

// A message of a stream: its header or, where that is absent, data.
struct StreamPart {
  std::optional<v1::ReduceStreamHeader> header;
  absl::Cord data;  // Shares the received slices.
};

// The same for a v1::ReduceStreamRequest.
absl::StatusOr<StreamPart> SplitStream(const grpc::ByteBuffer& bytes);

// The bytes of a v1::ReduceResponse: results[i] with data[i] as its data,
// exactly as SerializeAsString gives them, sharing the memory of the data.
// REQUIRES: both have the same length, and no result has data of its own.
grpc::ByteBuffer Join(absl::Span<const v1::Tensor> results,
                      absl::Span<const ResultBytes> data);

// The same for a v1::ReduceStreamResponse with the results, or with a piece.
grpc::ByteBuffer JoinStreamResults(absl::Span<const v1::Tensor> results);
grpc::ByteBuffer JoinStreamPiece(int32_t reduction, const absl::Cord& data);

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_WIRE_H_
