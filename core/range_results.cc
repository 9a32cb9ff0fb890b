// The part of RangeFold that writes results without states between: in cache,
// AVX-512, GB/s by states and so, the largest of float32 slabs of 4 x 100 25
// and 55, float64 sums of 3 x 1,024 49 and 75.
#include "core/range_fold.h"

namespace reductor {

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
  EachRun(steps, n, [&](const std::byte* x, int64_t first, int64_t rows) {
    std::byte* const to = results + first * kernel_.output_size;
    // Single elements are columns of one row, too.
    if (n == 1 && kernel_.reduce_slabs != nullptr &&
        rows * element_size_ >= kMinSlabRowBytes) {
      kernel_.reduce_slabs(x, 1, 1, rows, rows, to, source_);
    } else {
      kernel_.reduce_rows(x, rows, n, to);
    }
  });
  return true;
}

bool RangeFold::ReduceSlabs(int64_t steps, std::byte* results) {
  const bool is_slab = levels_.size() == 2 && levels_[0].reduced;
  const bool are_slabs = levels_.size() == 3 && !levels_[0].reduced;
  if (kernel_.reduce_slabs == nullptr || !(is_slab || are_slabs)) {
    return false;
  }
  const int64_t slabs = is_slab ? 1 : steps;
  const int64_t rows = is_slab ? steps : levels_[1].extent;
  const int64_t cols = levels_.back().extent;
  // In cache, Zen 3, AVX2, GB/s by states and so: sums of 19 x 100 int32 46 and
  // 70, of float64 53 and 65, the smallest of 17 x 85 int64 27 and 44.
  const bool are_small = rows * cols <= kMaxSlab && cols <= kMaxSlabStates;
  if (!(rows <= kMaxWideSlabRows || are_small) ||
      cols * element_size_ < kMinSlabRowBytes) {
    return false;
  }
  const int64_t bytes = rows * cols * element_size_;
  if (bytes > kWideRowBytes && reader_.contiguous() < slabs * bytes) {
    return false;
  }
  EachRun(slabs, rows * cols,
          [&](const std::byte* x, int64_t first, int64_t count) {
            kernel_.reduce_slabs(x, count, rows, cols, cols,
                                 results + first * cols * kernel_.output_size,
                                 source_);
          });
  return true;
}

}  // namespace reductor
