// What the process is given, processors and memory, by the machine and by the
// control groups it lives in; and how many threads of it do what.
#ifndef REDUCTOR_SERVICE_PROCESS_H_
#define REDUCTOR_SERVICE_PROCESS_H_

#include <cstdint>
#include <optional>
#include <string>

namespace reductor {

// The limits of this process's control groups, of version 1 or 2, its own and
// all above it: the least of each. Absent: no limit.
struct CgroupLimits {
  std::optional<double> cpus;
  std::optional<int64_t> memory_bytes;
};

// Reads <root>/proc/self/cgroup and the groups below <root>/sys/fs/cgroup; what
// cannot be read is no limit. A root other than "" is for tests.
CgroupLimits ReadCgroupLimits(const std::string& root);

// The processors to use, at least 1: the quota rounded up, or the cores that
// the scheduler allows if they are fewer.
int AvailableCpus();

// How many threads poll the sockets beside `threads` that compute: half as
// many, at least 1. They hand events to each other through the kernel: one on
// two cores takes 29 us of CPU for a call of 96 bytes where two take 62, 174
// for 1 MiB where two take 207, and serves more calls.
int PollersFor(int threads);

// The memory to live in: the group's limit, or the machine's if it is less.
int64_t AvailableMemory();

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_PROCESS_H_
