// The results of a stream on their way from the server. A server is a stranger:
// what it sends is checked against what it said before.
#ifndef REDUCTOR_CLIENT_DOWNLOAD_H_
#define REDUCTOR_CLIENT_DOWNLOAD_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "client/stream.h"
#include "reductor/v1/reductor.pb.h"

namespace reductor {

class Download {
 public:
  // For `expected` results; the sink outlives this.
  Download(const ResultSink& sink, size_t expected)
      : sink_(sink), expected_(expected) {}

  // True once the types are known: the server has taken the call.
  bool has_types() const { return has_types_; }

  // Hands the message on to the sink. An error is the sink's, or INTERNAL where
  // the message does not go with those before it.
  absl::Status Take(const v1::ReduceStreamResponse& message);

  // INTERNAL unless every result is complete.
  absl::Status CheckComplete() const;

 private:
  absl::Status TakeTypes(const v1::ReduceStreamResults& results);
  absl::Status TakePiece(const v1::ReduceStreamPiece& piece);

  const ResultSink& sink_;
  const size_t expected_;
  bool has_types_ = false;
  std::vector<int64_t> left_;  // The bytes to come, of each result.
};

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_DOWNLOAD_H_
