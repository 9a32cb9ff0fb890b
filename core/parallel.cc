#include "core/parallel.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <map>
#include <vector>

#include "absl/base/const_init.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"

namespace reductor {
namespace {

// The CPUs that the calling thread may run on; none if there are more than a
// cpu_set_t holds.
std::vector<int> AllowedCpus() {
  cpu_set_t allowed;
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &allowed)) cpus.push_back(cpu);
  }
  return cpus;
}

// A thread that cannot be moved runs where it is.
void RunOn(pthread_t thread, absl::Span<const int> cpus) {
  cpu_set_t chosen;
  CPU_ZERO(&chosen);
  for (const int cpu : cpus) CPU_SET(cpu, &chosen);
  (void)pthread_setaffinity_np(thread, sizeof(chosen), &chosen);
}

// Keeps each worker on a CPU of its own, beside those of the callers: Linux
// would let a short burst of work end before it moves a worker that woke
// where its caller runs. The threads that call are left alone. So are workers
// that are fewer than the CPUs: servers that share a machine would all choose
// the same ones.
class Pinning : public tbb::task_scheduler_observer {
 public:
  Pinning(tbb::task_arena& arena, int threads)
      : task_scheduler_observer(arena),
        cpus_(AllowedCpus()),
        slots_(static_cast<int>(cpus_.size()) == threads ? threads : 0) {
    for (size_t i = 0; i < slots_.size(); ++i) slots_[i].cpu = cpus_[i];
    observe(true);
  }
  ~Pinning() override { observe(false); }

  void on_scheduler_entry(bool is_worker) override {
    const auto index =
        static_cast<size_t>(tbb::this_task_arena::current_thread_index());
    Slot* const slot = index < slots_.size() ? &slots_[index] : nullptr;
    if (is_worker) {
      PutWorker(slot);
    } else if (slot != nullptr) {
      PutCaller(*slot);
    }
  }

 private:
  // A thread's place in the arena, and the CPU for it.
  struct Slot {
    std::atomic<int> cpu;
    // Those that took it last: one works, and others may sleep. They live as
    // long as pools.
    std::vector<pthread_t> workers;
  };

  // The calling worker goes to the CPU of the slot that it took; without one,
  // anywhere.
  void PutWorker(Slot* slot) {
    if (slot == taken_) return;
    const pthread_t self = pthread_self();
    {
      const absl::MutexLock lock(&mutex_);
      if (taken_ != nullptr) std::erase(taken_->workers, self);
      taken_ = slot;
      if (slot != nullptr) slot->workers.push_back(self);
    }
    if (slot == nullptr) return RunOn(self, cpus_);
    // Not under the lock, as it may have to wait for the CPU; so a caller may
    // have moved it meanwhile.
    for (int cpu = -1; cpu != slot->cpu;) RunOn(self, {cpu = slot->cpu});
  }

  // The slot of a caller gets the CPU where this runs, and the slot that had it
  // gets the other one, with its worker. That could not leave by itself:
  // asleep, it would wake on the CPU that it should leave, and not run until
  // Linux takes that from the caller, 3 ms later (calls of 8 MiB one after
  // the other, Zen 4: 58 us each, 130 so, 95 with one thread).
  void PutCaller(Slot& slot) {
    const int cpu = sched_getcpu();
    if (cpu == slot.cpu) return;
    const absl::MutexLock lock(&mutex_);
    const auto other =
        std::find_if(slots_.begin(), slots_.end(),
                     [cpu](const Slot& each) { return each.cpu == cpu; });
    if (other == slots_.end()) return;
    other->cpu = slot.cpu.exchange(cpu);
    for (const pthread_t worker : other->workers) RunOn(worker, {other->cpu});
  }

  // Of all pools: workers go from one to another.
  static inline absl::Mutex mutex_{absl::kConstInit};
  static inline thread_local Slot* taken_ = nullptr;

  const std::vector<int> cpus_;
  std::vector<Slot> slots_;  // None: the workers are left alone.
};

struct Pool {
  explicit Pool(int threads) : arena(threads), pinning(arena, threads) {}

  tbb::task_arena arena;
  Pinning pinning;
};

// The library starts one worker fewer than there are cores unless told
// otherwise. Told once and for all: it does not follow a limit that rises.
constexpr int kMostThreads = 1024;

// A pool for each number of threads that was asked for, and all are kept: when
// one goes its workers still look for work while the next one starts others,
// and some hundred changes end with hundreds of threads that only look.
struct Pools {
  tbb::global_control limit{tbb::global_control::max_allowed_parallelism,
                            kMostThreads};
  std::map<int, Pool> by_threads;
  Pool* current = Get(tbb::info::default_concurrency());

  Pool* Get(int threads) {
    return &by_threads.try_emplace(threads, threads).first->second;
  }
};

Pools& ThePools() {
  static auto& pools = *new Pools;
  return pools;
}

}  // namespace

void SetThreads(int threads) { ThePools().current = ThePools().Get(threads); }

int Threads() { return ThePools().current->arena.max_concurrency(); }

void parallel_internal::Run(int64_t n, absl::FunctionRef<void(int64_t)> body) {
  ThePools().current->arena.execute(
      [&] { tbb::parallel_for(int64_t{0}, n, body); });
}

}  // namespace reductor
