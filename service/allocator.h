// How the process takes memory and gives it back: glibc's malloc, set up for
// what requests do.
#ifndef REDUCTOR_SERVICE_ALLOCATOR_H_
#define REDUCTOR_SERVICE_ALLOCATOR_H_

#include <cstdint>

namespace reductor {

// Sets malloc up for large, short-lived buffers: page faults cost more than all
// else a request does. `threads` are to compute (SetThreads()). REQUIRES: no
// thread but the caller's runs yet.
void TuneAllocator(int threads);

// Gives the memory that malloc holds back to the system. For quiet times: it
// takes some milliseconds and makes those who allocate wait.
void ReturnFreeMemory();

// Bytes that are in memory and not in use: what ReturnFreeMemory() can give
// back, and the program itself.
int64_t UnusedBytes();

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_ALLOCATOR_H_
