// The part of PlanFold that leaves ranges unread: those of a tensor that is
// reduced whole, once the state of an earlier one is absorbing
// (range_absorbing.cc leaves elements of a row).
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/kernels.h"
#include "core/plan_fold.h"

namespace reductor {

bool PlanFold::IsSoonAbsorbed(const Range& range) {
  if (!MayBeAbsorbed()) return false;
  if (IsAbsorbed(range)) return true;
  alignas(std::max_align_t) std::byte state[kMaxStateSize];
  FoldOf(range, kernel_)
      .FoldInto(std::min(range.steps, kernel_.asked_after), state, Into::kNew);
  return NoteIfAbsorbing(range, state);
}

bool PlanFold::MayBeAbsorbed() const {
  return kernel_.is_absorbing != nullptr && plan_.output_count == 1;
}

bool PlanFold::IsAbsorbed(const Range& range) const {
  return absorbing_from_.load(std::memory_order_relaxed) < range.begin_byte;
}

bool PlanFold::NoteIfAbsorbing(const Range& range, const std::byte* state) {
  if (!MayBeAbsorbed() || !kernel_.is_absorbing(state)) return false;
  int64_t from = absorbing_from_.load(std::memory_order_relaxed);
  while (range.begin_byte < from &&
         !absorbing_from_.compare_exchange_weak(from, range.begin_byte,
                                                std::memory_order_relaxed)) {
  }
  return true;
}

}  // namespace reductor
