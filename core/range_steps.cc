// The part of RangeFold that folds the steps of a reduced level above others.
#include <algorithm>
#include <cassert>

#include "core/range_fold.h"

namespace reductor {
namespace {

// As many states of steps that are folded together stay in the L1 cache.
constexpr int64_t kStepStates = 1024;

// The most states of a nest that is folded together with others.
constexpr int64_t kNestStates = kStepStates / 2;

}  // namespace

void RangeFold::FoldSteps(size_t l, int64_t steps, std::byte* states,
                          Into into) {
  Cascade& cascade = cascades_[l];
  for (int64_t i = 0; i < steps; ++i) {
    FoldLevel(l + 1, levels_[l + 1].extent, cascade.OpenUnset(),
              IntoOpen(cascade));
    cascade.CloseChildren(1);
  }
  TakeTotal(l, states, into);
}

bool RangeFold::IsSmallNest(size_t l) const {
  const Level& level = levels_[l];
  if (is_last(l)) return level.extent <= block_;
  if (is_slab(l, level.extent, Into::kHeld)) return true;
  return !is_last(l + 1) && level.extent * level.step_width <= kNestStates &&
         IsSmallNest(l + 2);
}

int64_t RangeFold::StepsAtOnce(size_t l) const {
  return IsSmallNest(l + 2) ? kStepStates / levels_[l].step_width : 1;
}

void RangeFold::FoldSmallSteps(size_t l, int64_t steps, int64_t at_once,
                               std::byte* states, Into into) {
  const int64_t width = levels_[l].step_width;
  const int64_t rows = levels_[l + 1].extent;
  Scratch below(std::min(at_once, steps) * width * kernel_.state_size);
  for (int64_t count; steps > 0; steps -= count) {
    count = std::min(steps, at_once);
    FoldKept(l + 1, count * rows, below.data(), Into::kNew);
    if (kernel_.is_exact) {
      // Which places could not be, but they never have a second reduced level.
      assert(!kernel_.finds_places);
      CombineByHalves(below.data(), count, width);
      Take(below.data(), width, states, into);
      into = Into::kHeld;
    } else {
      CloseSteps(l, below.data(), count);
    }
  }
  if (!kernel_.is_exact) TakeTotal(l, states, into);
}

void RangeFold::FoldSmallNests(size_t l, int64_t steps, std::byte* states,
                               Into into) {
  const int64_t width = levels_[l].step_width;
  const int64_t rows = levels_[l + 1].extent;
  const int64_t at_once = std::min(steps, kStepStates / (rows * width));
  const int64_t state_bytes = width * kernel_.state_size;
  Scratch below(at_once * rows * state_bytes);
  const bool are_chains = IsOneChain(rows, into);
  for (int64_t count; steps > 0; steps -= count) {
    count = std::min(steps, at_once);
    FoldKept(l + 2, count * rows * levels_[l + 2].extent, below.data(),
             Into::kNew);
    if (are_chains) {
      if (into == Into::kNew) kernel_.init(states, count * width);
      kernel_.combine(states, below.data(), count, rows, width);
    } else {
      for (int64_t s = 0; s < count; ++s) {
        CloseSteps(l + 1, below.data() + s * rows * state_bytes, rows);
        TakeTotal(l + 1, states + s * state_bytes, into);
      }
    }
    states += count * state_bytes;
  }
}

void RangeFold::CloseSteps(size_t l, const std::byte* states, int64_t steps) {
  const int64_t width = levels_[l].step_width;
  Cascade& cascade = cascades_[l];
  for (int64_t count; steps > 0; steps -= count) {
    count = std::min(steps, cascade.room());
    kernel_.combine(cascade.open(), states, 1, count, width);
    cascade.CloseChildren(count);
    states += count * width * kernel_.state_size;
  }
}

}  // namespace reductor
