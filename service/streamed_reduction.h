// One ReduceStream call without its transport: takes the messages of the client
// in order and gives those of the server, by the rules of the contract.
#ifndef REDUCTOR_SERVICE_STREAMED_REDUCTION_H_
#define REDUCTOR_SERVICE_STREAMED_REDUCTION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "core/plan.h"
#include "core/reduce.h"
#include "grpcpp/support/byte_buffer.h"
#include "service/admission.h"
#include "service/request_log.h"
#include "service/wire.h"

namespace reductor {

class StreamedReduction {
 public:
  // Takes room for the open results from `room` and notes what it does in
  // `log`; both outlive it.
  StreamedReduction(int64_t max_output_bytes, Admission::Ticket* room,
                    RequestLog* log)
      : max_output_bytes_(max_output_bytes), room_(room), log_(log) {}

  // Takes the client's next message. After an error nothing may follow.
  // INVALID_ARGUMENT for a message out of place, a bad header, too many bytes;
  // RESOURCE_EXHAUSTED for results that are too large, or too large now.
  // REQUIRES: NextAnswer() had none left.
  absl::Status Take(const grpc::ByteBuffer& message);

  // The server's next message; none until the client has sent more. Computes
  // what it needs: CANCELLED as soon as `is_cancelled` says so.
  absl::StatusOr<std::optional<grpc::ByteBuffer>> NextAnswer(
      IsCancelled is_cancelled);

  // Whether the next message, of so many bytes, may take long: one may be the
  // header, whose 30 bytes may ask for all the results that no elements give.
  bool MayTakeLong(int64_t bytes) const;

  // The client has sent its last message: INVALID_ARGUMENT if bytes are
  // missing. REQUIRES: NextAnswer() had none left.
  absl::Status End() const;

 private:
  absl::Status TakeHeader(const v1::ReduceStreamHeader& header);
  absl::Status TakeData(const absl::Cord& data);
  absl::Status ConsumeNext(IsCancelled is_cancelled);
  std::optional<grpc::ByteBuffer> NextPiece();

  const int64_t max_output_bytes_;
  Admission::Ticket* const room_;
  RequestLog* const log_;
  std::vector<Plan> plans_;
  std::optional<PiecewiseReduce> reduce_;  // Once there was a header.
  bool has_described_results_ = false;
  int64_t received_bytes_ = 0;     // Of the tensor.
  absl::Cord data_;                // The last of these, to be consumed.
  std::vector<absl::Cord> ready_;  // Of each result, to be sent.
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_STREAMED_REDUCTION_H_
