#include "core/parallel.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <new>
#include <thread>
#include <vector>

namespace reductor {
namespace {

cpu_set_t AllowedCpus() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  EXPECT_EQ(sched_getaffinity(0, sizeof(cpus), &cpus), 0);
  return cpus;
}

bool IsSubset(const cpu_set_t& a, const cpu_set_t& b) {
  cpu_set_t both;
  CPU_AND(&both, &a, &b);
  return CPU_EQUAL(&both, &a);
}

int64_t ThreadsOfThisProcess() {
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return std::distance(begin(threads), end(threads));
}

TEST(ParallelFor, CallsTheBodyOnceForEachIndex) {
  std::vector<std::atomic<int>> calls(1000);
  ParallelFor(1000, [&](int64_t i) { ++calls[i]; });
  for (const std::atomic<int>& each : calls) EXPECT_EQ(each, 1);
}

TEST(ParallelFor, RethrowsWhatABodyThrowsAndWorksAfterwards) {
  SetThreads(2);
  for (const int64_t thrower : {0, 999}) {
    EXPECT_THROW(ParallelFor(1000,
                             [&](int64_t i) {
                               if (i == thrower) throw std::bad_alloc();
                             }),
                 std::bad_alloc);
  }
  std::atomic<int64_t> sum = 0;
  ParallelFor(1000, [&](int64_t i) { sum += i; });
  EXPECT_EQ(sum, 499'500);
}

TEST(ParallelFor, RunsOnAllowedCpusOnly) {
  const cpu_set_t allowed = AllowedCpus();
  std::atomic<int> strays = 0;
  ParallelFor(1000, [&](int64_t) {
    if (!IsSubset(AllowedCpus(), allowed)) ++strays;
  });
  EXPECT_EQ(strays, 0);
}

TEST(ParallelFor, LeavesTheCallingThreadItsCpus) {
  const cpu_set_t before = AllowedCpus();
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> moves = 0;
  ParallelFor(1000, [&](int64_t) {
    if (std::this_thread::get_id() != caller) return;
    const cpu_set_t now = AllowedCpus();
    if (!CPU_EQUAL(&now, &before)) ++moves;
  });
  EXPECT_EQ(moves, 0);
  const cpu_set_t after = AllowedCpus();
  EXPECT_TRUE(CPU_EQUAL(&after, &before));
}

// The workers that come to a ParallelFor() of as many bodies as there are
// threads, each of which waits for all others.
std::vector<pid_t> WorkersThatCome(int threads) {
  const pid_t caller = gettid();
  std::vector<std::atomic<pid_t>> came(threads);
  std::atomic<int> count = 0;
  ParallelFor(threads, [&](int64_t i) {
    came[i] = gettid();
    ++count;
    while (count < threads) std::this_thread::yield();
  });
  std::vector<pid_t> workers;
  for (const pid_t thread : came) {
    if (thread != caller) workers.push_back(thread);
  }
  return workers;
}

TEST(ParallelFor, KeepsEachWorkerOnACpuOfItsOwnWhereverItsCallerGoes) {
  const cpu_set_t allowed = AllowedCpus();
  const int threads = CPU_COUNT(&allowed);
  if (threads < 2) GTEST_SKIP() << "for workers a second CPU is needed";
  SetThreads(threads);
  const std::vector<pid_t> workers = WorkersThatCome(threads);
  ASSERT_EQ(workers.size(), threads - 1);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    cpu_set_t taken;
    CPU_ZERO(&taken);
    CPU_SET(cpu, &taken);
    ASSERT_EQ(sched_setaffinity(0, sizeof(taken), &taken), 0);
    // Asleep as they are, and nothing here wakes them.
    ParallelFor(1, [](int64_t) {});
    for (const pid_t worker : workers) {
      cpu_set_t its;
      ASSERT_EQ(sched_getaffinity(worker, sizeof(its), &its), 0);
      EXPECT_EQ(CPU_COUNT(&its), 1);
      CPU_OR(&taken, &taken, &its);
    }
    EXPECT_EQ(CPU_COUNT(&taken), threads) << "called on CPU " << cpu;
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof(allowed), &allowed), 0);
}

TEST(SetThreads, SaysHowManyWorkAtOnce) {
  SetThreads(3);
  EXPECT_EQ(Threads(), 3);
  std::atomic<int> working = 0;
  std::atomic<int> most = 0;
  ParallelFor(1000, [&](int64_t) {
    const int now = ++working;
    int seen = most;
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    --working;
  });
  EXPECT_LE(most, 3);
  SetThreads(2);
}

TEST(SetThreads, LeavesNoThreadsBehindThatLookForWork) {
  const int64_t before = ThreadsOfThisProcess();
  for (int i = 0; i < 300; ++i) {
    SetThreads(1 + i % 2);
    std::atomic<int64_t> sum = 0;
    ParallelFor(100, [&](int64_t n) { sum += n; });
    EXPECT_EQ(sum, 4950);
  }
  // The library wakes another worker while one is still on its way to sleep.
  EXPECT_LT(ThreadsOfThisProcess(), before + 20);
}

}  // namespace
}  // namespace reductor
