// Counts in double: nothing overflows.
#include "core/waves.h"

#include <algorithm>

#include "core/kernels.h"
#include "core/parallel.h"

namespace reductor {
namespace {

int64_t FewRangesPerWave() { return std::max(16, FewForEachThread()); }

// 16 MiB of most tensors, so that threads seldom wait for each other at the end
// of a wave: two threads at 8 MiB, in cache, gain 1.4 by waves of 4 MiB.
int64_t MaxRangesPerWave() { return 2 * FewRangesPerWave(); }

// What a range has of states and results, on average, before fewer are folded
// at a time; and what more than a few have together.
constexpr double kMaxRangeBytes = 1 << 20;
constexpr double kMaxManyBytes = 1 << 20;

}  // namespace

double StateAndResultBytes(const Plan& plan, const Nest& nest) {
  const Kernel& kernel = *plan.kernel;
  const int64_t state_size = nest.ranges_are_final() ? 0 : kernel.state_size;
  return static_cast<double>(nest.WidthOf(nest.range_steps)) *
         static_cast<double>(state_size + kernel.output_size);
}

int64_t RangesPerWave(const Plan& plan, const Nest& nest) {
  // Some are cut finer, strips above all: as many bytes of them as of others.
  const int64_t range_bytes =
      nest.ElementsOf(nest.range_steps) * SizeOf(plan.dtype);
  const int64_t most =
      MaxRangesPerWave() * std::max<int64_t>(1, kRangeBytes / range_bytes);
  const double few = static_cast<double>(FewRangesPerWave());
  if (nest.is_strips()) {
    // Or of their results, which a row has a part of (places in 2 x 200,000
    // uint8, 32 MiB, Zen 3: 0.4 GB/s by results of 64 MiB, whose pages are new
    // each time).
    const double results =
        static_cast<double>(nest.range_steps * plan.kernel->output_size) /
        static_cast<double>(nest.strip_rows());
    return static_cast<int64_t>(
        std::min(static_cast<double>(most), few * kMaxRangeBytes / results));
  }
  const double bytes = StateAndResultBytes(plan, nest);
  const double allowed = std::max(std::min(few, few * kMaxRangeBytes / bytes),
                                  kMaxManyBytes / bytes);
  return std::clamp(static_cast<int64_t>(allowed), int64_t{1}, most);
}

}  // namespace reductor
