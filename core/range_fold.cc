#include "core/range_fold.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace reductor {
namespace {

// Slabs of more rows take more passes than what a call for each of them costs,
// or wait longer for each row's result: unless they have fewer columns, where
// nothing is rounded, as some rows then lie side by side in a register.
constexpr int64_t kMaxSlabRows = 64;
constexpr int64_t kFewColumns = 8;

// As many states stay in half of a 32 KiB L1 cache, and the passes over them
// are long enough: 3 columns are folded 64 rows side by side.
constexpr int64_t kWideRow = 256;

// How to fold into what OpenUnset() opens.
Into IntoOpen(const Cascade& cascade) {
  return cascade.is_new() ? Into::kNew : Into::kHeld;
}

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
  const int64_t step_bytes = levels_[l].step_width * kernel_.state_size;
  for (int64_t i = 0; i < steps; ++i) {
    FoldLevel(l + 1, below.extent, states + i * step_bytes, into);
  }
}

void RangeFold::FoldReduced(size_t l, int64_t steps, std::byte* states,
                            Into into) {
  if (is_last(l)) {
    if (steps <= block_) return FoldRows(1, steps, states, into);
    return FoldLongRow(l, steps, states, into);
  }
  if (is_slab(l, steps, into)) {
    return FoldSlabs(1, steps, levels_[l].step_width, states, into);
  }
  if (is_last(l + 1)) return FoldManyRows(l, steps, states, into);
  Cascade& cascade = cascades_[l];
  for (int64_t i = 0; i < steps; ++i) {
    FoldLevel(l + 1, levels_[l + 1].extent, cascade.OpenUnset(),
              IntoOpen(cascade));
    cascade.CloseChildren(1);
  }
  TakeTotal(l, states, into);
}

void RangeFold::TakeTotal(size_t l, std::byte* states, Into into) {
  Take(cascades_[l].Total(), levels_[l].step_width, states, into);
}

void RangeFold::Take(const std::byte* from, int64_t n, std::byte* states,
                     Into into) const {
  if (into == Into::kNew) {
    std::memcpy(states, from, n * kernel_.state_size);
  } else {
    kernel_.combine(states, from, n);
  }
}

bool RangeFold::is_slab(size_t l, int64_t rows, Into into) const {
  if (!is_last(l + 1)) return false;
  const int64_t cols = levels_[l].step_width;
  const int64_t elements = rows * cols;
  if (elements > block_) return false;
  if (into == Into::kNew && rows <= kMaxWideSlabRows) return true;
  if (!kernel_.is_exact) return rows <= kMaxSlabRows && elements <= kMaxSlab;
  // The largest of int32 slabs of 30 x 30 and 100 x 2: 37 and 11 GB/s by wide
  // rows, 91 and 60 so.
  return (rows <= kMaxSlabRows || cols < kFewColumns) &&
         elements <= kMaxExactSlab && cols <= kMaxSlab;
}

void RangeFold::FoldManyRows(size_t l, int64_t rows, std::byte* states,
                             Into into) {
  const int64_t cols = levels_[l].step_width;
  if (cols > kWideRow / 2 || !kernel_.is_commutative) {
    return FoldWideRows(l, rows, states, into);
  }
  FoldNarrowRows(l, rows, states, into);
}

void RangeFold::FoldWideRows(size_t l, int64_t rows, std::byte* states,
                             Into into) {
  const int64_t cols = levels_[l].step_width;
  // One chain needs no cascade: 2 rows of 1,000 float32 at 12 GB/s by one.
  if (kernel_.is_exact || (into == Into::kNew && rows <= Cascade::kChain)) {
    return FoldColumns(rows, cols, states, into);
  }
  Cascade& cascade = cascades_[l];
  while (rows > 0) {
    const int64_t folded = std::min(rows, cascade.room());
    FoldColumns(folded, cols, cascade.OpenUnset(), IntoOpen(cascade));
    cascade.CloseChildren(folded);
    rows -= folded;
  }
  TakeTotal(l, states, into);
}

