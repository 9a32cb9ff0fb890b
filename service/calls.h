// Counts the calls in flight, so that a draining server turns new calls away
// and waits for the old ones.
#ifndef REDUCTOR_SERVICE_CALLS_H_
#define REDUCTOR_SERVICE_CALLS_H_

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

#include "absl/time/time.h"

namespace reductor {

// Thread-safe. Outlives its tickets.
class Calls {
 public:
  // A call in flight, for as long as it lives. Null: not admitted.
  class Ticket {
   public:
    explicit Ticket(Calls* calls) : calls_(calls) {}
    Ticket(Ticket&& other) noexcept
        : calls_(std::exchange(other.calls_, nullptr)) {}
    Ticket& operator=(Ticket&&) = delete;
    ~Ticket();

    explicit operator bool() const { return calls_ != nullptr; }

   private:
    Calls* calls_;
  };

  // A ticket for a call that has just opened; a null one once refusing.
  Ticket Admit();

  // No call is admitted from now on.
  void RefuseNew();

  // Returns when no call is in flight, or false after `timeout`, at most
  // a day.
  bool WaitUntilNone(absl::Duration timeout);

  struct Counts {
    int64_t in_flight = 0;
    int64_t admitted = 0;  // Since the start.
  };
  Counts counts() const;

 private:
  void Leave();

  mutable std::mutex mutex_;  // Guards all below.
  std::condition_variable none_;
  bool refusing_ = false;
  Counts counts_;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_CALLS_H_
