#include "core/nest.h"

#include <algorithm>
#include <bit>

#include "absl/types/span.h"
#include "core/kernels.h"
#include "core/order.h"

namespace reductor {
namespace {

// Columns of which one row and its states are more than the L1 cache holds are
// cut into strips: so the states stay in it, or in the L2 cache at least, from
// row to row, and no ranges of rows have to be joined (ArgMax of 5,000 columns
// of float32, 8 MiB, AVX-512: 13 GB/s by ranges, 42 so). So are fewer columns,
// if a strip still has a page of each row. Of narrower ones the CPU brings more
// than is folded (sums of 3,000 columns of float32 from memory, Intel: 9.8 GB/s
// by strips, 14.5 by ranges).
constexpr int64_t kWideBytes = 40 * 1024;
// Of rows from memory strips have so many bytes at least: the CPU brings more
// than a narrower one folds. Places, from memory, Zen 4, GB/s by strips, then
// by ranges:
//   2,000 columns of int8       12  21
//   4,096 columns of int8       17  19
//   7,000 columns of int8       19  17
//   2,000 columns of int16      17  21
//   4,000 columns of float32    23  19
constexpr int64_t kFewStripBytes = kPageBytes / 3;

// As many threads can share the narrowest of them. More would leave fewer
// elements of a row together in memory.
constexpr int64_t kFewestStrips = 4;

// The most states and results of a slab that goes to its results in one call.
constexpr int64_t kMostSlabBytes = 1024 * 1024;

// Kernels that round nothing take a row of a whole range at once, if their
// lanes hold as much.
static_assert(kLongRowBytes == kRangeBytes);

// Strips are cut at multiples of so many columns, by which the loops go.
constexpr int64_t kStripStep = 128;

// For any a >= 0.
int64_t DivideUp(int64_t a, int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

bool AreAnyReduced(absl::Span<const Level> levels) {
  return std::any_of(levels.begin(), levels.end(),
                     [](const Level& level) { return level.reduced; });
}

// Whether the last level is the columns of the only reduced one.
bool IsColumns(absl::Span<const Level> levels) {
  const size_t n = levels.size();
  return n >= 2 && !levels[n - 1].reduced && levels[n - 2].reduced &&
         !AreAnyReduced(levels.first(n - 2));
}

// Whether no state, or few, are joined where level `cut` is cut.
constexpr int64_t kFewStates = 16;
bool JoinsLittle(absl::Span<const Level> levels, size_t cut) {
  return levels[cut].reduced ? levels[cut].step_width <= kFewStates
                             : !AreAnyReduced(levels.first(cut));
}

// The rows of columns.
int64_t RowsOf(const Levels& levels) { return (levels.end() - 2)->extent; }

// Whether columns are better read row by row than in strips. A slab of few rows
// that is no more than a range goes to its results in one call. And of rows
// from memory the CPU brings more the longer they are. From memory, Zen 3, GB/s
// by strips, then by this:
//   sums of 2 x 30,000 int32                   11  14
//   the largest of 12 x 5,000 float32          17  20
//   sums of 4,096 columns of float32           14  16
//   the largest of 4,096 columns of float32    16  20
bool AreReadWhole(const Plan& plan, int64_t rows, int64_t cols) {
  const int64_t element_size = SizeOf(plan.dtype);
  const int64_t row_bytes = cols * element_size;
  const Kernel& kernel = *plan.kernel;
  if (rows <= kChainRows && rows * row_bytes <= kRangeBytes &&
      cols * (kernel.state_size + kernel.output_size) <= kMostSlabBytes) {
    return true;
  }
  // Larger states cost each range more than that (means and places: 17 GB/s by
  // strips, 11 and 7 so).
  const int64_t few_bytes = std::min<int64_t>(2 * element_size, 8);
  return plan.source() == Source::kMemory && row_bytes <= kMostStripBytes &&
         kernel.state_size <= few_bytes;
}

// Whether the nest is cut into strips.
bool HasStrips(const Plan& plan, const Levels& levels) {
  if (!IsColumns(levels)) return false;
  const Kernel& kernel = *plan.kernel;
  const int64_t state_size =
      kernel.trial == nullptr ? kernel.state_size : kernel.trial->state_size;
  const int64_t cols = levels.back().extent;
  const int64_t element_size = SizeOf(plan.dtype);
  if (AreReadWhole(plan, RowsOf(levels), cols)) return false;
  const int64_t strip_bytes = cols / kFewestStrips * element_size;
  if (strip_bytes >= kPageBytes) return true;
  if (plan.source() == Source::kMemory && strip_bytes < kFewStripBytes) {
    return false;
  }
  // Not multiplied: an extent without its bytes may be any.
  return cols >= DivideUp(kWideBytes, element_size + state_size);
}

// Strips of few rows, and of rows from memory, are wide, others may be as
// narrow as the columns kernel's (sums of 8 x 100,000 int32 in cache and of
// 40,000 columns of int32 from memory, Zen 3: 45 and 18 GB/s by the least, 50
// and 23 so).
int64_t StripElements(const Plan& plan, const Levels& levels) {
  const int64_t rows = RowsOf(levels);
  const bool are_wide = rows <= kChainRows || plan.source() == Source::kMemory;
  const int64_t bytes =
      are_wide ? std::clamp(kMostWholeRows * kLeastStripBytes / rows,
                            kLeastStripBytes, kMostStripBytes)
               : kLeastStripBytes;
  const int64_t most = std::min(bytes / SizeOf(plan.dtype),
                                DivideUp(levels.back().extent, kFewestStrips));
  return DivideUp(most, kStripStep) * kStripStep;
}

}  // namespace

Levels MakeLevels(const Plan& plan) {
  Levels levels;
  // Written member by member: what is read back at once must have been written
  // so, or the CPU waits for it.
  const auto add = [&levels](int64_t extent, bool reduced) {
    Level& level = levels.emplace_back();
    level.extent = extent;
    level.reduced = reduced;
  };
  for (const Loop& loop : plan.loops) add(loop.extent, loop.reduced);
  if (plan.reduced > 1) add(plan.reduced, true);
  // A single element is one column of one row.
  if (plan.inner > 1 || levels.empty()) add(plan.inner, false);

  int64_t elements = 1;
  int64_t width = 1;
  for (size_t l = levels.size(); l-- > 0;) {
    levels[l].step_elements = elements;
    levels[l].step_width = width;
    elements *= levels[l].extent;
    width = levels[l].width();
  }
  return levels;
}

int64_t Nest::StepsOf(int64_t index) const {
  const int64_t first = index % ranges_per_level * range_steps;
  return std::min(range_steps, levels[cut].extent - first);
}

bool Nest::is_strips() const {
  return cut + 1 == levels.size() && IsColumns(levels);
}

bool Nest::ranges_are_final() const {
  const absl::Span<const Level> all = levels;
  return !AreAnyReduced(all.first(ranges_per_level > 1 ? cut + 1 : cut));
}

Nest MakeNest(const Plan& plan) {
  Nest nest{.levels = MakeLevels(plan)};
  const bool has_strips = HasStrips(plan, nest.levels);
  int64_t range_elements = has_strips ? StripElements(plan, nest.levels)
                                      : kRangeBytes / SizeOf(plan.dtype);
  // The fastest level that alone fills a range, or the slowest one.
  size_t& cut = nest.cut;
  cut = nest.levels.size() - 1;
  while (cut > 0 && nest.levels[cut].extent * nest.levels[cut].step_elements <
                        range_elements) {
    --cut;
  }
  if (plan.kernel->joins_slowly && JoinsLittle(nest.levels, cut)) {
    range_elements = kSlowRangeBytes / SizeOf(plan.dtype);
  }
  const Level& level = nest.levels[cut];
  int64_t steps = DivideUp(range_elements, level.step_elements);
  if (!has_strips && steps < level.extent) {
    // Keeps the blocks of a long row and the pairwise joins whole.
    steps = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(steps)));
  }
  nest.range_steps = std::min(level.extent, steps);
  nest.ranges_per_level = DivideUp(level.extent, nest.range_steps);
  nest.range_count = nest.ranges_per_level;
  for (size_t l = 0; l < cut; ++l) nest.range_count *= nest.levels[l].extent;
  return nest;
}

int64_t FinalStepsAtOnce(const Level& cut, int64_t state_size, int64_t most) {
  if (cut.reduced) return most;
  const int64_t few = kCachedStateBytes / state_size / cut.step_width;
  return std::clamp<int64_t>(few, 1, most);
}

}  // namespace reductor
