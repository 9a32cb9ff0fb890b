// The part of RangeFold that leaves elements unread: those of a row whose first
// ones have made its state absorbing, as a mask's most often do. Of bools, half
// of them set, GB/s to their ends, then by this:
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

// States are asked as long as no more than one of so many was asked in vain:
// once the first one was, no other is.
constexpr int64_t kAskedForOneInVain = 4;

// What is read of a row of bools.
constexpr int64_t kPrefetchedBytes = 256;

}  // namespace

bool RangeFold::IsAsked(int64_t n) const {
  return kernel_.is_absorbing != nullptr &&
         n >= kFewestTimes * kernel_.asked_after &&
         kAskedForOneInVain * asked_in_vain_ <= asked_;
}

int64_t RangeFold::FoldAbsorbing(const std::byte* x, int64_t rows, int64_t n,
                                 std::byte* states, Into into, Source source) {
  return EachAbsorbing(x, rows, n, [&](const std::byte* row, int64_t r) {
    FoldUntilAbsorbing(row, n, states + r * kernel_.state_size, into, source);
  });
}

int64_t RangeFold::ReduceAbsorbing(const std::byte* x, int64_t rows, int64_t n,
                                   std::byte* results, Source source) {
  alignas(std::max_align_t) std::byte state[kMaxStateSize];
  return EachAbsorbing(x, rows, n, [&](const std::byte* row, int64_t r) {
    FoldUntilAbsorbing(row, n, state, Into::kNew, source);
    kernel_.finish(state, 1, n, results + r * kernel_.output_size);
  });
}

template <class Fold>
int64_t RangeFold::EachAbsorbing(const std::byte* x, int64_t rows, int64_t n,
                                 const Fold& fold) {
  int64_t r = 0;
  for (; r < rows && IsAsked(n); ++r) {
    const std::byte* const row = x + r * n * element_size_;
    if (r + 1 < rows) {
      // The CPU does not follow from row to row.
      for (int64_t b = 0; b < kPrefetchedBytes; b += kLineBytes) {
        __builtin_prefetch(row + n * element_size_ + b);
      }
    }
    fold(row, r);
  }
  return r;
}

void RangeFold::FoldUntilAbsorbing(const std::byte* x, int64_t n,
                                   std::byte* state, Into into, Source source) {
  if (into == Into::kHeld && IsAbsorbing(kernel_, state)) return;
  const int64_t first = std::min(n, kernel_.asked_after);
  kernel_.fold_rows(x, 1, first, state, into, source);
  ++asked_;
  if (first == n || IsAbsorbing(kernel_, state)) return;
  ++asked_in_vain_;
  kernel_.fold_rows(x + first * element_size_, 1, n - first, state, Into::kHeld,
                    source);
}

}  // namespace reductor
