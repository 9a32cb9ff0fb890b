// Trims once per quiet spell, not on every look.
#include "service/idle_trim.h"

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "service/process.h"

namespace reductor {
namespace {

// Quiet for one to two of these is idle: callers are promised 10 s.
constexpr std::chrono::seconds kInterval{3};

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
  int64_t trimmed = 0;
  while (WaitInterval(stop)) {
    const Calls::Counts counts = calls_->counts();
    const bool quiet = counts.in_flight == 0 && counts.admitted == seen;
    seen = counts.admitted;
    if (!quiet || trimmed == seen) continue;
    ReturnFreeMemory();
    trimmed = seen;
  }
}

}  // namespace reductor
