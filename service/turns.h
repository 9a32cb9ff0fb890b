// Turns to read a short message, and time to take its answer.
#ifndef REDUCTOR_SERVICE_TURNS_H_
#define REDUCTOR_SERVICE_TURNS_H_

#include <cstdint>

#include "absl/time/time.h"
#include "service/admission.h"
#include "service/ticker.h"
#include "service/time_limit.h"

namespace reductor {

// Thread-safe. Outlives the calls that wait for it.
class Turns {
 public:
  // A client may be silent, or leave an answer, for `patience`. Of more than
  // `most_waiting` calls without a turn the oldest has to go.
  Turns(absl::Duration patience, int64_t most_waiting, const Clock& clock);

  // A turn is one byte of this admission. Few are given out at once, as gRPC
  // buffers a message whole whatever its length. Whoever came last is the next,
  // so that clients who open calls and say nothing keep nobody out.
  Admission& to_read() { return to_read_; }
  static constexpr int64_t kTurn = 1;

  // An answer has its client's attention from EnterAnswer() to LeaveAnswer(),
  // by the rules of TimeLimit. Where many are not taken the oldest ends.
  void EnterAnswer(TimeLimit::Call* call);
  bool LeaveAnswer(TimeLimit::Call* call) { return answers_.Leave(call); }
  int64_t most_waiting() const { return most_waiting_; }

  // Does what is due. When to call it again.
  absl::Time Tick();

 private:
  const int64_t most_waiting_;
  Admission to_read_;
  TimeLimit answers_;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_TURNS_H_
