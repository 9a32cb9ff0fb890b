// In which order elements are combined. Every answer has the bits that this
// order gives, whatever the instruction set, the threads and the pieces that
// the elements come in: it depends on the index of an element, the shape, the
// type and the operator alone.
//
//   row     n elements that become one state; or a row of a slab or of columns
//   slab    rows x cols elements, which lie together and of which each column
//           becomes one state
//   columns rows of which some may come in another call, or that begin farther
//           apart than they are long: element c of each joins state c
//   lane    one of the states that a row's elements join in turn
//   chain   elements or states that join one after the other, no two at once
//   block   a piece of a long row (kBlockBytes), or some narrow rows
//           (RowsOfBlock()), that are one child of a cascade (cascade.h)
//   strip   some columns of wide rows, which are folded by themselves
//   partial state
//           what a row, or some rows of columns, are folded into before they
//           join a state (reducers.h)
//   wide, narrow
//           of rows: how many columns they have (kWideCols, AreNarrow())
//
// Where nothing is rounded the order does not count, but for states of places,
// which join in the order of the elements; and what follows need not hold: long
// rows and packed columns may be walked by quarters (quarters-inl.h), rows in
// step (extreme_rows-inl.h), and lanes be joined by any shuffles
// (join_rows-inl.h). Elsewhere:
//   - a row of up to four elements, and one of eight, joins as a tree: its
//     first n / 2 elements, joined in this way, with the others, joined in this
//     way (two float32 with the same bits in float32, float_pairs-inl.h);
//   - another row of fewer than 32 elements fills 8 lanes, or 4 if it has fewer
//     than 8 elements: while whole eights (fours) are left, element i joins
//     lane i % 8 (i % 4), after all earlier ones of that lane
//     (row_lanes-inl.h);
//   - a row of 32 or more fills 32 lanes in the same way, while all 32 have an
//     element; of float64 anew for each 1,024 elements, and then the lanes
//     filled before take the new ones, each its own. Then lane l joins lane
//     l + 16, and then l + 8. Whole eights that are left join the 8 lanes that
//     these make (lane_groups-inl.h);
//   - of either, the last m < 8 (4) elements join lanes [8 - m, 8)
//     ([4 - m, 4)). Then lane l joins lane l + 4 of eight, and the four that
//     are left join as a row of four does;
//   - a row longer than kBlockBytes is cut into blocks of as many, which are
//     children of a cascade (cascade.h);
//   - a column of a small slab takes its elements in chains of kChainRows rows,
//     which join one after the other. Of 16 rows or more with fewer than 8
//     columns, some rows are taken as one row first (RowsTogether(), below):
//     the rows that are left over join the last of these parts, and then the
//     parts join by halves (slab_fold-inl.h);
//   - a column of a larger slab of narrow rows takes its elements from several
//     rows side by side, by blocks (AreNarrow(), below);
//   - another column takes its elements one after the other: each row is a
//     child of a cascade, whose chains have kChainRows;
//   - steps of a reduced dim above others are children of a cascade, one for
//     each level of the nest (range_steps.cc), and so are ranges (nest.h) that
//     have elements of one result;
//   - LogSumExp finds the largest first and adds exponentials in this order,
//     but of a row kTileExponentials at a time, whose sums join one after the
//     other. Of a slab that IsExponentiatedAsRows() each column is a row;
//     another that has more elements than that goes by strips of
//     kStripExponentials columns, of which kPieceExponentials / width rows at a
//     time are a small slab, whose sums join one after the other; but of
//     floats, with fewer than kFewestExponentialRows, as columns do
//     (log_sum_exp_fold-inl.h). The elements of a small nest are gathered to
//     rows (range_gather.cc).
#ifndef REDUCTOR_CORE_ORDER_H_
#define REDUCTOR_CORE_ORDER_H_

#include <bit>
#include <cstdint>
#include <limits>

