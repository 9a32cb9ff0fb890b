// The part of RangeFold that writes results without states between: in cache,
// AVX-512, GB/s by states and so, the largest of float32 slabs of 4 x 100 25
// and 55, float64 sums of 3 x 1,024 49 and 75.
#include "core/cpu.h"
#include "core/order.h"
#include "core/range_fold.h"

namespace reductor {
namespace {

// Of larger slabs from memory what comes after a row's part is forgotten before
// the loop comes back to it (sums of 40 x 300 float64, the largest of 200 x 200
// float32, Zen 4: 18 and 20 GB/s by states, 12 and 9 without).
constexpr int64_t kFewSlabBytes = 64 * 1024;

// In cache places are found in larger ones too: their states take six times a
// float's bytes (in columns of 64 x 256 and 256 x 256 float32, Zen 3: 16 and 37
// GB/s by states, 27 and 42 so).
constexpr int64_t kPlacesSlabBytes = 256 * 1024;

// In cache larger slabs of up to so many rows are reduced without states too,
// if nothing is rounded. But not if all rows begin in the same lines of the L1
// cache, nor if states are far wider than elements: means of 8 bits, whose
// columns take fewer bits by states (partial_of-inl.h), and L2 of 8 bits, which
// was not measured apart. Zen 4, GB/s by states, then by this:
//   the largest of 40 x 1,000 float32    67  92
//   sums of 30 x 2,000 int32             58  76
//   sums of 400 x 100 int32              89  64
//   the largest of 128 x 1,024 float32   99  69
//   means of 100 x 1,000 uint8           44  35
constexpr int64_t kMostRowsNear = 256;

// Of fewer columns several rows are folded side by side, where nothing is
// rounded, as that is faster (products of 200 x 40 int32, the largest of 250 x
// 10 float64, in cache, Zen 4: 51 and 42 GB/s without states, 65 and 52 so;
// means of 100 x 60 uint32 58 and 35).
constexpr int64_t kFewestCols = 48;
static_assert(kPlacesSlabBytes / kFewestCols <= kMostRowsOfPlaces);

// Whether slabs of more than kChainRows rows have the bits of states without
// them, and sooner. In cache, Zen 4, GB/s by states, then by this:
//   sums of 40 x 300 float64             61  76
//   L2 of 19 x 134 float64               44  58
//   the largest of 33 x 150 float16      23  68
//   sums of 60 x 93 int32                51  64
bool AreReduced(const Kernel& kernel, int64_t rows, int64_t cols,
                int64_t element_size, Source source) {
  if (IsSmallSlab(rows, cols)) return true;
  const int64_t row_bytes = cols * element_size;
  const int64_t bytes = rows * row_bytes;
  if (kernel.is_exact) {
    if (cols < kFewestCols || row_bytes < kMinSlabRowBytes) return false;
    if (source == Source::kMemory) return bytes <= kFewSlabBytes;
    if (kernel.finds_places) return bytes <= kPlacesSlabBytes;
    const bool are_few = rows <= kMostRowsNear && row_bytes % kPageBytes != 0 &&
                         kernel.state_size <= 4 * element_size;
    return bytes <= kFewSlabBytes || are_few;
  }
  // Narrow rows join in another order.
  return rows <= Cascade::kMostInTurn && !AreNarrow(cols) &&
         (source != Source::kMemory || bytes <= kFewSlabBytes);
}

}  // namespace

bool RangeFold::Reduce(int64_t steps, std::byte* results) {
  return ReduceRows(steps, results) || ReduceSlabs(steps, results);
}

bool RangeFold::ReduceRows(int64_t steps, std::byte* results) {
  const bool are_elements = levels_.size() == 1 && !levels_[0].reduced;
  const bool are_rows = levels_.size() == 2 && !levels_[0].reduced;
  if (kernel_.reduce_rows == nullptr || !(are_elements || are_rows)) {
    return false;
  }
  const int64_t n = are_elements ? 1 : levels_[1].extent;
  const int64_t bytes = n * element_size_;
  if (bytes > kernel_.max_row_bytes) return false;
  if (n > block_ && reader_.contiguous() < steps * bytes) return false;
  EachRun(steps, n,
          [&](const std::byte* x, int64_t first, int64_t rows, Source source) {
            std::byte* const to = results + first * kernel_.output_size;
            // Single elements are columns of one row, too.
            if (n == 1 && TakesSlabRows(kernel_, rows * element_size_)) {
              return kernel_.reduce_slabs(x, 1, 1, rows, rows, to, source);
            }
            const int64_t begun = ReduceAbsorbing(x, rows, n, to, source);
            if (begun == rows) return;
            kernel_.reduce_rows(x + begun * bytes, rows - begun, n,
                                to + begun * kernel_.output_size, source);
          });
  return true;
}

bool RangeFold::ReduceSlabs(int64_t steps, std::byte* results) {
  const bool are_elements = levels_.size() == 1 && !levels_[0].reduced;
  const bool is_slab = levels_.size() == 2 && levels_[0].reduced;
  const bool are_slabs = levels_.size() == 3 && !levels_[0].reduced;
  if (!(are_elements || is_slab || are_slabs)) return false;
  // Elements are columns of one row: of a kernel that has a trial, which takes
  // no rows (roots of 54,818 float64 of one each, in cache, Zen 4: 10 GB/s by
  // states, 14 so).
  const int64_t slabs = are_slabs ? steps : 1;
  const int64_t rows = are_slabs ? levels_[1].extent : is_slab ? steps : 1;
  const int64_t cols = are_elements ? steps : levels_.back().extent;
  const int64_t bytes = rows * cols * element_size_;
  if (!TakesSlabRows(kernel_, cols * element_size_) ||
      (rows > kChainRows &&
       !AreReduced(kernel_, rows, cols, element_size_, source_))) {
    return false;
  }
  if (bytes > kBlockBytes && reader_.contiguous() < slabs * bytes) {
    return false;
  }
  EachRun(slabs, rows * cols,
          [&](const std::byte* x, int64_t first, int64_t count, Source source) {
            kernel_.reduce_slabs(x, count, rows, cols, cols,
                                 results + first * cols * kernel_.output_size,
                                 source);
          });
  return true;
}

}  // namespace reductor
