// Room for bytes, given out before they are buffered: a call takes a ticket
// when it opens, for as much as it may send, and holds it until it has ended.
// Where there is no room it waits its turn for a moment; then the server is
// busy.
#ifndef REDUCTOR_SERVICE_ADMISSION_H_
#define REDUCTOR_SERVICE_ADMISSION_H_

#include <cstdint>
#include <limits>
#include <mutex>
#include <random>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "service/intrusive_list.h"
#include "service/pace.h"
#include "service/ticker.h"
#include "service/time_limit.h"

namespace reductor {

// Thread-safe. Outlives its tickets and all that wait.
class Admission {
 public:
  struct Limits {
    int64_t budget_bytes = 0;  // All tickets together.
    int64_t call_bytes = 0;    // Of a call, beside those of its ticket.
    int64_t most_waiting = std::numeric_limits<int64_t>::max();
    absl::Duration wait;            // For room.
    absl::Duration upload_grace;    // See undeclared_uploads().
    absl::Duration upload_timeout;  // For a message to come or go.
    absl::Duration idle_timeout;    // For a stream's next message.
    bool newest_first = false;      // Of those who wait.
  };

  // Room for bytes() bytes and for the call itself, given back when it goes out
  // of scope. A null ticket has none. One thread at a time.
  class Ticket {
   public:
    Ticket() = default;
    Ticket(Ticket&& other) noexcept;
    Ticket& operator=(Ticket&& other) noexcept;
    ~Ticket() { Release(); }

    explicit operator bool() const { return admission_ != nullptr; }
    int64_t bytes() const { return bytes_; }

    // The most that Grow() could ever add, in an idle server. REQUIRES: not
    // null.
    int64_t headroom() const;

    // Takes `more` bytes, for results: at once, before all that wait, or BUSY.
    // REQUIRES: not null, 0 <= more <= headroom().
    absl::Status Grow(int64_t more);

    // Holds `bytes` from now on; for what is there already, so that it never
    // fails. REQUIRES: not null.
    void Resize(int64_t bytes);

    // Gives everything back: null from now on.
    void Release();

   private:
    friend Admission;
    Ticket(Admission* admission, int64_t bytes)
        : admission_(admission), bytes_(bytes) {}

    Admission* admission_ = nullptr;
    int64_t bytes_ = 0;
  };

  // A call that waits. It is told one of the two, once, by any thread; it does
  // not end before.
  class Waiter : public IntrusiveList<Waiter>::Link {
   public:
    virtual void OnAdmitted(Ticket ticket) = 0;
    virtual void OnRefused(const absl::Status& why) = 0;

   protected:
    ~Waiter() = default;

   private:
    friend Admission;
    int64_t wanted_bytes_ = 0;
    absl::Time since_;
  };

  Admission(const Limits& limits, const Clock& clock);

  // A ticket; or null, and the waiter will be told. First come, first served,
  // unless newest_first. If too many wait already, the one that would be served
  // last is refused before this returns. REQUIRES: 0 <= bytes <=
  // limits.budget_bytes.
  Ticket Admit(int64_t bytes, Waiter* waiter);

  // Returns true if `waiter` waited, and will not be told any more.
  bool Withdraw(Waiter* waiter);

  // While others wait for room, those who have been in these for long lose
  // theirs, in this order, the oldest first: messages whose size nobody knows,
  // each of which holds room for the largest, after the grace; messages that
  // have declared theirs, streams between two messages, and answers that their
  // clients do not take, after ten times the grace.
  TimeLimit& undeclared_uploads() { return undeclared_uploads_; }
  TimeLimit& declared_uploads() { return declared_uploads_; }
  TimeLimit& silent_streams() { return silent_streams_; }
  TimeLimit& untaken_answers() { return untaken_answers_; }

  // For a stream between two messages: BUSY if others want its room, and its
  // client was waited for ten times the grace. Those who were refused a moment
  // ago want it still: they are about to ask again.
  absl::Status MayGoOn(const Pace& pace);

  // BUSY, and when to come back: those who are refused together are told
  // different times.
  absl::Status BusyError(absl::string_view what);

  // Does what is due: ends waiting and uploads. When to call it again.
  absl::Time Tick();

  // The time that its limits go by.
  absl::Time now() const { return clock_.now(); }

  int64_t used_bytes() const;
  int64_t budget_bytes() const { return limits_.budget_bytes; }

 private:
  bool Fits(int64_t bytes) const {
    return used_bytes_ + bytes <= limits_.budget_bytes;
  }
  // Results may overdraw the budget by a part of it: a message that has been
  // taken in full is not sent away for want of a few bytes.
  int64_t overdraft_bytes() const { return limits_.budget_bytes / 16; }
  bool TryGrow(int64_t more);
  void Return(int64_t bytes);
  bool IsAnyoneWaiting() const;
  Waiter* PopFitting(int64_t returned);
  Waiter* PopOverdue();
  absl::Time RefuseOverdue();
  bool EvictOldest();
  absl::Time NextEviction() const;
  absl::Duration patience() const;

  const Limits limits_;
  const Clock clock_;
  TimeLimit undeclared_uploads_;
  TimeLimit declared_uploads_;
  TimeLimit silent_streams_;
  TimeLimit untaken_answers_;
  mutable std::mutex mutex_;  // Guards all below.
  int64_t used_bytes_ = 0;
  IntrusiveList<Waiter> queue_;
  absl::Time refused_ = absl::InfinitePast();  // The last who waited in vain.
  std::minstd_rand random_;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_ADMISSION_H_