namespace reductor {

// Elements or rows that nothing bounds.
inline constexpr int64_t kEndless = std::numeric_limits<int64_t>::max();

// Lanes of float64 take as many bytes of a row before they are filled anew:
// 1,024 elements are chains of 32 additions in 32 lanes, short enough for the
// error bound (cascade.h). And as many stay in the L1 cache: such rows, and
// slabs of few rows, are small.
inline constexpr int64_t kFillBytes = 8192;
// The longest row that is folded whole where it rounds: its lanes hold a wider
// type or are filled anew (sums of rows of 2,537 float32, in cache: 79 GB/s by
// kFillBytes, 112 so). Rows up to here are gathered where they are cut.
inline constexpr int64_t kBlockBytes = 4 * kFillBytes;

// The most elements of a small slab, and the most states that its columns have:
// both stay in the L1 cache.
inline constexpr int64_t kMaxSlab = 2048;
inline constexpr int64_t kMaxSlabStates = 512;
constexpr bool IsSmallSlab(int64_t rows, int64_t cols) {
  return rows * cols <= kMaxSlab && cols <= kMaxSlabStates;
}

// How many rows of a small slab are taken as one of more columns, where there
// are enough and one has fewer than kColsTogether columns: so many that they
// have more than kColsTogether, and at most twice as many. Not where places are
// found, which this would mix.
inline constexpr int64_t kColsTogether = 8;
constexpr int64_t RowsTogether(int64_t rows, int64_t cols) {
  if (cols >= kColsTogether || rows < 2 * kColsTogether) return 1;
  return static_cast<int64_t>(
      std::bit_floor(static_cast<uint64_t>(2 * kColsTogether / cols)));
}

// The rows of a chain. A chain of n equal values errs by n / 3 units in the
// worst case, a pairwise tree by log2(n): 16 keeps the sum of both below
// 2 log2(N) units for any N that has a chain, at a sixteenth of the tree's
// cost.
inline constexpr int64_t kChainRows = 16;

// A row of kWideCols states stays in half of a 32 KiB L1 cache, and a pass over
// it is long enough. A row of at most half as many columns is narrow:
// SideBySide(cols) of them are folded as one row of SideBySide(cols) * cols
// columns (of 3 columns 64 rows). Not so in small slabs (IsSmallSlab()), nor
// where places are found, whose states join in order only. Row r joins part
// r % SideBySide(cols) of the wide row, and rows that are left over join the
// first parts; the parts of a block, which is kChainRows wide rows, join by
// halves; and blocks are children of a cascade.
inline constexpr int64_t kWideCols = 256;
constexpr bool AreNarrow(int64_t cols) { return cols <= kWideCols / 2; }
constexpr bool IsNarrowSlab(int64_t rows, int64_t cols) {
  return AreNarrow(cols) && !IsSmallSlab(rows, cols);
}
constexpr int64_t SideBySide(int64_t cols) {
  return static_cast<int64_t>(
      std::bit_floor(static_cast<uint64_t>(kWideCols / cols)));
}
constexpr int64_t RowsOfBlock(int64_t cols) {
  return kChainRows * SideBySide(cols);
}

// How LogSumExp takes what it adds exponentials of: as many as fill a quarter
// of a 32 KiB L1 cache as float64, and of columns half of that.
inline constexpr int64_t kTileExponentials = 1024;
inline constexpr int64_t kPieceExponentials = kTileExponentials / 2;
inline constexpr int64_t kStripExponentials = kPieceExponentials / 2;
// Fewer rows of floats are as soon folded as columns (9 x 500 float32, in
// cache, AVX-512: 2.9 GB/s by strips, 3.3 so).
inline constexpr int64_t kFewestExponentialRows = 16;
// Whether each column of a slab is taken as a row.
constexpr bool IsExponentiatedAsRows(int64_t rows, int64_t cols) {
  return cols < 8 && rows >= 8 * cols;
}

}  // namespace reductor

#endif  // REDUCTOR_CORE_ORDER_H_
