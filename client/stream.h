// A tensor that is sent piece by piece and whose results come the same way, so
// that neither has to fit into memory.
#ifndef REDUCTOR_CLIENT_STREAM_H_
#define REDUCTOR_CLIENT_STREAM_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "client/tensor.h"

namespace reductor {

// Answers the next bytes of the tensor, row-major and little-endian, as many as
// it likes but at least one, cut anywhere. It is asked until all bytes that the
// tensor's type says are there, and not before the server has taken the call.
// An error ends the call and is its answer.
using PieceSource = std::function<absl::StatusOr<absl::Cord>()>;

// Where the results go. An error ends the call and is its answer.
struct ResultSink {
  // Called once, and before the other: the type of each result, in order.
  std::function<absl::Status(const std::vector<TensorType>& types)> on_types;

  // The next bytes of a result, counted from 0. Those of one result come in
  // order, of different results in any.
  std::function<absl::Status(int64_t result, absl::string_view bytes)> on_bytes;
};

struct StreamOptions {
  // A server that has not taken the call until then, retries included, is
  // DEADLINE_EXCEEDED; or its refusal, where it was busy to the end.
  absl::Duration start_timeout = absl::Seconds(60);

  // The data in each message but the last, 1 to 2^30; else the call is
  // INVALID_ARGUMENT. More than the default is no faster, and has left the
  // caches when the server comes to it.
  int64_t piece_bytes = 1 << 20;

  // For the whole call. None by default: who knows how long a tensor is?
  absl::Duration timeout = absl::InfiniteDuration();
};

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_STREAM_H_
