// A server that is busy says when to come again; this does so.
#ifndef REDUCTOR_CLIENT_RETRY_H_
#define REDUCTOR_CLIENT_RETRY_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/time/time.h"

namespace reductor {

// Runs `attempt` until its answer is another than RESOURCE_EXHAUSTED with a
// delay to retry after (see RetryDelayOf()), and waits at least that long each
// time. A refusal whose wait would go beyond `deadline` is the answer.
//
// The service config of the channel cannot do this: gRPC heeds a server's delay
// only for codes that it would retry without one too, which what is too large
// for a server must never be, and it ends after five attempts.
absl::Status RetryWhileBusy(absl::Time deadline,
                            absl::FunctionRef<absl::Status()> attempt);

// Runs `attempt` until its answer is another than UNAVAILABLE, as the channel
// does for calls of one message: four times at most, within about a second, and
// not beyond `deadline`.
absl::Status RetryWhileUnavailable(absl::Time deadline,
                                   absl::FunctionRef<absl::Status()> attempt);

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_RETRY_H_
