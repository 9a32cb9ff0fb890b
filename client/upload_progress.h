// How far a long upload is, in one line of a terminal.
#ifndef REDUCTOR_CLIENT_UPLOAD_PROGRESS_H_
#define REDUCTOR_CLIENT_UPLOAD_PROGRESS_H_

#include <cstdint>
#include <string>

#include "absl/time/time.h"
#include "client/invocation.h"

namespace reductor {

// "[=====>              ]  25 %  1.0 GiB of 4.0 GiB  512 MiB/s  0:06 left".
// REQUIRES: 0 < done <= total; elapsed > 0.
std::string ProgressLine(int64_t done, int64_t total, absl::Duration elapsed);

// Rewrites the line on a terminal; says nothing elsewhere, nor of an upload
// that takes less than a second.
class UploadProgress {
 public:
  UploadProgress(const Streams& streams, int64_t total, absl::Time start)
      : streams_(streams),
        total_(total),
        start_(start),
        next_(start + absl::Seconds(1)) {}

  // The bytes go out now.
  void Add(int64_t bytes, absl::Time now);

  // Removes the line.
  void Close();

 private:
  const Streams& streams_;
  const int64_t total_;
  const absl::Time start_;
  absl::Time next_;  // When the line is rewritten.
  int64_t done_ = 0;
  bool is_shown_ = false;
};

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_UPLOAD_PROGRESS_H_
