// Calls of health and the like do not count as requests: they never cease. What
// they leave, and what connections that close leave, is seen by its bytes.
#include "service/idle_trim.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "service/allocator.h"

namespace reductor {
namespace {

// Quiet for one to two of these is idle: callers are promised 10 s.
constexpr std::chrono::seconds kInterval{3};

// Less is not worth the wait of those who allocate.
constexpr int64_t kWorthReturning = 4 << 20;

// Returns false at once when stopped, true after the interval.
bool WaitInterval(const std::stop_token& stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any never;
  never.wait_for(lock, stop, kInterval, [] { return false; });
  return !stop.stop_requested();
}

}  // namespace

IdleTrim::IdleTrim(const Calls* calls)
    : calls_(calls),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

void IdleTrim::Run(const std::stop_token& stop) const {
  int64_t seen = 0;
  int64_t left = 0;  // Unused, after what could be returned was.
  while (WaitInterval(stop)) {
    const Calls::Counts counts = calls_->counts();
    const bool quiet = counts.in_flight == 0 && counts.admitted == seen;
    seen = counts.admitted;
    if (!quiet) continue;
    const int64_t unused = UnusedBytes();
    left = std::min(left, unused);
    if (unused - left < kWorthReturning) continue;
    ReturnFreeMemory();
    left = UnusedBytes();
  }
}

}  // namespace reductor
