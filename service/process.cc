// Control groups are files; a limit that a parent group sets holds for all
// below it, so the walk goes up to the root of each hierarchy.
#include "service/process.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace reductor {
namespace {

// The words of a small file; none if it cannot be read.
std::vector<std::string> ReadWords(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return absl::StrSplit(text.str(), absl::ByAnyChar(" \n"), absl::SkipEmpty());
}

// The i-th word as a number; absent for "max", -1 and all that is no number.
std::optional<int64_t> NumberAt(const std::vector<std::string>& words,
                                size_t i) {
  int64_t number;
  if (i >= words.size() || !absl::SimpleAtoi(words[i], &number)) return {};
  if (number < 0) return {};
  return number;
}

template <class T>
void TakeLess(std::optional<T> limit, std::optional<T>* least) {
  if (!limit.has_value()) return;
  *least = least->has_value() ? std::min(**least, *limit) : *limit;
}

std::optional<double> Quota(std::optional<int64_t> time,
                            std::optional<int64_t> period) {
  if (!time.has_value() || period.value_or(0) == 0) return {};
  return static_cast<double>(*time) / static_cast<double>(*period);
}

void ReadGroupV2(const std::string& group, CgroupLimits* limits) {
  const auto cpu = ReadWords(group + "/cpu.max");  // "150000 100000"
  TakeLess(Quota(NumberAt(cpu, 0), NumberAt(cpu, 1)), &limits->cpus);
  TakeLess(NumberAt(ReadWords(group + "/memory.max"), 0),
           &limits->memory_bytes);
}

void ReadCpuGroupV1(const std::string& group, CgroupLimits* limits) {
  TakeLess(Quota(NumberAt(ReadWords(group + "/cpu.cfs_quota_us"), 0),
                 NumberAt(ReadWords(group + "/cpu.cfs_period_us"), 0)),
           &limits->cpus);
}

void ReadMemoryGroupV1(const std::string& group, CgroupLimits* limits) {
  TakeLess(NumberAt(ReadWords(group + "/memory.limit_in_bytes"), 0),
           &limits->memory_bytes);
}

// Reads `path` below `mount` and every group above it. Inside a container the
// path may be the host's and not exist; then only the mount itself counts.
void ReadUpwards(const std::string& mount, std::string path,
                 void (*read)(const std::string&, CgroupLimits*),
                 CgroupLimits* limits) {
  while (!path.empty()) {
    read(absl::StrCat(mount, path), limits);
    path.resize(path.rfind('/'));
  }
  read(mount, limits);
}

}  // namespace

CgroupLimits ReadCgroupLimits(const std::string& root) {
  CgroupLimits limits;
  const std::string mount = root + "/sys/fs/cgroup";
  for (const std::string& line : ReadWords(root + "/proc/self/cgroup")) {
    // "0::/path" in version 2, "4:memory:/path" in version 1.
    const std::vector<std::string> parts =
        absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (parts.size() < 3 || !parts[2].starts_with('/')) continue;
    if (parts[1].empty()) {
      ReadUpwards(mount, parts[2], ReadGroupV2, &limits);
      continue;
    }
    for (const auto controller : absl::StrSplit(parts[1], ',')) {
      if (controller == "cpu") {
        ReadUpwards(mount + "/cpu", parts[2], ReadCpuGroupV1, &limits);
      } else if (controller == "memory") {
        ReadUpwards(mount + "/memory", parts[2], ReadMemoryGroupV1, &limits);
      }
    }
  }
  return limits;
}

int AvailableCpus() {
  cpu_set_t allowed;
  const int cores = sched_getaffinity(0, sizeof(allowed), &allowed) == 0
                        ? CPU_COUNT(&allowed)
                        : static_cast<int>(std::thread::hardware_concurrency());
  const double quota = ReadCgroupLimits("").cpus.value_or(cores);
  return std::max(1,
                  static_cast<int>(std::min<double>(cores, std::ceil(quota))));
}

int PollersFor(int threads) { return std::max(1, threads / 2); }

int64_t AvailableMemory() {
  const int64_t physical =
      int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  return std::min(physical,
                  ReadCgroupLimits("").memory_bytes.value_or(physical));
}

}  // namespace reductor
