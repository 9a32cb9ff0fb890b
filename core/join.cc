#include "core/join.h"

namespace reductor {

Join::Join(const Nest& nest, const Kernel& kernel) : kernel_(kernel) {
  for (size_t l = 0; l <= nest.cut; ++l) {
    const Level& level = nest.levels[l];
    const bool is_cut = l == nest.cut;
    // A step of the cut level is a range: a wide step where it is kept, though
    // the last one may be narrower.
    const int64_t step_width = is_cut && !level.reduced
                                   ? level.step_width * nest.range_steps
                                   : level.step_width;
    loops_.push_back({.cascade = Cascade(kernel, step_width),
                      .extent = is_cut ? nest.ranges_per_level : level.extent,
                      .reduced = level.reduced,
                      .step_width = step_width});
  }
}

void Join::Add(const std::byte* states, int64_t n, int64_t ranges, Emit emit) {
  // AddStep() counts the last of them.
  loops_.back().step += ranges - 1;
  AddStep(static_cast<int64_t>(loops_.size()) - 1, states, n, emit);
}

void Join::AddStep(int64_t l, const std::byte* states, int64_t n, Emit emit) {
  // Kept loops only place the states; the nearest reduced one combines them.
  int64_t first = 0;
  int64_t r = l;
  for (; r >= 0 && !loops_[r].reduced; --r) {
    first += loops_[r].step * loops_[r].step_width;
  }
  if (r < 0) {
    emit(states, n);
  } else if (r == l && loops_[r].extent == 1) {
    // A sole child is the total of its cascade.
    return AddStep(r - 1, states, n, emit);
  } else {
    kernel_.combine(loops_[r].cascade.open() + first * kernel_.state_size,
                    states, 1, 1, n);
  }
  for (int64_t k = l; k > r; --k) {
    if (++loops_[k].step < loops_[k].extent) return;
    loops_[k].step = 0;
  }
  if (r < 0) return;
  Loop& loop = loops_[r];
  loop.cascade.CloseChildren(1);
  if (++loop.step < loop.extent) return;
  loop.step = 0;
  AddStep(r - 1, loop.cascade.Total(), loop.step_width, emit);
}

}  // namespace reductor
