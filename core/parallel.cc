#include "core/parallel.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <memory>
#include <utility>

namespace reductor {
namespace {

// The library starts one worker fewer than there are cores unless told
// otherwise; `allowed` tells it.
struct Pool {
  explicit Pool(int threads)
      : allowed(tbb::global_control::max_allowed_parallelism, threads),
        arena(threads) {}

  tbb::global_control allowed;
  tbb::task_arena arena;
};

std::unique_ptr<Pool>& CurrentPool() {
  static auto& pool = *new std::unique_ptr<Pool>(
      std::make_unique<Pool>(tbb::info::default_concurrency()));
  return pool;
}

}  // namespace

void SetThreads(int threads) {
  CurrentPool() = std::make_unique<Pool>(threads);
}

int Threads() { return CurrentPool()->arena.max_concurrency(); }

void parallel_internal::Run(int64_t n, absl::FunctionRef<void(int64_t)> body) {
  CurrentPool()->arena.execute(
      [&] { tbb::parallel_for(int64_t{0}, n, [&](int64_t i) { body(i); }); });
}

}  // namespace reductor
