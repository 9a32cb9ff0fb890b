// What several reductions of one upload cost beside one of them: they share the
// upload and one pass over the tensor, block by block while it is in cache.
//
// Prints the time in core and the CPU time of a server, for min + max + mean +
// L2 of 64 MiB of float32 over the same for each alone: medians of interleaved
// runs, and the ratio to the dearest one.
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "client/client.h"
#include "core/parallel.h"
#include "core/plan.h"
#include "core/reduce.h"
#include "tests/bench/timing.h"
#include "tests/service/server_process.h"

namespace reductor {
namespace {

constexpr int64_t kElements = 16 << 20;
constexpr Operator kFour[] = {Operator::kReduceMin, Operator::kReduceMax,
                              Operator::kReduceMean, Operator::kReduceL2};

using Operators = std::vector<Operator>;

// The seconds that all threads of the process have run.
double CpuSeconds(pid_t pid) {
  clockid_t clock;
  timespec time;
  if (clock_getcpuclockid(pid, &clock) != 0) std::abort();
  if (clock_gettime(clock, &time) != 0) std::abort();
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

// Runs each set of operators in turn, `rounds` times; prints the medians.
void Compare(const char* what, int rounds,
             const std::function<double(const Operators&)>& measure) {
  std::vector<Operators> sets;
  for (const Operator op : kFour) sets.push_back({op});
  sets.emplace_back(std::begin(kFour), std::end(kFour));
  std::vector<std::vector<double>> times(sets.size());
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < sets.size(); ++i) {
      times[i].push_back(measure(sets[i]));
    }
  }
  double dearest = 0;
  std::printf("%s\n", what);
  for (size_t i = 0; i + 1 < sets.size(); ++i) {
    const double time = Median(times[i]);
    dearest = std::max(dearest, time);
    std::printf("  %-12s %8.2f ms\n", NameOf(sets[i][0]).data(), time * 1e3);
  }
  const double together = Median(times.back());
  std::printf("  %-12s %8.2f ms, %.2f times the dearest one\n", "all four",
              together * 1e3, together / dearest);
}

std::vector<float> Elements() {
  std::vector<float> elements(kElements);
  for (int64_t i = 0; i < kElements; ++i) {
    elements[i] = static_cast<float>(i % 1000) - 300.0f;
  }
  return elements;
}

void CompareInCore(const std::vector<float>& elements) {
  SetThreads(1);
  const absl::Cord data = absl::MakeCordFromExternal(
      {reinterpret_cast<const char*>(elements.data()),
       elements.size() * sizeof(float)},
      [] {});
  Compare("core, one thread", 15, [&data](const Operators& operators) {
    RequestSpec request;
    for (const Operator op : operators)
      request.reductions.push_back({.op = op});
    request.tensor =
        TensorSpec{.dtype = DType::kFloat32,
                   .shape = {kElements},
                   .data_bytes = static_cast<int64_t>(data.size())};
    const std::vector<Plan> plans = MakePlans(request).value();
    const auto start = std::chrono::steady_clock::now();
    (void)reductor::Reduce(plans, data);
    return Seconds(std::chrono::steady_clock::now() - start);
  });
}

void CompareInServer(const std::vector<float>& elements) {
  ServerProcess server({"--listen=127.0.0.1:0"});
  const Client client(Connect(server.AwaitAddress()));
  const Tensor tensor = MakeTensor<float>({kElements}, elements);
  Compare("server CPU", 15, [&](const Operators& operators) {
    std::vector<Reduction> reductions;
    for (const Operator op : operators) reductions.push_back({.op = op});
    const double before = CpuSeconds(server.pid());
    // The lines of all calls fit the pipe that nobody reads meanwhile.
    if (!client.Reduce(tensor, reductions).ok()) std::abort();
    return CpuSeconds(server.pid()) - before;
  });
}

}  // namespace
}  // namespace reductor

int main() {
  const std::vector<float> elements = reductor::Elements();
  reductor::CompareInCore(elements);
  reductor::CompareInServer(elements);
}
