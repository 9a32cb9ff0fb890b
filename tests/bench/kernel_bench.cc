// How fast one reduction runs beside the mere reading of its bytes: every
// operator x type x layout x size x threads, by names such as
//
//   ReduceL1/float32/KR8/8MiB/1        operator/type/layout/size/threads
//
// A layout says which dims are kept (K) and which are reduced (R), slowest
// first, with the extents that count: KR8 is rows of 8, RK3 is 3 columns,
// KRK8x8 is slabs of 8 rows of 8 columns. "tiny" is 24 elements.
//
//   kernel_bench --benchmark_filter='ReduceL1/float32/.*/8MiB/1/'
//
// Each turn reads the bytes and then reduces them, so that both see the same
// caches and the same noise; GB/s and the fraction of the roofline, the reading
// speed, are of the medians. Where there are several threads each turn begins
// with the same on one, and "speedup" says how much longer that takes.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/parallel.h"
#include "core/plan.h"
#include "core/reduce.h"
#include "service/allocator.h"
#include "tests/bench/random_elements.h"
#include "tests/bench/read_bytes.h"
#include "tests/bench/timing.h"
#include "tests/core/tensors.h"

namespace reductor {
namespace {

using Clock = std::chrono::steady_clock;

struct Layout {
  std::string name;
  std::vector<int64_t> shape;  // -1: as many as the size allows.
  std::vector<int64_t> axes;
};

std::vector<Layout> Layouts() {
  std::vector<Layout> layouts = {{"R", {-1}, {0}}};
  for (const int64_t n : {2, 3, 8, 17, 64, 1000, 16384}) {
    layouts.push_back({absl::StrCat("KR", n), {-1, n}, {1}});
  }
  for (const int64_t k : {3, 16, 100, 1024, 4096, 65536}) {
    layouts.push_back({absl::StrCat("RK", k), {-1, k}, {0}});
  }
  for (const auto& [rows, columns] :
       {std::pair<int64_t, int64_t>{256, 4096}, {64, 256}, {8, 8}}) {
    layouts.push_back(
        {absl::StrCat("KRK", rows, "x", columns), {-1, rows, columns}, {1}});
  }
  layouts.push_back({"RKR64x256", {-1, 64, 256}, {0, 2}});
  return layouts;
}

struct Size {
  const char* name;
  int64_t bytes;
};
constexpr Size kSizes[] = {{"512KiB", int64_t{512} << 10},
                           {"8MiB", int64_t{8} << 20},
                           {"256MiB", int64_t{256} << 20}};

// The elements of the last benchmark, for the next one that wants the same.
const std::string& Elements(DType dtype, int64_t bytes) {
  static auto& cached = *new std::map<std::pair<DType, int64_t>, std::string>;
  const auto found = cached.find({dtype, bytes});
  if (found != cached.end()) return found->second;
  cached.clear();
  return cached[{dtype, bytes}] = RandomElements(dtype, bytes);
}

// Seconds of one turn.
struct Turn {
  double reading;
  double reducing;
};

struct Case {
  ReduceSpec reduction;
  DType dtype;
  Layout layout;
  int64_t bytes;
  int threads;
};

void Run(benchmark::State& state, const Case& c) {
  SetThreads(c.threads);
  int64_t count = c.bytes / SizeOf(c.dtype);
  std::vector<int64_t> shape = c.layout.shape;
  for (const int64_t extent : shape) {
    if (extent > 0) count /= extent;
  }
  int64_t elements = 1;
  for (int64_t& extent : shape) {
    if (extent < 0) extent = std::max<int64_t>(count, 1);
    elements *= extent;
  }
  const int64_t bytes = elements * SizeOf(c.dtype);
  const std::string& x = Elements(c.dtype, bytes);
  const absl::Cord data = absl::MakeCordFromExternal(x, [] {});
  ReduceSpec reduction = c.reduction;
  reduction.axes = c.layout.axes;
  const std::vector<Plan> plans =
      MakePlans(RequestFor(c.dtype, shape, reduction)).value();

  if (c.layout.name == "tiny") {
    for (auto _ : state) benchmark::DoNotOptimize(Reduce(plans, data));
    return;
  }
  // The first call has the system bring pages for the results, which later ones
  // take again.
  benchmark::DoNotOptimize(Reduce(plans, data));
  const auto measure = [&](int threads) {
    if (c.threads > 1) {
      SetThreads(threads);
      // The first threads to come find their CPUs.
      benchmark::DoNotOptimize(Reduce(plans, data));
    }
    const Clock::time_point start = Clock::now();
    benchmark::DoNotOptimize(ReadBytes(x.data(), bytes, threads));
    const Clock::time_point middle = Clock::now();
    benchmark::DoNotOptimize(Reduce(plans, data));
    const Clock::time_point end = Clock::now();
    return Turn{Seconds(middle - start), Seconds(end - middle)};
  };
  std::vector<double> reading;
  std::vector<double> reducing;
  std::vector<double> speedup;
  for (auto _ : state) {
    std::optional<Turn> alone;
    if (c.threads > 1) alone = measure(1);
    const Turn turn = measure(c.threads);
    reading.push_back(turn.reading);
    reducing.push_back(turn.reducing);
    if (alone.has_value()) speedup.push_back(alone->reducing / turn.reducing);
    state.SetIterationTime(turn.reducing);
  }
  state.counters["GB/s"] = static_cast<double>(bytes) / Median(reducing) / 1e9;
  state.counters["roofline"] = Median(reading) / Median(reducing);
  if (!speedup.empty()) state.counters["speedup"] = Median(speedup);
}

void Register(const std::string& name, Case c) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [c](benchmark::State& state) { Run(state, c); })
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

// Whether the first elements (random_elements.h) are all that it reads.
bool EndsAtOnce(Operator op, DType dtype) {
  return dtype == DType::kBool &&
         (op == Operator::kReduceMin || op == Operator::kReduceLogicalAnd);
}

void RegisterAll() {
  for (const Operator op : kOperators) {
    for (const DType dtype : kDTypes) {
      const std::optional<ReduceSpec> reduction = SpecFor(op, dtype);
      if (!reduction.has_value() || EndsAtOnce(op, dtype)) continue;
      const std::string prefix =
          absl::StrCat(NameOf(op), "/", NameOf(dtype), "/");
      benchmark::RegisterBenchmark(
          absl::StrCat(prefix, "tiny").c_str(),
          [c = Case{*reduction, dtype, {"tiny", {2, 3, 4}, {1}}, 1, 1}](
              benchmark::State& state) { Run(state, c); });
      for (const Layout& layout : Layouts()) {
        if (IsPosition(op) && layout.axes.size() > 1) continue;
        for (const Size& size : kSizes) {
          for (const int threads : {1, 2}) {
            Register(
                absl::StrCat(prefix, layout.name, "/", size.name, "/", threads),
                {*reduction, dtype, layout, size.bytes, threads});
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace reductor

int main(int argc, char** argv) {
  reductor::TuneAllocator(/*threads=*/2);
  reductor::RegisterAll();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
