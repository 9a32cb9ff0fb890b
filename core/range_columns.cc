// The part of RangeFold that folds columns of many rows.
#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/cpu.h"
#include "core/order.h"
#include "core/range_fold.h"

namespace reductor {
namespace {

// How many rows are taken as one that fills registers, and such rows one after
// the other by one pass, where the CPU takes them sooner than several side by
// side; or 0.
//
// Zen 4 takes as many as fill a line of memory, and of two or four lines one.
// GB/s side by side and so, in cache, of 8 MiB and from memory:
//   the largest of 2 columns of int32      94  69  21   103  87  27
//   the largest of 8 columns of int32      94  68  22   104  87  27
//   the largest of 16 columns of int64     95  78  20   105  91  23
//   the largest of 64 columns of float32   98  72  21   104  87  22
//   means of 2 columns of int64            66  67  21    94  80  28
// But not by two passes (the largest of 32 of float32 from memory 20 and 11),
// nor bytes (of 64 of uint8, 8 MiB, 56 and 26).
//
// Intel's CPUs since Golden Cove take as many as go by one pass, as they wait
// longer for the larger of two numbers. In cache, side by side, by a line,
// then by this:
//   the largest of 2 columns of int64      98  56  105
//   the largest of 8 columns of int64     103  57  102
//   the largest of 16 columns of float32  108   -  118
//   L1 of 4 columns of int64               60   -  109
//   means of 8 columns of int64            65   -   84
// But not what is farther away: that is prefetched, which a slab is all at once
// (sums of 8 of int64, 8 MiB: 25 and 20). Other CPUs were not measured.
int64_t RowsOfPass(const Kernel& kernel, int64_t cols, int64_t element_size,
                   Source source) {
  const int64_t bytes = cols * element_size;
  const bool are_asked =
      kCpuKind == CpuKind::kZen4 ||
      (kCpuKind == CpuKind::kGoldenCove && source == Source::kOwnCache);
  const bool are_faster = are_asked && element_size >= 4 &&
                          std::has_single_bit(static_cast<uint64_t>(bytes)) &&
                          std::max(bytes, kLineBytes) <= kernel.pass_row_bytes;
  if (!are_faster) return 0;
  const int64_t width =
      kCpuKind == CpuKind::kZen4 ? kLineBytes : kernel.pass_row_bytes;
  return std::max<int64_t>(1, width / bytes);
}

}  // namespace

void RangeFold::FoldManyRows(size_t l, int64_t rows, std::byte* states,
                             Into into) {
  const int64_t cols = levels_[l].step_width;
  if (!AreNarrow(cols) || kernel_.finds_places) {
    return FoldWideRows(l, rows, states, into);
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
    const int64_t chain = std::min(rows, kChainRows * block);
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
  const int64_t of_pass = RowsOfPass(kernel_, cols, element_size_, source_);
  const int64_t side_by_side = of_pass > 0 ? of_pass : SideBySide(cols);
  const int64_t whole = rows / side_by_side;
  wide_.Reserve(side_by_side * cols * kernel_.state_size);
  if (whole > 0 && of_pass > 0) {
    FoldByPass(whole, side_by_side * cols, wide_.data());
  } else if (whole > 0) {
    FoldColumns(whole, side_by_side * cols, wide_.data(), Into::kNew);
  } else {
    kernel_.init(wide_.data(), side_by_side * cols);
  }
  if (const int64_t rest = rows % side_by_side; rest > 0) {
    FoldColumns(1, rest * cols, wide_.data(), Into::kHeld);
  }
  CombineByHalves(wide_.data(), side_by_side, cols);
}

void RangeFold::FoldByPass(int64_t rows, int64_t cols, std::byte* states) {
  const int64_t row_bytes = cols * element_size_;
  // As many as are gathered where they are cut, or as are at hand, up to as
  // many as fold_slabs takes (kernels.h).
  const int64_t few = kBlockBytes / row_bytes;
  const int64_t most = kBlockBytes / element_size_;
  for (Into into = Into::kNew; rows > 0; into = Into::kHeld) {
    const int64_t at_hand = reader_.contiguous() / row_bytes;
    const int64_t folded = std::min(rows, std::clamp(at_hand, few, most));
    FoldSlabs(1, folded, cols, states, into);
    rows -= folded;
  }
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
