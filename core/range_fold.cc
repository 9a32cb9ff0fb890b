#include "core/range_fold.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace reductor {
namespace {

// Slabs of more rows take more passes than what a call for each of them costs.
constexpr int64_t kMaxSlabRows = 64;

// As many states stay in half of a 32 KiB L1 cache, and the passes over them
// are long enough: 3 columns are folded 64 rows side by side.
constexpr int64_t kWideRow = 256;

}  // namespace

const std::byte* ByteReader::Gather(int64_t n) {
  for (int64_t filled = 0; filled < n;) {
    const int64_t size = std::min(n - filled, contiguous());
    std::memcpy(gathered_.data() + filled, TakeFromPiece(size), size);
    filled += size;
  }
  return gathered_.data();
}

void ByteReader::NextPiece() {
  absl::Cord::Advance(&at_, absl::Cord::ChunkRemaining(at_).size());
  piece_ = absl::Cord::ChunkRemaining(at_);
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
  if (is_last(l + 1) && below.extent <= block_) {
    return FoldRows(steps, below.extent, states);
  }
  if (is_slab(l + 1, below.extent)) {
    return FoldSlabs(steps, below.extent, below.step_width, states);
  }
  const int64_t step_bytes = levels_[l].step_width * kernel_.state_size;
  for (int64_t i = 0; i < steps; ++i) {
    FoldLevel(l + 1, below.extent, states + i * step_bytes);
  }
}

void RangeFold::FoldReduced(size_t l, int64_t steps, std::byte* states) {
  if (is_last(l)) {
    if (steps <= block_) return FoldRows(1, steps, states);
    return FoldLongRow(l, steps, states);
  }
  if (is_slab(l, steps)) {
    return FoldSlabs(1, steps, levels_[l].step_width, states);
  }
  if (is_last(l + 1)) return FoldManyRows(l, steps, states);
  Cascade& cascade = cascades_[l];
  for (int64_t i = 0; i < steps; ++i) {
    FoldLevel(l + 1, levels_[l + 1].extent, cascade.open());
    cascade.CloseChildren(1);
  }
  kernel_.combine(states, cascade.Total(), levels_[l].step_width);
}

bool RangeFold::is_slab(size_t l, int64_t rows) const {
  return is_last(l + 1) && rows <= kMaxSlabRows &&
         rows * levels_[l].step_width <= kMaxSlab;
}

void RangeFold::FoldManyRows(size_t l, int64_t rows, std::byte* states) {
  const int64_t cols = levels_[l].step_width;
  if (cols > kWideRow / 2 || !kernel_.is_commutative) {
    return FoldWideRows(l, rows, states);
  }
  FoldNarrowRows(l, rows, states);
}

void RangeFold::FoldWideRows(size_t l, int64_t rows, std::byte* states) {
  const int64_t cols = levels_[l].step_width;
  if (kernel_.is_exact) return FoldColumns(rows, cols, states);
  Cascade& cascade = cascades_[l];
  while (rows > 0) {
    const int64_t folded = std::min(rows, cascade.room());
    FoldColumns(folded, cols, cascade.open());
    cascade.CloseChildren(folded);
    rows -= folded;
  }
  kernel_.combine(states, cascade.Total(), cols);
}

void RangeFold::FoldNarrowRows(size_t l, int64_t rows, std::byte* states) {
  const int64_t cols = levels_[l].step_width;
  const int64_t side_by_side =
      std::bit_floor(static_cast<uint64_t>(kWideRow / cols));
  const int64_t at_once =
      kernel_.is_exact ? rows : Cascade::kChain * side_by_side;
  wide_.resize(side_by_side * cols * kernel_.state_size);
  Cascade& cascade = cascades_[l];
  for (; rows > 0; rows -= at_once) {
    const int64_t folded = std::min(rows, at_once);
    kernel_.init(wide_.data(), side_by_side * cols);
    FoldColumns(folded / side_by_side, side_by_side * cols, wide_.data());
    if (const int64_t rest = folded % side_by_side; rest > 0) {
      FoldColumns(1, rest * cols, wide_.data());
    }
    for (int64_t half = side_by_side / 2 * cols; half >= cols; half /= 2) {
      kernel_.combine(wide_.data(), wide_.data() + half * kernel_.state_size,
                      half);
    }
    kernel_.combine(cascade.open(), wide_.data(), cols);
    cascade.CloseChildren(1);
  }
  kernel_.combine(states, cascade.Total(), cols);
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

void RangeFold::FoldSlabs(int64_t slabs, int64_t rows, int64_t cols,
                          std::byte* states) {
  const int64_t slab_bytes = rows * cols * element_size_;
  while (slabs > 0) {
    const int64_t whole =
        std::clamp<int64_t>(reader_.contiguous() / slab_bytes, 1, slabs);
    kernel_.fold_slabs(reader_.Take(whole * slab_bytes), whole, rows, cols,
                       states);
    states += whole * cols * kernel_.state_size;
    slabs -= whole;
  }
}

void RangeFold::FoldLongRow(size_t l, int64_t n, std::byte* states) {
  Cascade& cascade = cascades_[l];
  while (n > 0) {
    const int64_t size = std::min(n, block_);
    const int64_t whole =
        std::clamp<int64_t>(reader_.contiguous() / (size * element_size_), 1,
                            std::min(n / size, cascade.room()));
    FoldBlocks(whole, size, cascade.open());
    cascade.CloseChildren(whole);
    n -= whole * size;
  }
  kernel_.combine(states, cascade.Total(), 1);
}

void RangeFold::FoldBlocks(int64_t blocks, int64_t size, std::byte* state) {
  const std::byte* x = reader_.Take(blocks * size * element_size_);
  if (!kernel_.is_commutative) {
    // A position is looked for only where a block improves on those before.
    for (int64_t i = 0; i < blocks; ++i) {
      kernel_.fold_rows(x + i * size * element_size_, 1, size, state);
    }
    return;
  }
  // As rows of their own, whose lanes join while the next row is loaded.
  wide_.resize(blocks * kernel_.state_size);
  kernel_.init(wide_.data(), blocks);
  kernel_.fold_rows(x, blocks, size, wide_.data());
  for (int64_t i = 0; i < blocks; ++i) {
    kernel_.combine(state, wide_.data() + i * kernel_.state_size, 1);
  }
}

void RangeFold::FoldColumns(int64_t rows, int64_t cols, std::byte* states) {
  const int64_t row_bytes = cols * element_size_;
  while (rows > 0) {
    const int64_t whole = std::min(rows, reader_.contiguous() / row_bytes);
    if (whole > 0) {
      kernel_.fold_columns(reader_.Take(whole * row_bytes), whole, cols, cols,
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
    kernel_.fold_columns(reader_.Take(n * element_size_), 1, n, n, states);
    states += n * kernel_.state_size;
    cols -= n;
  }
}

}  // namespace reductor
