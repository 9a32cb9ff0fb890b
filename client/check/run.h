// Sends the cases to a server, one after the other, and compares the answers:
// with the local computation, and those to streams with those to single
// messages, bit for bit.
#ifndef REDUCTOR_CLIENT_CHECK_RUN_H_
#define REDUCTOR_CLIENT_CHECK_RUN_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/check/cases.h"
#include "client/client.h"

namespace reductor::check {

// A run ends at the first limit that it meets.
struct Limits {
  int64_t count = 0;
  absl::Time deadline = absl::InfiniteFuture();
};

// What became of the reductions of one version.
struct Tally {
  int64_t cases = 0;
  int64_t mismatches = 0;
};

// One reduction whose answer is wrong, or one request that was refused, or has
// another answer as a stream.
struct Mismatch {
  int64_t index = 0;  // Of the case.
  std::string request;
  std::string text;  // Both values, or the refusal.
};

struct Report {
  int64_t requests = 0;
  int64_t streams = 0;      // Of the requests that went as a stream too.
  bool has_streams = true;  // False once the server answered UNIMPLEMENTED.
  std::vector<Tally> tallies = {};  // By the place in Cases::versions().
  int64_t mismatch_count = 0;
  std::vector<Mismatch> mismatches = {};  // The first few.
};

// An error only where the server cannot be asked: unreachable, busy, too slow.
// Its message names the request that was not answered.
// `on_progress` is called after each request.
absl::StatusOr<Report> RunCases(
    const Client& client, const Cases& cases, const Limits& limits,
    const CallOptions& call_options,
    const std::function<void(const Report&)>& on_progress);

}  // namespace reductor::check

#endif  // REDUCTOR_CLIENT_CHECK_RUN_H_