void RangeFold::FoldNarrowRows(size_t l, int64_t rows, std::byte* states,
                               Into into) {
  const int64_t cols = levels_[l].step_width;
  const int64_t side_by_side =
      std::bit_floor(static_cast<uint64_t>(kWideRow / cols));
  const int64_t at_once =
      kernel_.is_exact ? rows : Cascade::kChain * side_by_side;
  wide_.resize(side_by_side * cols * kernel_.state_size);
  if (rows <= at_once) {
    FoldSideBySide(rows, side_by_side, cols);
    return Take(wide_.data(), cols, states, into);
  }
  Cascade& cascade = cascades_[l];
  for (; rows > 0; rows -= at_once) {
    FoldSideBySide(std::min(rows, at_once), side_by_side, cols);
    kernel_.combine(cascade.open(), wide_.data(), cols);
    cascade.CloseChildren(1);
  }
  TakeTotal(l, states, into);
}

void RangeFold::FoldSideBySide(int64_t rows, int64_t side_by_side,
                               int64_t cols) {
  const int64_t whole = rows / side_by_side;
  if (whole > 0) {
    FoldColumns(whole, side_by_side * cols, wide_.data(), Into::kNew);
  } else {
    kernel_.init(wide_.data(), side_by_side * cols);
  }
  if (const int64_t rest = rows % side_by_side; rest > 0) {
    FoldColumns(1, rest * cols, wide_.data(), Into::kHeld);
  }
  for (int64_t half = side_by_side / 2 * cols; half >= cols; half /= 2) {
    kernel_.combine(wide_.data(), wide_.data() + half * kernel_.state_size,
                    half);
  }
}

void RangeFold::FoldRows(int64_t rows, int64_t n, std::byte* states,
                         Into into) {
  const int64_t row_bytes = n * element_size_;
  while (rows > 0) {
    const int64_t whole =
        std::clamp<int64_t>(reader_.contiguous() / row_bytes, 1, rows);
    kernel_.fold_rows(reader_.Take(whole * row_bytes), whole, n, states, into);
    states += whole * kernel_.state_size;
    rows -= whole;
  }
}

void RangeFold::FoldSlabs(int64_t slabs, int64_t rows, int64_t cols,
                          std::byte* states, Into into) {
  const int64_t slab_bytes = rows * cols * element_size_;
  while (slabs > 0) {
    const int64_t whole =
        std::clamp<int64_t>(reader_.contiguous() / slab_bytes, 1, slabs);
    kernel_.fold_slabs(reader_.Take(whole * slab_bytes), whole, rows, cols,
                       states, into);
    states += whole * cols * kernel_.state_size;
    slabs -= whole;
  }
}

void RangeFold::FoldLongRow(size_t l, int64_t n, std::byte* states, Into into) {
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
  TakeTotal(l, states, into);
}

void RangeFold::FoldBlocks(int64_t blocks, int64_t size, std::byte* state) {
  const std::byte* x = reader_.Take(blocks * size * element_size_);
  if (!kernel_.is_commutative) {
    // A position is looked for only where a block improves on those before.
    for (int64_t i = 0; i < blocks; ++i) {
      kernel_.fold_rows(x + i * size * element_size_, 1, size, state,
                        Into::kHeld);
    }
    return;
  }
  // As rows of their own, whose lanes join while the next row is loaded.
  wide_.resize(blocks * kernel_.state_size);
  kernel_.fold_rows(x, blocks, size, wide_.data(), Into::kNew);
  for (int64_t i = 0; i < blocks; ++i) {
    kernel_.combine(state, wide_.data() + i * kernel_.state_size, 1);
  }
}

void RangeFold::FoldColumns(int64_t rows, int64_t cols, std::byte* states,
                            Into into) {
  const int64_t row_bytes = cols * element_size_;
  while (rows > 0) {
    const int64_t whole = std::min(rows, reader_.contiguous() / row_bytes);
    if (whole > 0) {
      kernel_.fold_columns(reader_.Take(whole * row_bytes), whole, cols, cols,
                           states, into);
    } else {
      FoldCutRow(cols, states, into);
    }
    into = Into::kHeld;
    rows -= std::max<int64_t>(whole, 1);
  }
}

void RangeFold::FoldCutRow(int64_t cols, std::byte* states, Into into) {
  while (cols > 0) {
    const int64_t n =
        std::clamp<int64_t>(reader_.contiguous() / element_size_, 1, cols);
    kernel_.fold_columns(reader_.Take(n * element_size_), 1, n, n, states,
                         into);
    states += n * kernel_.state_size;
    cols -= n;
  }
}

}  // namespace reductor
