// Counts what a test program allocates by operator new. Include it in one file
// of the program: it replaces the operators.
#ifndef REDUCTOR_TESTS_CORE_ALLOCATED_BYTES_H_
#define REDUCTOR_TESTS_CORE_ALLOCATED_BYTES_H_

#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace reductor::allocated_bytes {

inline std::atomic<int64_t> now{0};
inline std::atomic<int64_t> peak{0};

inline void Add(int64_t bytes) {
  const int64_t sum = now.fetch_add(bytes) + bytes;
  int64_t seen = peak.load();
  while (sum > seen && !peak.compare_exchange_weak(seen, sum)) {
  }
}

// The most that was allocated at one moment of `body`, beyond what was before.
template <class Body>
int64_t PeakOf(const Body& body) {
  const int64_t before = now;
  peak = before;
  body();
  return peak - before;
}

}  // namespace reductor::allocated_bytes

void* operator new(std::size_t size) {
  void* const p = std::malloc(size);
  if (p == nullptr) std::abort();
  reductor::allocated_bytes::Add(static_cast<int64_t>(malloc_usable_size(p)));
  return p;
}
void operator delete(void* p) noexcept {
  if (p == nullptr) return;
  reductor::allocated_bytes::Add(-static_cast<int64_t>(malloc_usable_size(p)));
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept { operator delete(p); }
// A sanitizer's own would not come here.
void* operator new[](std::size_t size) { return operator new(size); }
void operator delete[](void* p) noexcept { operator delete(p); }
void operator delete[](void* p, std::size_t) noexcept { operator delete(p); }

#endif  // REDUCTOR_TESTS_CORE_ALLOCATED_BYTES_H_
