// How fast a stream's client is. Without an account of it, a byte now and then
// would hold a stream's room for ever.
#ifndef REDUCTOR_SERVICE_PACE_H_
#define REDUCTOR_SERVICE_PACE_H_

#include <cstdint>

#include "absl/time/time.h"

namespace reductor {

class Pace {
 public:
  // A client is asked for `bytes` at a time, in as many messages as it likes.
  explicit Pace(int64_t bytes) : bytes_(bytes) {}

  // The client was waited for so long, and has sent or taken `bytes` since.
  void Note(absl::Duration waited, int64_t bytes) {
    waited_ += waited;
    moved_ += bytes;
    if (moved_ < bytes_) return;
    waited_ = absl::ZeroDuration();
    moved_ = 0;
  }

  // How long the client was waited for since it last had moved all that it is
  // asked for.
  absl::Duration waited() const { return waited_; }

 private:
  const int64_t bytes_;
  absl::Duration waited_;
  int64_t moved_ = 0;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_PACE_H_
