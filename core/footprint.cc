// Counts in double: the bounds need no exactness, and overflow nothing.
#include "core/footprint.h"

#include <algorithm>
#include <limits>

#include "core/cascade.h"
#include "core/kernels.h"
#include "core/parallel.h"
#include "core/strip_fold.h"
#include "core/waves.h"

namespace reductor {
namespace {

int64_t ToBytes(double bytes) {
  return bytes < 0x1p63 ? static_cast<int64_t>(bytes)
                        : std::numeric_limits<int64_t>::max();
}

// The states that a thread folds into: final ones, of which a trial's are
// smaller; beside others, which StateAndResultBytes() counts, those of the
// trial.
double FoldBytes(const Kernel& kernel, const Nest& nest) {
  const bool are_final = nest.ranges_are_final();
  if (!are_final && kernel.trial == nullptr) return 0;
  const Level& level = nest.levels[nest.cut];
  const int64_t steps =
      are_final ? FinalStepsAtOnce(level, kernel.state_size, level.extent)
                : nest.range_steps;
  const int64_t size = are_final ? kernel.state_size : kernel.trial->state_size;
  return static_cast<double>(nest.WidthOf(steps)) * static_cast<double>(size);
}

// The states of a cascade of `children`, each `width` states wide.
double CascadeBytes(int64_t children, int64_t width, const Kernel& kernel) {
  return static_cast<double>(Cascade::MaxSlots(children)) *
         static_cast<double>(width) * static_cast<double>(kernel.state_size);
}

// How many ranges a wave has.
double RangesAtOnce(const Plan& plan, const Nest& nest) {
  return static_cast<double>(
      std::min(nest.range_count, RangesPerWave(plan, nest)));
}

// Of a tensor of which all has come, or of one that comes in pieces.
enum class Arrival { kWhole, kInPieces };

double StateBytes(const Plan& plan, Arrival arrival) {
  if (plan.is_identity || plan.input_count == 0) return 0;
  const Kernel& kernel = *plan.kernel;
  const Nest nest = MakeNest(plan);
  // Strips have no states but those that wait for the next rows, or of whole
  // columns those that a thread folds.
  const bool are_whole_columns = nest.is_strips() &&
                                 arrival == Arrival::kWhole &&
                                 StripFold::FoldsWholeColumns(nest, kernel);
  const double range = nest.is_strips() ? 0 : StateAndResultBytes(plan, nest);
  // What a thread has while it folds a range, the cascades too.
  double fold = nest.is_strips() ? 0 : FoldBytes(kernel, nest);
  double join = 0;
  for (size_t l = 0; l < nest.levels.size(); ++l) {
    const Level& level = nest.levels[l];
    if (!level.reduced) continue;
    if (l > nest.cut) {
      fold += CascadeBytes(level.extent, level.step_width, kernel);
    } else if (l < nest.cut) {
      const bool is_one_chain = nest.is_strips() && kernel.is_exact;
      const int64_t children = is_one_chain ? 1 : level.extent;
      if (are_whole_columns) {
        fold += CascadeBytes(children, nest.range_steps, kernel);
      } else {
        join += CascadeBytes(children, level.step_width, kernel);
      }
    } else {
      fold += CascadeBytes(nest.range_steps, level.step_width, kernel);
      join += CascadeBytes(nest.ranges_per_level, level.step_width, kernel);
    }
  }
  const double ranges = RangesAtOnce(plan, nest);
  const double at_once =
      are_whole_columns ? static_cast<double>(nest.ranges_per_level) : ranges;
  return ranges * range + std::min<double>(at_once, Threads()) * fold + join;
}

double OpenResultBytesOf(const Plan& plan) {
  if (plan.is_identity) return 0;
  if (plan.input_count == 0) return static_cast<double>(plan.output_bytes());
  const Nest nest = MakeNest(plan);
  const auto outermost =
      std::find_if(nest.levels.begin(), nest.levels.end(),
                   [](const Level& level) { return level.reduced; });
  if (outermost == nest.levels.end()) return 0;
  return static_cast<double>(outermost->step_width) *
         static_cast<double>(SizeOf(plan.output_dtype));
}

// The results that a wave of strips ends, as against those that it leaves open.
double StripResultBytes(const Plan& plan) {
  if (plan.is_identity || plan.input_count == 0) return 0;
  const Nest nest = MakeNest(plan);
  if (!nest.is_strips()) return 0;
  // Of whole columns there are a few strips at least.
  const double strips = std::max<double>(
      RangesAtOnce(plan, nest) / static_cast<double>(nest.strip_rows()),
      std::min<double>(static_cast<double>(nest.ranges_per_level),
                       FewForEachThread()));
  const double results = strips * static_cast<double>(nest.range_steps);
  return std::min(results * static_cast<double>(SizeOf(plan.output_dtype)),
                  static_cast<double>(plan.output_bytes()));
}

template <class BytesOf>
int64_t Sum(absl::Span<const Plan> plans, BytesOf bytes_of) {
  double sum = 0;
  for (const Plan& plan : plans) sum += bytes_of(plan);
  return ToBytes(sum);
}

}  // namespace

int64_t WorkingBytes(absl::Span<const Plan> plans) {
  return Sum(plans, [](const Plan& plan) {
    return StateBytes(plan, Arrival::kWhole) +
           static_cast<double>(plan.output_bytes());
  });
}

int64_t PiecewiseWorkingBytes(absl::Span<const Plan> plans) {
  return Sum(plans, [](const Plan& plan) {
    return StateBytes(plan, Arrival::kInPieces) + StripResultBytes(plan) +
           OpenResultBytesOf(plan);
  });
}

int64_t OpenResultBytes(absl::Span<const Plan> plans) {
  return Sum(plans, OpenResultBytesOf);
}

}  // namespace reductor
