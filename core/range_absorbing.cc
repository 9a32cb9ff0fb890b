// The part of RangeFold that leaves elements unread: those of a row whose first
// ones have made its state absorbing, as a mask's most often do.
#include <algorithm>
#include <cstddef>

#include "core/order.h"
#include "core/range_fold.h"

namespace reductor {
namespace {

// The first elements of a row, after which its state is asked. They cost a call
// more, of which the next ones are folded by another.
constexpr int64_t kFirstBytes = 1024;

// Shorter rows are folded sooner than asked.
constexpr int64_t kFewestRowBytes = 4 * kFirstBytes;

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
  if (kernel_.is_absorbing == nullptr || n * element_size_ < kFewestRowBytes) {
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
  const int64_t first = std::min(n, kFirstBytes / element_size_);
  kernel_.fold_rows(x, 1, first, state, into, source);
  if (first == n) return false;
  if (kernel_.is_absorbing(state)) return true;
  kernel_.fold_rows(x + first * element_size_, 1, n - first, state, Into::kHeld,
                    source);
  return false;
}

}  // namespace reductor
