// The loop nest of a plan with its tile, level by level, and the fixed ranges
// that it is cut into for threads. Both depend on the plan alone.
#ifndef REDUCTOR_CORE_NEST_H_
#define REDUCTOR_CORE_NEST_H_

#include <cstddef>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "core/plan.h"

namespace reductor {

// The size of most ranges: small enough that its bytes stay in the L2 cache for
// the next reduction of the same request, large enough that to hand it to a
// thread (about a microsecond), to begin it and to join it (0.3) cost little.
// But 1 MiB is all of many an L2 cache. The bits depend on it. The largest of
// int64, in cache, Zen 4, AVX-512, GB/s by ranges of 256 KiB, 512 KiB and 1
// MiB:
//   all of 512 KiB    101  106  109
//   1,765 columns      71   77   86
//   all of 8 MiB       79   82   89
inline constexpr int64_t kRangeBytes = 512 * 1024;

// The size of a range of what takes long, if there are few states to join: so
// 512 KiB are work for several threads. The bits depend on it. LogSumExp of
// that, two threads, GB/s by 512 and 128 KiB, Intel:
//   all of float32             4.7  8.2
//   rows of 17 float32         3.1  5.7
//   rows of 1,000 float16      2.3  4.5
inline constexpr int64_t kSlowRangeBytes = 128 * 1024;

// The most bytes that one row of a strip of columns (StripFold) has.
inline constexpr int64_t kMostStripBytes = 32 * 1024;
// The fewest that it has, where the rows are many.
inline constexpr int64_t kLeastStripBytes = 8 * 1024;
// The most rows of a strip that a trial folds whole. With the fewest bytes of a
// row that is 64 MiB, or 4 ms in which nobody asks whether the call was
// cancelled. Of the widest rows, without a trial, it is all rows of a strip, if
// they have come (StripFold::FoldsWholeColumns()).
inline constexpr int64_t kMostWholeRows = 8 * 1024;

// Half of a 32 KiB L1 cache: final states are finished before they leave it.
inline constexpr int64_t kCachedStateBytes = 16 * 1024;

// One loop of the nest; a step is one turn of it.
struct Level {
  int64_t extent;
  bool reduced;
  int64_t step_elements = 1;  // Elements below one step.
  int64_t step_width = 1;     // States below one step.

  // States of so many steps, and of the whole level.
  int64_t WidthOf(int64_t steps) const {
    return reduced ? step_width : steps * step_width;
  }
  int64_t width() const { return WidthOf(extent); }
};

// Most tensors have few, which cost no allocation.
using Levels = absl::InlinedVector<Level, 4>;

// The levels of a plan, slowest first; at least one.
// REQUIRES: plan.input_count > 0.
Levels MakeLevels(const Plan& plan);

// The levels, slowest first, then the ranges: each covers `range_steps` steps
// of the level `cut` (the last one of a level may cover fewer), with all levels
// below it, and lies together in memory.
struct Nest {
  Levels levels;
  size_t cut = 0;
  int64_t range_steps = 1;
  int64_t ranges_per_level = 1;
  int64_t range_count = 1;

  // Whether range `index` is the first of its level.
  bool is_first(int64_t index) const { return index % ranges_per_level == 0; }
  // How many steps range `index` covers.
  int64_t StepsOf(int64_t index) const;
  // How many elements, and how many states, a range of `steps` steps has.
  int64_t ElementsOf(int64_t steps) const {
    return steps * levels[cut].step_elements;
  }
  int64_t WidthOf(int64_t steps) const { return levels[cut].WidthOf(steps); }
  // Whether a range is a part of one row of columns of which the next rows hold
  // more, and all reduction there is: so each strip of columns can be folded
  // by itself, from row to row.
  bool is_strips() const;
  // The rows that a result of a strip folds. REQUIRES: is_strips().
  int64_t strip_rows() const { return levels[cut - 1].extent; }
  // Whether no reduced level is cut into ranges or lies above them, so that
  // the states of a range are final.
  bool ranges_are_final() const;
};

// REQUIRES: plan.input_count > 0.
Nest MakeNest(const Plan& plan);

// How many of `most` steps of the level that is cut are folded before their
// final states are finished: of a reduced one, whose steps join, all.
int64_t FinalStepsAtOnce(const Level& cut, int64_t state_size, int64_t most);

}  // namespace reductor

#endif  // REDUCTOR_CORE_NEST_H_
