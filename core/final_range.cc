#include "core/final_range.h"

#include <algorithm>

#include "core/scratch.h"

namespace reductor {
namespace {

// Folds some steps at a time, and has finish() make results of their states
// while these are in the cache. False if finish() says that they do not
// suffice, as a trial's may not: then all is to be folded once more, by the
// kernel.
template <class Finish>
bool FoldAndFinish(const Plan& plan, const Level& cut, int64_t steps,
                   int64_t state_size, RangeFold& fold, std::byte* results,
                   const Finish& finish) {
  const int64_t at_once = FinalStepsAtOnce(cut, state_size, steps);
  const Scratch states(cut.WidthOf(at_once) * state_size);
  for (int64_t step = 0; step < steps; step += at_once) {
    const int64_t some = std::min(at_once, steps - step);
    const int64_t width = cut.WidthOf(some);
    fold.FoldInto(some, states.data(), Into::kNew);
    if (!finish(states.data(), width, plan.reduced_count, results)) {
      return false;
    }
    results += width * plan.kernel->output_size;
  }
  return true;
}

}  // namespace

void ReduceFinalRange(const Plan& plan, const Level& cut, int64_t steps,
                      std::byte* results,
                      absl::FunctionRef<RangeFold(const Kernel&)> fold_of) {
  const Kernel& kernel = *plan.kernel;
  RangeFold fold = fold_of(kernel);
  if (fold.Reduce(steps, results)) return;
  // As FoldOutputs() does (trial.h), but a few steps at a time: so a trial may
  // fail late, and then all of the range is folded once more.
  if (kernel.trial != nullptr) {
    RangeFold trial = fold_of(*kernel.trial);
    if (FoldAndFinish(plan, cut, steps, kernel.trial->state_size, trial,
                      results, kernel.finish_trial)) {
      return;
    }
  }
  const auto finish = [&kernel](const std::byte* states, int64_t n,
                                int64_t count, std::byte* to) {
    kernel.finish(states, n, count, to);
    return true;
  };
  FoldAndFinish(plan, cut, steps, kernel.state_size, fold, results, finish);
}

}  // namespace reductor
