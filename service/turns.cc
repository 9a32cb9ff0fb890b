#include "service/turns.h"

#include <algorithm>

namespace reductor {
namespace {

// The most messages that are read at once: gRPC would buffer all of them whole,
// however long they are. 32 clients of 64 MiB took 950 MiB of a server with a
// budget of 512.
constexpr int64_t kTurnsAtOnce = 4;

// While others wait, a client that is silent for ten times this ends.
constexpr absl::Duration kGrace = absl::Milliseconds(3);

}  // namespace

Turns::Turns(absl::Duration patience, int64_t most_waiting, const Clock& clock)
    : most_waiting_(most_waiting),
      to_read_({.budget_bytes = kTurnsAtOnce * kTurn,
                .most_waiting = most_waiting,
                .wait = patience,
                .upload_grace = kGrace,
                .upload_timeout = patience,
                .idle_timeout = patience,
                .newest_first = true},
               clock),
      untaken_answers_(patience,
                       absl::DeadlineExceededError(
                           "the client did not take the answer in time"),
                       clock) {}

absl::Time Turns::Tick() {
  return std::min(to_read_.Tick(), untaken_answers_.Tick());
}

}  // namespace reductor
