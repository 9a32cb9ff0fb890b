// The part of RangeFold that leaves elements unread: those of a row whose first
// ones have made its state absorbing, as a mask's most often do. Of bools, half
// of them set, GB/s to their ends and so:
//   rows of 3,003, 2 MiB             39        77
//   rows of 33,462, 32 MiB           23       545
//   all, 8 MiB                       28    12,000
#include <algorithm>
#include <cstddef>

#include "core/cpu.h"
#include "core/range_fold.h"

namespace reductor {
namespace {

// Rows of fewer elements than so many times those after which a state is asked
// are folded sooner than asked, which takes a call more.
constexpr int64_t kFewestTimes = 10;

// What is read of a row of bools.
constexpr int64_t kPrefetchedBytes = 256;

}  // namespace

int64_t RangeFold::FoldAbsorbing(const std::byte* x, int64_t rows, int64_t n,
                                 std::byte* states, Into into,
                                 Source source) const {
  return EachAbsorbing(rows, n, [&](int64_t r) {
    return FoldUntilAbsorbing(x + r * n * element_size_, n,
                              states + r * kernel_.state_size, into, source);
  });
}

int64_t RangeFold::ReduceAbsorbing(const std::byte* x, int64_t rows, int64_t n,
                                   std::byte* results, Source source) const {
  alignas(std::max_align_t) std::byte state[kMaxStateSize];
  return EachAbsorbing(rows, n, [&](int64_t r) {
    const bool is_absorbing = FoldUntilAbsorbing(x + r * n * element_size_, n,
                                                 state, Into::kNew, source);
    kernel_.finish(state, 1, n, results + r * kernel_.output_size);
    return is_absorbing;
  });
}

template <class Fold>
int64_t RangeFold::EachAbsorbing(int64_t rows, int64_t n,
                                 const Fold& fold) const {
  if (kernel_.is_absorbing == nullptr ||
      n < kFewestTimes * kernel_.asked_after) {
    return 0;
  }
  int64_t r = 0;
  for (int64_t in_vain = 0; r < rows && 4 * in_vain <= r; ++r) {
    if (!fold(r)) ++in_vain;
  }
  return r;
}

bool RangeFold::FoldUntilAbsorbing(const std::byte* x, int64_t n,
                                   std::byte* state, Into into,
                                   Source source) const {
  if (into == Into::kHeld && kernel_.is_absorbing(state)) return true;
  // The CPU does not follow from row to row.
  for (int64_t b = 0; b < kPrefetchedBytes; b += kLineBytes) {
    __builtin_prefetch(x + n * element_size_ + b);
  }
  const int64_t first = std::min(n, kernel_.asked_after);
  kernel_.fold_rows(x, 1, first, state, into, source);
  if (first == n) return false;
  if (kernel_.is_absorbing(state)) return true;
  kernel_.fold_rows(x + first * element_size_, 1, n - first, state, Into::kHeld,
                    source);
  return false;
}

}  // namespace reductor
