// The thread is never told of what is done in time: it wakes for nothing, once
// per limit at most, and sleeps again.
#include "service/ticker.h"

#include <chrono>
#include <limits>
#include <utility>

namespace reductor {
namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

// So long at a time, because waiting until kNever overflows.
constexpr std::chrono::hours kLongest{1};

}  // namespace

absl::Time MonotonicNow() {
  return absl::UnixEpoch() +
         absl::FromChrono(std::chrono::steady_clock::now().time_since_epoch());
}

Ticker::Ticker(std::function<absl::Time()> tick)
    : tick_(std::move(tick)),
      wake_at_(kNever),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

void Ticker::WakeBy(absl::Time time) {
  const int64_t at = absl::ToUnixNanos(time);
  if (wake_at_ <= at) return;
  {
    const std::lock_guard lock(mutex_);
    if (wake_at_ <= at) return;
    wake_at_ = at;
  }
  earlier_.notify_one();
}

void Ticker::Run(const std::stop_token& stop) {
  while (AwaitTime(stop)) WakeBy(tick_());
}

// Returns true once the time has come, and forgets it; false when stopped.
bool Ticker::AwaitTime(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const int64_t wake_at = wake_at_;
    const int64_t now = absl::ToUnixNanos(MonotonicNow());
    if (wake_at <= now) {
      wake_at_ = kNever;
      return true;
    }
    const std::chrono::nanoseconds left{wake_at - now};
    earlier_.wait_for(lock, stop,
                      std::min<std::chrono::nanoseconds>(left, kLongest),
                      [&] { return wake_at_ != wake_at; });
  }
  return false;
}

}  // namespace reductor
