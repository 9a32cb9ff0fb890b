// The part of StripFold that says what a wave takes.
#include <algorithm>

#include "core/cpu.h"
#include "core/order.h"
#include "core/parallel.h"
#include "core/strip_fold.h"

namespace reductor {
namespace {

// The most rows that FoldWhole() takes. Those of several chains have the bits
// of states without them where reduce_slabs() joins these as a cascade does;
// but from memory that is slower. Places are found in more. GB/s by states,
// then by this:
//   sums of 26 x 40,000 float64, 8 MiB, Zen 4            63  78
//   the largest of 42 x 50,000 float32, 8 MiB, Zen 4     70  78
//   the largest of 39 x 1,700,000 int32, memory, Zen 4   17  16
//   places in 32 x 65,536 float32, Zen 3                 11  19
//   places in 104 x 20,000 float32, Zen 3                18  25
//   places in 1,944 x 4,314 uint8, Zen 3                 15  10
int64_t MostWhole(const Plan& plan) {
  if (plan.source() == Source::kMemory) return kChainRows;
  constexpr int64_t kMostForPlaces = 256;
  return plan.kernel->finds_places ? kMostForPlaces : Cascade::kMostInTurn;
}

// After how many rows of a slab a wave ends, where there is one thread to fold
// it: with the slab, or a few chains, if an L2 cache holds as much. Intel's
// CPUs bring more than the rows of a strip, which is then there for the next
// strip. Others were not measured. Two threads gain nothing, and wait for each
// other at the end of each wave; states of several members wait for the next
// wave in memory (places in 11,836 columns 27 and 8). Of float32, AVX-512, GB/s
// by waves of 16 MiB and so, of 8 MiB and from memory:
//   the largest of 20,000 columns    22  25   14  17
//   sums of slabs of 17 x 12,000     17  24   12  13
int64_t RowsOfWave(const Plan& plan, int64_t rows, int64_t row_bytes,
                   int64_t most_whole) {
  constexpr int64_t kMostBytes = 3 * kRangeBytes;
  const Kernel& kernel = *plan.kernel;
  const bool have_small_states =
      !kernel.finds_places &&
      kernel.state_size <= static_cast<int64_t>(sizeof(double));
  if (kCpuKind != CpuKind::kGoldenCove || Threads() > 1 || !have_small_states) {
    return kEndless;
  }
  if (rows * row_bytes <= kMostBytes) return rows;
  const int64_t chain_bytes = kChainRows * row_bytes;
  // A slab that needs no states goes whole.
  if (rows <= most_whole || chain_bytes > kMostBytes) return kEndless;
  return (kRangeBytes / chain_bytes + 1) * kChainRows;
}

}  // namespace

StripFold::StripFold(const Plan& plan, const Nest& nest)
    : plan_(plan),
      nest_(nest),
      kernel_(*plan.kernel),
      element_size_(SizeOf(plan.dtype)),
      rows_(nest.strip_rows()),
      cols_(nest.levels[nest.cut].extent),
      most_whole_(MostWhole(plan)),
      wave_rows_(RowsOfWave(plan, rows_, cols_ * element_size_, most_whole_)),
      folds_whole_columns_(FoldsWholeColumns(nest, kernel_)) {}

bool StripFold::FoldsWholeColumns(const Nest& nest, const Kernel& kernel) {
  if (kernel.trial != nullptr && nest.strip_rows() <= kMostWholeRows) {
    return true;
  }
  const int64_t most = kernel.finds_places ? 1 << 20 : 8 << 20;
  return nest.levels[nest.cut].extent >= most / kernel.state_size;
}

StripFold::Wave StripFold::NextWave(int64_t next_range, int64_t next_strip,
                                    int64_t wave_end, int64_t data_end) {
  if (next_strip > 0) return StripsOfSlab(next_range, next_strip, wave_end);
  const int64_t slab_bytes = rows_ * cols_ * element_size_;
  const int64_t begin = ByteOf(next_range);
  const bool is_slab =
      folds_whole_columns_ && next_range % (rows_ * strips()) == 0;
  const int64_t slabs_come = is_slab ? (data_end - begin) / slab_bytes : 0;
  if (slabs_come == 0) return Rows(next_range, wave_end, data_end);
  // As many as fill the wave, or some strips of one that is more than it.
  const int64_t slabs = std::min(slabs_come, (wave_end - begin) / slab_bytes);
  if (slabs == 0) return StripsOfSlab(next_range, 0, wave_end);
  return {.begin = next_range,
          .end = next_range + slabs * rows_ * strips(),
          .first_strip = 0,
          .end_strip = strips(),
          .are_whole = true,
          .first_result = FinalBefore(next_range),
          .result_count = slabs * cols_};
}

StripFold::Wave StripFold::StripsOfSlab(int64_t slab_begin, int64_t first_strip,
                                        int64_t wave_end) const {
  const int64_t bytes = wave_end - ByteOf(slab_begin);
  const int64_t strip_bytes = rows_ * nest_.range_steps * element_size_;
  int64_t end = strips();
  if (bytes / (cols_ * element_size_) < rows_) {
    end = std::max(first_strip, bytes / strip_bytes);
    // Of many rows a strip may be a wave; but each thread is to have some.
    if (end > first_strip) {
      end = std::max(end, first_strip + FewForEachThread());
    }
    end = std::min(end, strips());
  }
  const int64_t first = first_strip * nest_.range_steps;
  return {.begin = slab_begin,
          .end = slab_begin + rows_ * strips(),
          .first_strip = first_strip,
          .end_strip = end,
          .are_whole = true,
          .first_result = FinalBefore(slab_begin) + first,
          .result_count = std::min(end * nest_.range_steps, cols_) - first};
}

StripFold::Wave StripFold::Rows(int64_t next_range, int64_t wave_end,
                                int64_t data_end) {
  if (cascades_.empty()) {
    cascades_.reserve(strips());
    for (int64_t s = 0; s < strips(); ++s) {
      cascades_.emplace_back(kernel_, nest_.StepsOf(s));
    }
  }
  int64_t end = CountUntil(wave_end, data_end);
  if (wave_rows_ <= rows_) {
    const int64_t row = next_range / strips();
    const int64_t in_slab = row % rows_;
    const int64_t end_in_slab = (in_slab / wave_rows_ + 1) * wave_rows_;
    const int64_t end_row = row - in_slab + std::min(end_in_slab, rows_);
    end = std::min(end, end_row * strips());
  }
  // The slab after this one may come whole.
  const int64_t slab = rows_ * strips();
  if (folds_whole_columns_) end = std::min(end, (next_range / slab + 1) * slab);
  end = std::max(end, next_range);
  const int64_t first_result = FinalBefore(next_range);
  return {.begin = next_range,
          .end = end,
          .first_strip = 0,
          .end_strip = strips(),
          .are_whole = false,
          .first_result = first_result,
          .result_count = FinalBefore(end) - first_result};
}

int64_t StripFold::CountUntil(int64_t wave_end, int64_t data_end) const {
  const int64_t row_bytes = cols_ * element_size_;
  const int64_t strip_bytes = nest_.range_steps * element_size_;
  const int64_t ended =
      data_end / row_bytes * strips() + data_end % row_bytes / strip_bytes;
  const int64_t begun = wave_end / row_bytes * strips() +
                        (wave_end % row_bytes + strip_bytes - 1) / strip_bytes;
  return std::min({ended, begun, nest_.range_count});
}

}  // namespace reductor
