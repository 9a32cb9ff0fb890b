#include "core/parallel.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>
#include <vector>

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

// Keeps each worker on a CPU of its own, beside that of the last caller: the
// kernel would let a short burst of work end before it moves a worker that woke
// where its caller runs. The threads that call are left alone. So are workers
// that are fewer than the CPUs: servers that share a machine would all choose
// the same ones.
class Pinning : public tbb::task_scheduler_observer {
 public:
  Pinning(tbb::task_arena& arena, int threads)
      : task_scheduler_observer(arena), cpus_(AllowedCpus()) {
    is_pinning_ = static_cast<int>(cpus_.size()) == threads;
    observe(true);
  }
  ~Pinning() override { observe(false); }

  void on_scheduler_entry(bool is_worker) override {
    is_worker_ = is_worker;
    // By another pool.
    if (is_worker && !is_pinning_ && pinned_to_ != kNowhere) {
      pinned_to_ = kNowhere;
      RunOn(cpus_);
    }
  }

  // The caller of a ParallelFor() says where it is.
  void SetCaller() {
    if (!is_pinning_) return;
    const auto at = std::find(cpus_.begin(), cpus_.end(), sched_getcpu());
    caller_.store(static_cast<int>(at - cpus_.begin()),
                  std::memory_order_relaxed);
  }

  // Each thread calls this before it works.
  void Pin() const {
    if (!is_pinning_ || !is_worker_) return;
    const int slot = tbb::this_task_arena::current_thread_index();
    const int cpu =
        cpus_[(caller_.load(std::memory_order_relaxed) + slot) % cpus_.size()];
    if (cpu == pinned_to_) return;
    pinned_to_ = cpu;
    RunOn({cpu});
  }

 private:
  static constexpr int kNowhere = -1;

  // A thread that cannot be moved runs where it is.
  static void RunOn(const std::vector<int>& cpus) {
    cpu_set_t chosen;
    CPU_ZERO(&chosen);
    for (const int cpu : cpus) CPU_SET(cpu, &chosen);
    (void)sched_setaffinity(0, sizeof(chosen), &chosen);
  }

  static inline thread_local bool is_worker_ = false;
  static inline thread_local int pinned_to_ = kNowhere;

  const std::vector<int> cpus_;
  bool is_pinning_ = false;
  std::atomic<int> caller_ = 0;  // Its place in cpus_.
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
  Pool& pool = *ThePools().current;
  pool.pinning.SetCaller();
  pool.arena.execute([&] {
    tbb::parallel_for(int64_t{0}, n, [&](int64_t i) {
      pool.pinning.Pin();
      body(i);
    });
  });
}

}  // namespace reductor
