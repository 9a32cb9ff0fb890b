#include "core/range_fold.h"

#include <algorithm>
#include <cstring>

namespace reductor {

const std::byte* CordReader::Take(int64_t n) {
  const absl::string_view chunk = absl::Cord::ChunkRemaining(at_);
  if (static_cast<int64_t>(chunk.size()) >= n) {
    absl::Cord::Advance(&at_, n);
    return reinterpret_cast<const std::byte*>(chunk.data());
  }
  for (int64_t filled = 0; filled < n;) {
    const absl::string_view part = absl::Cord::ChunkRemaining(at_);
    const int64_t size =
        std::min<int64_t>(n - filled, static_cast<int64_t>(part.size()));
    std::memcpy(gathered_.data() + filled, part.data(), size);
    absl::Cord::Advance(&at_, size);
    filled += size;
  }
  return gathered_.data();
}

RangeFold::RangeFold(const Kernel& kernel, int64_t element_size,
                     absl::Span<const Level> levels,
                     absl::Cord::CharIterator at)
    : kernel_(kernel),
      element_size_(element_size),
      levels_(levels),
      reader_(at) {
  for (const Level& level : levels) {
    cascades_.emplace_back(kernel, level.step_width);
  }
}

void RangeFold::FoldLevel(size_t l, int64_t steps, std::byte* states) {
  if (levels_[l].reduced) {
    FoldReduced(l, steps, states);
  } else {
    FoldKept(l, steps, states);
  }
}

void RangeFold::FoldKept(size_t l, int64_t steps, std::byte* states) {
  if (is_last(l)) return FoldColumns(1, steps, states);
  const Level& below = levels_[l + 1];
  if (is_last(l + 1) && below.extent <= kBlock) {
    return FoldRows(steps, below.extent, states);
  }
  const int64_t step_bytes = levels_[l].step_width * kernel_.state_size;
  for (int64_t i = 0; i < steps; ++i) {
    FoldLevel(l + 1, below.extent, states + i * step_bytes);
  }
}

void RangeFold::FoldReduced(size_t l, int64_t steps, std::byte* states) {
  if (is_last(l)) {
    if (steps <= kBlock) return FoldRows(1, steps, states);
    return FoldLongRow(l, steps, states);
  }
  const Level& below = levels_[l + 1];
  Cascade& cascade = cascades_[l];
  while (steps > 0) {
    int64_t folded = 1;
    if (is_last(l + 1)) {
      folded = std::min(steps, cascade.room());
      FoldColumns(folded, below.extent, cascade.open());
    } else {
      FoldLevel(l + 1, below.extent, cascade.open());
    }
    cascade.CloseChildren(folded);
    steps -= folded;
  }
  kernel_.combine(states, cascade.Total(), levels_[l].step_width);
}

void RangeFold::FoldRows(int64_t rows, int64_t n, std::byte* states) {
  const int64_t row_bytes = n * element_size_;
  while (rows > 0) {
    const int64_t whole =
        std::clamp<int64_t>(reader_.contiguous() / row_bytes, 1, rows);
    kernel_.fold_rows(reader_.Take(whole * row_bytes), whole, n, states);
    states += whole * kernel_.state_size;
    rows -= whole;
  }
}

void RangeFold::FoldLongRow(size_t l, int64_t n, std::byte* states) {
  Cascade& cascade = cascades_[l];
  while (n > 0) {
    const int64_t size = std::min(n, kBlock);
    kernel_.fold_rows(reader_.Take(size * element_size_), 1, size,
                      cascade.open());
    cascade.CloseChildren(1);
    n -= size;
  }
  kernel_.combine(states, cascade.Total(), 1);
}

void RangeFold::FoldColumns(int64_t rows, int64_t cols, std::byte* states) {
  const int64_t row_bytes = cols * element_size_;
  while (rows > 0) {
    const int64_t whole = std::min(rows, reader_.contiguous() / row_bytes);
    if (whole > 0) {
      kernel_.fold_columns(reader_.Take(whole * row_bytes), whole, cols,
                           states);
    } else {
      FoldCutRow(cols, states);
    }
    rows -= std::max<int64_t>(whole, 1);
  }
}

void RangeFold::FoldCutRow(int64_t cols, std::byte* states) {
  while (cols > 0) {
    const int64_t n =
        std::clamp<int64_t>(reader_.contiguous() / element_size_, 1, cols);
    kernel_.fold_columns(reader_.Take(n * element_size_), 1, n, states);
    states += n * kernel_.state_size;
    cols -= n;
  }
}

}  // namespace reductor
