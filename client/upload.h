// The data of a stream on its way to the server: cut anew into messages of one
// size, not copied.
#ifndef REDUCTOR_CLIENT_UPLOAD_H_
#define REDUCTOR_CLIENT_UPLOAD_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "client/stream.h"
#include "grpcpp/support/byte_buffer.h"

namespace reductor {

class Upload {
 public:
  // The source answers `bytes` bytes in all; it outlives this.
  Upload(const PieceSource& source, int64_t bytes, int64_t piece_bytes)
      : source_(source),
        bytes_(bytes),
        piece_bytes_(piece_bytes),
        left_(bytes) {}

  // True once every byte has been taken.
  bool is_done() const { return left_ == 0; }

  // The next piece: so many bytes, or what is left. INVALID_ARGUMENT where the
  // source has fewer or more bytes than it should. REQUIRES: !is_done().
  absl::StatusOr<absl::Cord> Next();

 private:
  const PieceSource& source_;
  const int64_t bytes_;
  const int64_t piece_bytes_;
  int64_t left_;
  absl::Cord held_;  // Asked of the source, not yet sent.
};

// A ReduceStreamRequest with that data. It shares the data's memory, which the
// transport may hold for a while beyond the call.
grpc::ByteBuffer PieceMessage(const absl::Cord& data);

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_UPLOAD_H_
