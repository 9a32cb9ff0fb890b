// The time that limits are counted in, and the one thread that looks when they
// are over.
#ifndef REDUCTOR_SERVICE_TICKER_H_
#define REDUCTOR_SERVICE_TICKER_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

#include "absl/time/time.h"

namespace reductor {

// Time that nobody sets: it only goes on, from an epoch of its own.
absl::Time MonotonicNow();

// What those who have limits know of time; tests give their own.
struct Clock {
  std::function<absl::Time()> now;
  // Asks to be called at this time at the latest.
  std::function<void(absl::Time)> wake_by;
};

// Calls `tick` at the time, of MonotonicNow(), that its last call returned or
// WakeBy() asked for, whichever is first, for as long as the object lives.
// Thread-safe.
class Ticker {
 public:
  // `tick` may be called before the constructor returns.
  explicit Ticker(std::function<absl::Time()> tick);

  // Costs a comparison where the thread will wake early enough anyway.
  void WakeBy(absl::Time time);

 private:
  void Run(const std::stop_token& stop);
  bool AwaitTime(const std::stop_token& stop);

  const std::function<absl::Time()> tick_;
  std::atomic<int64_t> wake_at_;  // Nanoseconds since the clock's epoch.
  std::mutex mutex_;              // Held to set wake_at_.
  std::condition_variable_any earlier_;
  std::jthread thread_;  // Last: it uses the ones above.
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_TICKER_H_
