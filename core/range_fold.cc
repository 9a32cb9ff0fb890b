#include "core/range_fold.h"

#include <algorithm>
#include <cstring>

#include "core/order.h"

namespace reductor {
namespace {

// Blocks of a long row that are folded by one call.
constexpr int64_t kMostBlocks = 64;

// The most elements of a slab that a kernel of any slab is given. Of 8 bits few
// columns fill no register, and more rows are sooner folded side by side. Of
// uint8, 8 MiB, Zen 4, GB/s side by side and as slabs:
//   the largest of 140 x 15      11  29
//   means of 140 x 15             7  24
//   the largest of 2,000 x 8     41  24
//   means of 2,000 x 8           27  16
int64_t MostOfAnySlab(int64_t element_size) {
  return element_size == 1 ? 2 * kMaxSlab : kBlockBytes / element_size;
}

}  // namespace

void RangeFold::FoldLevel(size_t l, int64_t steps, std::byte* states,
                          Into into) {
  if (levels_[l].reduced) {
    FoldReduced(l, steps, states, into);
  } else {
    FoldKept(l, steps, states, into);
  }
}

void RangeFold::FoldKept(size_t l, int64_t steps, std::byte* states,
                         Into into) {
  if (is_last(l)) return FoldColumns(1, steps, states, into);
  const Level& below = levels_[l + 1];
  if (is_last(l + 1) && below.extent <= block_) {
    return FoldRows(steps, below.extent, states, into);
  }
  if (is_slab(l + 1, below.extent, into)) {
    return FoldSlabs(steps, below.extent, below.step_width, states, into);
  }
  if (IsGatheredWhole(l + 1)) {
    return FoldGatheredNests(l + 1, steps, GatherOffsets(l + 1, below.extent),
                             states, into);
  }
  if (!is_last(l + 1) && IsSmallNest(l + 1)) {
    return FoldSmallNests(l, steps, states, into);
  }
  const int64_t step_bytes = levels_[l].step_width * kernel_.state_size;
  for (int64_t i = 0; i < steps; ++i) {
    FoldLevel(l + 1, below.extent, states + i * step_bytes, into);
  }
}

void RangeFold::FoldReduced(size_t l, int64_t steps, std::byte* states,
                            Into into) {
  if (is_last(l)) {
    if (steps <= block_ || IsAtHand(steps)) {
      return FoldRows(1, steps, states, into);
    }
    if (IsChainAtHand(steps)) return FoldChain(steps, states, into);
    return FoldLongRow(l, steps, states, into);
  }
  if (is_slab(l, steps, into)) {
    return FoldSlabs(1, steps, levels_[l].step_width, states, into);
  }
  if (is_last(l + 1)) return FoldManyRows(l, steps, states, into);
  if (IsGathered(l)) return FoldGatheredSteps(l, steps, states, into);
  const int64_t at_once = StepsAtOnce(l);
  if (at_once > 1) return FoldSmallSteps(l, steps, at_once, states, into);
  FoldSteps(l, steps, states, into);
}

void RangeFold::CombineByHalves(std::byte* states, int64_t rows,
                                int64_t width) const {
  for (int64_t left = (rows + 1) / 2; rows > 1; left = (left + 1) / 2) {
    kernel_.combine(states, states + left * width * kernel_.state_size, 1, 1,
                    (rows - left) * width);
    rows = left;
  }
}

void RangeFold::TakeTotal(size_t l, std::byte* states, Into into) {
  Take(cascades_[l].Total(), levels_[l].step_width, states, into);
}

void RangeFold::Take(const std::byte* from, int64_t n, std::byte* states,
                     Into into) const {
  if (into == Into::kNew) {
    std::memcpy(states, from, n * kernel_.state_size);
  } else {
    kernel_.combine(states, from, 1, 1, n);
  }
}

bool RangeFold::is_slab(size_t l, int64_t rows, Into into) const {
  if (!is_last(l + 1)) return false;
  const int64_t cols = levels_[l].step_width;
  if (into == Into::kNew && IsSlabOfFewRows(rows, cols, element_size_)) {
    return true;
  }
  const int64_t elements = rows * cols;
  if (TakesAnySlab(kernel_)) {
    return elements <= MostOfAnySlab(element_size_);
  }
  // Others as wide rows. In cache, AVX-512, GB/s by these, then by this:
  //   sums of 70 x 8 float32      23   76
  //   sums of 70 x 8 float64      44  131
  //   sums of 20 x 100 float64    85   77
  if (IsSmallSlab(rows, cols)) return true;
  // Narrow ones up to what is gathered where it is cut; of larger ones
  // FoldRowsSideBySide() takes what lies together.
  return TakesNarrowSlab(rows, cols) && elements * element_size_ <= kBlockBytes;
}

bool RangeFold::IsAtHand(int64_t n) {
  const int64_t bytes = n * element_size_;
  return kernel_.is_exact && bytes <= kernel_.max_row_bytes &&
         bytes <= reader_.contiguous();
}

void RangeFold::FoldRows(int64_t rows, int64_t n, std::byte* states,
                         Into into) {
  EachRun(rows, n,
          [&](const std::byte* x, int64_t first, int64_t whole, Source source) {
            std::byte* const to = states + first * kernel_.state_size;
            const int64_t begun = FoldAbsorbing(x, whole, n, to, into, source);
            if (begun == whole) return;
            kernel_.fold_rows(x + begun * n * element_size_, whole - begun, n,
                              to + begun * kernel_.state_size, into, source);
          });
}

void RangeFold::FoldSlabs(int64_t slabs, int64_t rows, int64_t cols,
                          std::byte* states, Into into) {
  const int64_t state_bytes = cols * kernel_.state_size;
  EachRun(slabs, rows * cols,
          [&](const std::byte* x, int64_t first, int64_t whole, Source source) {
            kernel_.fold_slabs(x, whole, rows, cols,
                               states + first * state_bytes, into, source);
          });
}

bool RangeFold::IsChainAtHand(int64_t n) {
  return !kernel_.is_exact && n <= kChainRows * block_ &&
         n * element_size_ <= reader_.contiguous();
}

void RangeFold::FoldChain(int64_t n, std::byte* states, Into into) {
  const Source source = NextSource();
  const std::byte* const x = reader_.Take(n * element_size_);
  int64_t blocks = n / block_;
  const int64_t rest = n - blocks * block_;
  // As rows of their own, whose lanes join while the next row is loaded.
  std::byte* const each =
      wide_.Reserve((blocks + (rest > 0 ? 1 : 0)) * kernel_.state_size);
  kernel_.fold_rows(x, blocks, block_, each, Into::kNew, source);
  if (rest > 0) {
    kernel_.fold_rows(x + blocks * block_ * element_size_, 1, rest,
                      each + blocks * kernel_.state_size, Into::kNew, source);
    ++blocks;
  }
  kernel_.combine(each, each + kernel_.state_size, 1, blocks - 1, 1);
  Take(each, 1, states, into);
}

void RangeFold::FoldLongRow(size_t l, int64_t n, std::byte* states, Into into) {
  Cascade& cascade = cascades_[l];
  const int64_t longest = std::min(n, kernel_.max_row_bytes / element_size_);
  while (n > 0) {
    const int64_t contiguous = reader_.contiguous() / element_size_;
    const int64_t size = std::min(n, contiguous < longest ? block_ : longest);
    // Exact ones need no cascade: one chain takes all.
    const int64_t room = kernel_.is_exact ? kMostBlocks : cascade.room();
    const int64_t whole =
        std::clamp<int64_t>(contiguous / size, 1, std::min(n / size, room));
    FoldBlocks(whole, size, cascade.open());
    if (!kernel_.is_exact) cascade.CloseChildren(whole);
    n -= whole * size;
  }
  TakeTotal(l, states, into);
}

void RangeFold::FoldBlocks(int64_t blocks, int64_t size, std::byte* state) {
  const Source source = NextSource();
  const std::byte* x = reader_.Take(blocks * size * element_size_);
  if (IsAbsorbing(kernel_, state)) return;
  if (IsAsked(size)) {
    FoldUntilAbsorbing(x, size, state, Into::kHeld, source);
    if (IsAbsorbing(kernel_, state)) return;
    x += size * element_size_;
    if (--blocks == 0) return;
  }
  // As rows of their own, whose lanes join while the next row is loaded.
  wide_.Reserve(blocks * kernel_.state_size);
  kernel_.fold_rows(x, blocks, size, wide_.data(), Into::kNew, source);
  kernel_.combine(state, wide_.data(), 1, blocks, 1);
}

}  // namespace reductor
