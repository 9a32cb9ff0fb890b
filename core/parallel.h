// Threads. parallel.cc is the only file that knows the thread library.
#ifndef REDUCTOR_CORE_PARALLEL_H_
#define REDUCTOR_CORE_PARALLEL_H_

#include <atomic>
#include <cstdint>

#include "absl/functional/function_ref.h"

namespace reductor {

// Lets at most `threads` threads, the calling one included, work on one
// ParallelFor(). Before the first call: one per core. On which CPUs they may
// run is asked when a number is used for the first time. REQUIRES: threads >=
// 1, and no ParallelFor() is running.
void SetThreads(int threads);

// How many that is.
int Threads();

// So many pieces of work are a few for each thread: it finds another one while
// the others finish their last.
inline int FewForEachThread() { return 4 * Threads(); }

namespace parallel_internal {

void Run(int64_t n, absl::FunctionRef<void(int64_t)> body);

// The library puts what was written before it in order with the bodies, and
// these with what follows, but ThreadSanitizer cannot see that inside it. One
// operation at each end of a body shows it the same order.
inline std::atomic<uint64_t> handovers{0};
inline void HandOver() { handovers.fetch_add(1, std::memory_order_acq_rel); }

}  // namespace parallel_internal

// Calls body(i) once for each i of [0, n), on any threads in any order, and
// returns when all have returned. Rethrows what a body throws.
inline void ParallelFor(int64_t n, absl::FunctionRef<void(int64_t)> body) {
  const auto handed_over = [body](int64_t i) {
    parallel_internal::HandOver();
    body(i);
    parallel_internal::HandOver();
  };
  parallel_internal::HandOver();
  parallel_internal::Run(n, handed_over);
  parallel_internal::HandOver();
}

}  // namespace reductor

#endif  // REDUCTOR_CORE_PARALLEL_H_
