// The read roofline: how fast the machine reads memory when it does nothing
// else with it.
#ifndef REDUCTOR_TESTS_BENCH_READ_BYTES_H_
#define REDUCTOR_TESTS_BENCH_READ_BYTES_H_

#include <cstdint>

namespace reductor {

// Reads the bytes once, in as many parts as threads, by the widest registers of
// this CPU; the result depends on each of them, but for the last 511 at most of
// each part. As many threads as SetThreads() allows take part.
uint64_t ReadBytes(const char* x, int64_t bytes, int threads);

}  // namespace reductor

#endif  // REDUCTOR_TESTS_BENCH_READ_BYTES_H_
