// What benchmarks make of the times that they take.
#ifndef REDUCTOR_TESTS_BENCH_TIMING_H_
#define REDUCTOR_TESTS_BENCH_TIMING_H_

#include <algorithm>
#include <chrono>
#include <vector>

namespace reductor {

inline double Seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

// The upper one of two in the middle. REQUIRES: there is one at least.
inline double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2,
                   values.end());
  return values[values.size() / 2];
}

}  // namespace reductor

#endif  // REDUCTOR_TESTS_BENCH_TIMING_H_
