#include "client/retry.h"

#include <algorithm>
#include <optional>

#include "absl/random/random.h"
#include "absl/time/clock.h"
#include "client/errors.h"

namespace reductor {
namespace {

// A server that says "at once" is not asked in a tight loop.
constexpr absl::Duration kMinDelay = absl::Milliseconds(1);

// Those who were refused together must not come back together: the wait is the
// server's delay and up to as much again, after each further refusal up to
// twice as much, at most 16 times.
constexpr int kMaxSpread = 16;

constexpr int kMaxAttempts = 4;
constexpr absl::Duration kFirstBackoff = absl::Milliseconds(100);

}  // namespace

absl::Status RetryWhileBusy(absl::Time deadline,
                            absl::FunctionRef<absl::Status()> attempt) {
  absl::BitGen random;
  for (int spread = 1;; spread = std::min(2 * spread, kMaxSpread)) {
    absl::Status status = attempt();
    if (!absl::IsResourceExhausted(status)) return status;
    const std::optional<absl::Duration> delay = RetryDelayOf(status);
    if (!delay.has_value()) return status;
    const absl::Duration wait = std::max(*delay, kMinDelay) *
                                (1 + absl::Uniform<double>(random, 0, spread));
    if (absl::Now() + wait >= deadline) return status;
    absl::SleepFor(wait);
  }
}

absl::Status RetryWhileUnavailable(absl::Time deadline,
                                   absl::FunctionRef<absl::Status()> attempt) {
  absl::Duration wait = kFirstBackoff;
  for (int made = 1;; ++made, wait *= 2) {
    absl::Status status = attempt();
    if (!absl::IsUnavailable(status) || made == kMaxAttempts ||
        absl::Now() + wait >= deadline) {
      return status;
    }
    absl::SleepFor(wait);
  }
}

}  // namespace reductor
