#include "service/turns.h"

#include <algorithm>

#include "absl/status/status.h"

namespace reductor {
namespace {

// The most messages that are read at once: gRPC would buffer all of them whole,
// however long they are. 32 clients of 64 MiB took 950 MiB of a server with a
// budget of 512.
constexpr int64_t kTurnsAtOnce = 4;

// The most answers that wait to be taken. A reflection's echoes its request:
// 5,120 of them took 620 MiB.
constexpr int64_t kMostAnswers = 64;

// While others wait, a client that is silent for ten times this ends.
constexpr absl::Duration kGrace = absl::Milliseconds(1);

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
      answers_(patience,
               absl::DeadlineExceededError(
                   "the client did not take the answer in time"),
               clock) {}

void Turns::EnterAnswer(TimeLimit::Call* call) {
  answers_.Enter(call);
  if (answers_.size() <= kMostAnswers) return;
  answers_.EndOldest(absl::ZeroDuration(),
                     to_read_.BusyError("too many answers wait to be taken"));
}

absl::Time Turns::Tick() { return std::min(to_read_.Tick(), answers_.Tick()); }

}  // namespace reductor
