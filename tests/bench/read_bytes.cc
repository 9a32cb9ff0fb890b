#include "tests/bench/read_bytes.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/parallel.h"

#if defined(__x86_64__)
#define REDUCTOR_EVERY_ISA \
  __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define REDUCTOR_EVERY_ISA
#endif

namespace reductor {
namespace {

// Eight AVX-512 registers of sums: independent chains, four loads in flight.
constexpr int64_t kWords = 64;

REDUCTOR_EVERY_ISA uint64_t ReadPart(const char* x, int64_t bytes) {
  uint64_t sums[kWords] = {};
  for (int64_t i = 0; i + int64_t{sizeof(sums)} <= bytes; i += sizeof(sums)) {
    for (int64_t l = 0; l < kWords; ++l) {
      uint64_t word;
      std::memcpy(&word, x + i + 8 * l, sizeof(word));
      sums[l] += word;
    }
  }
  uint64_t total = 0;
  for (const uint64_t sum : sums) total += sum;
  return total;
}

}  // namespace

uint64_t ReadBytes(const char* x, int64_t bytes, int threads) {
  if (threads == 1) return ReadPart(x, bytes);
  const int64_t part = (bytes + threads - 1) / threads;
  std::vector<uint64_t> totals(threads);
  ParallelFor(threads, [&](int64_t i) {
    totals[i] = ReadPart(x + i * part, std::min(part, bytes - i * part));
  });
  uint64_t total = 0;
  for (const uint64_t each : totals) total += each;
  return total;
}

}  // namespace reductor
