// Calls that may do one thing for so long: send a message, say nothing, take an
// answer.
//
// A call enters to start it and leaves when it is done. Whoever takes it out
// carries it on, alone: its own code by Leave(), or the limit by OnTimeUp(). So
// neither can meet a call that the other has ended. A call that has an answer
// on its way ends by itself in any case; it is cancelled before it can leave.
#ifndef REDUCTOR_SERVICE_TIME_LIMIT_H_
#define REDUCTOR_SERVICE_TIME_LIMIT_H_

#include <mutex>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "service/intrusive_list.h"
#include "service/ticker.h"

namespace reductor {

// Thread-safe; outlives its calls. Entering and leaving cost a mutex each.
class TimeLimit {
 public:
  class Call : public IntrusiveList<Call>::Link {
   public:
    // It is in: start what is limited, StartRead() say. Called by Enter(), with
    // the limit locked: neither Leave() nor OnTimeUp() can overtake it.
    virtual void OnEntered() = 0;

    // It is out, and has to end with `why`. Called by any thread.
    virtual void OnTimeUp(const absl::Status& why) = 0;

    // If its end will come by itself, hastens that and returns true: OnTimeUp()
    // will not be called. Called by any thread, with the limit locked, so that
    // Leave() waits for it.
    virtual bool Hasten([[maybe_unused]] const absl::Status& why) {
      return false;
    }

   protected:
    ~Call() = default;

    // When it entered the limit that it is in, or was in last.
    absl::Time entered() const { return entered_; }

   private:
    friend TimeLimit;
    absl::Time entered_;
  };

  // Ends calls with `why` when `limit` is over.
  TimeLimit(absl::Duration limit, absl::Status why, Clock clock);

  // REQUIRES: the call is in no limit. What it starts or hastens does not call
  // back from within; gRPC never does.
  void Enter(Call* call);

  // Returns true if the call was in, and is its caller's now. REQUIRES: it is
  // in no other limit.
  bool Leave(Call* call);

  // Ends the call that has been in for longest, if that is `least` or more.
  bool EndOldest(absl::Duration least, const absl::Status& why);

  // How many calls are in.
  int64_t size() const;

  // When the one that has been in for longest entered; the infinite future if
  // there is none.
  absl::Time oldest() const;

  // Ends the calls whose time is up; when to look again.
  absl::Time Tick();

 private:
  const absl::Duration limit_;
  const absl::Status why_;
  const Clock clock_;
  mutable std::mutex mutex_;  // Guards the queue, in the order of entering.
  IntrusiveList<Call> calls_;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_TIME_LIMIT_H_
