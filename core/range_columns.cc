// The part of RangeFold that folds columns of many rows.
#include <algorithm>

#include "core/cpu.h"
#include "core/order.h"
#include "core/range_fold.h"

namespace reductor {
namespace {

// Whether rows are a line of memory each, and Zen 4 takes them as such, one
// after the other, sooner than several side by side (16 columns, the largest of
// float32 and sums of int32, 8 MiB and from memory: 77, 73, 19 and 19 GB/s side
// by side, 79, 80, 22 and 21 so; means of 8 of int64, 8 MiB, 39 and 64; but of
// 64 of uint8 56 and 26, and the largest of two lines of float32 from memory 20
// and 11). Other CPUs were not asked.
bool AreLines(const Kernel& kernel, int64_t cols, int64_t element_size) {
  return kCpuKind == CpuKind::kZen4 && kernel.is_exact &&
         kernel.takes_any_slab && element_size >= 4 &&
         cols * element_size == kLineBytes;
}

}  // namespace

void RangeFold::FoldManyRows(size_t l, int64_t rows, std::byte* states,
                             Into into) {
  const int64_t cols = levels_[l].step_width;
  if (!AreNarrow(cols) || kernel_.finds_places) {
    return FoldWideRows(l, rows, states, into);
  }
  if (AreLines(kernel_, cols, element_size_)) {
    return FoldLines(rows, cols, states, into);
  }
  FoldRowsSideBySide(l, rows, states, into);
}

void RangeFold::FoldWideRows(size_t l, int64_t rows, std::byte* states,
                             Into into) {
  const int64_t cols = levels_[l].step_width;
  if (IsOneChain(rows, into)) {
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

void RangeFold::FoldLines(int64_t rows, int64_t cols, std::byte* states,
                          Into into) {
  constexpr int64_t kMost = kBlockBytes / kLineBytes;
  for (; rows > 0; rows -= kMost, into = Into::kHeld) {
    FoldSlabs(1, std::min(rows, kMost), cols, states, into);
  }
}

void RangeFold::FoldRowsSideBySide(size_t l, int64_t rows, std::byte* states,
                                   Into into) {
  const int64_t cols = levels_[l].step_width;
  const int64_t block = kernel_.is_exact ? rows : RowsOfBlock(cols);
  if (rows <= block) {
    if (IsNarrowSlabAtHand(rows, cols)) {
      return FoldSlabs(1, rows, cols, states, into);
    }
    FoldSideBySide(rows, cols);
    return Take(wide_.data(), cols, states, into);
  }
  Cascade& cascade = cascades_[l];
  while (rows > 0) {
    const int64_t chain = std::min(rows, Cascade::kChain * block);
    if (cascade.is_new() && IsNarrowSlabAtHand(chain, cols)) {
      FoldSlabs(1, chain, cols, cascade.OpenUnset(), Into::kNew);
      cascade.CloseChildren((chain + block - 1) / block);
      rows -= chain;
    } else {
      const int64_t folded = std::min(rows, block);
      FoldSideBySide(folded, cols);
      kernel_.combine(cascade.open(), wide_.data(), 1, 1, cols);
      cascade.CloseChildren(1);
      rows -= folded;
    }
  }
  TakeTotal(l, states, into);
}

bool RangeFold::IsNarrowSlabAtHand(int64_t rows, int64_t cols) {
  return TakesNarrowSlab(rows, cols) &&
         rows * cols * element_size_ <= reader_.contiguous();
}

void RangeFold::FoldSideBySide(int64_t rows, int64_t cols) {
  const int64_t side_by_side = SideBySide(cols);
  const int64_t whole = rows / side_by_side;
  wide_.Reserve(side_by_side * cols * kernel_.state_size);
  if (whole > 0) {
    FoldColumns(whole, side_by_side * cols, wide_.data(), Into::kNew);
  } else {
    kernel_.init(wide_.data(), side_by_side * cols);
  }
  if (const int64_t rest = rows % side_by_side; rest > 0) {
    FoldColumns(1, rest * cols, wide_.data(), Into::kHeld);
  }
  CombineByHalves(wide_.data(), side_by_side, cols);
}

void RangeFold::FoldColumns(int64_t rows, int64_t cols, std::byte* states,
                            Into into) {
  const int64_t row_bytes = cols * element_size_;
  while (rows > 0) {
    const int64_t whole = std::min(rows, reader_.contiguous() / row_bytes);
    if (whole > 0) {
      const Source source = NextSource();
      kernel_.fold_columns(reader_.Take(whole * row_bytes), whole, cols, cols,
                           states, into, source);
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
    const Source source = NextSource();
    kernel_.fold_columns(reader_.Take(n * element_size_), 1, n, n, states, into,
                         source);
    states += n * kernel_.state_size;
    cols -= n;
  }
}

}  // namespace reductor
