#include "core/strip_fold.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "absl/types/span.h"
#include "core/cpu.h"
#include "core/parallel.h"
#include "core/range_fold.h"
#include "core/trial.h"

namespace reductor {
namespace {

// The first row whose range of the strip is not before range `index`.
int64_t FirstRow(int64_t index, int64_t strip, int64_t strips) {
  return std::max<int64_t>(0, index - strip + strips - 1) / strips;
}

// The most rows that FoldWhole() takes. Those of several chains have the bits
// of states without them where reduce_slabs() joins these as a cascade does;
// but from memory that is slower (sums of 26 x 40,000 float64, the largest of
// 42 x 50,000 float32, 8 MiB, Zen 4: 63 and 70 GB/s by states, 78 and 78 so; of
// 39 x 1,700,000 int32 17 and 16). Places are found in more (of 32 x 65,536
// and 104 x 20,000 float32, Zen 3: 11 and 18 GB/s by states, 19 and 25; of
// 1,944 x 4,314 uint8 15 and 10).
int64_t MostWhole(const Plan& plan) {
  if (plan.source() == Source::kMemory) return Cascade::kChain;
  constexpr int64_t kMostForPlaces = 256;
  return plan.kernel->finds_places ? kMostForPlaces : Cascade::kMostInTurn;
}

// After how many rows of a slab a wave ends, where there is one thread to fold
// it: with the slab, or a few chains, if an L2 cache holds as much. Intel's
// CPUs bring more than the rows of a strip, which is then there for the next
// strip (AVX-512, 8 MiB and from memory, GB/s by waves of 16 MiB and so: the
// largest of 11,836 columns of float32 22 and 26, 12 and 15, of 20,000 22 and
// 25, 14 and 17; sums of as many 16 and 21, 18 and 21, of slabs of 17 x 12,000
// 17 and 24, 12 and 13). Others were not asked. Two threads gain nothing, and
// wait for each other at the end of each wave; states of several members wait
// for the next wave in memory (places in 11,836 columns 27 and 8).
int64_t RowsOfWave(const Plan& plan, int64_t rows, int64_t row_bytes,
                   int64_t most_whole) {
  constexpr int64_t kEndless = std::numeric_limits<int64_t>::max();
  constexpr int64_t kMostBytes = 3 * kRangeBytes;
  const Kernel& kernel = *plan.kernel;
  const bool have_small_states =
      !kernel.finds_places &&
      kernel.state_size <= static_cast<int64_t>(sizeof(double));
  if (kCpuKind != CpuKind::kOther || Threads() > 1 || !have_small_states) {
    return kEndless;
  }
  if (rows * row_bytes <= kMostBytes) return rows;
  const int64_t chain_bytes = Cascade::kChain * row_bytes;
  // A slab that needs no states goes whole.
  if (rows <= most_whole || chain_bytes > kMostBytes) return kEndless;
  return (kRangeBytes / chain_bytes + 1) * Cascade::kChain;
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

int64_t StripFold::CountUntil(int64_t begin, int64_t end) const {
  const int64_t row_bytes = cols_ * element_size_;
  const int64_t strip_bytes = nest_.range_steps * element_size_;
  const int64_t ended =
      end / row_bytes * strips() + end % row_bytes / strip_bytes;
  const int64_t begun = begin / row_bytes * strips() +
                        (begin % row_bytes + strip_bytes - 1) / strip_bytes;
  return std::min({ended, begun, nest_.range_count});
}

int64_t StripFold::ByteOf(int64_t index) const {
  return (index / strips() * cols_ + index % strips() * nest_.range_steps) *
         element_size_;
}

int64_t StripFold::FinalBefore(int64_t index) const {
  const int64_t row = index / strips();
  const bool is_last_row = row % rows_ == rows_ - 1;
  return row / rows_ * cols_ +
         (is_last_row ? index % strips() * nest_.range_steps : 0);
}

void StripFold::Fold(const Wave& wave, int64_t strip) {
  int64_t row = FirstRow(wave.begin, strip, strips());
  const int64_t end_row = FirstRow(wave.end, strip, strips());
  if (row >= end_row) return;
  absl::Cord::CharIterator at = wave.data;
  absl::Cord::Advance(&at, ByteOf(row * strips() + strip) - ByteOf(wave.begin));
  // States that nothing waits for stay in the cache.
  Cascade of_whole(kernel_, nest_.StepsOf(strip));
  Cascade& cascade = wave.are_whole ? of_whole : cascades_[strip];
  while (true) {
    const int64_t left = rows_ - row % rows_;
    const auto results = [&] {
      const int64_t first = FinalBefore((row + left - 1) * strips() + strip);
      return wave.results + (first - wave.first_result) * kernel_.output_size;
    };
    int64_t folded = std::min(end_row - row, left);
    if (folded < rows_ || !FoldWhole(strip, at, results())) {
      folded = FoldSome(strip, row, folded, at, cascade);
      if (folded == left) {
        kernel_.finish(cascade.Total(), nest_.StepsOf(strip),
                       plan_.reduced_count, results());
      }
    }
    row += folded;
    if (row == end_row) return;
    absl::Cord::Advance(&at, folded * cols_ * element_size_);
  }
}

bool StripFold::FoldWhole(int64_t strip, const absl::Cord::CharIterator& at,
                          std::byte* results) const {
  const int64_t cols = nest_.StepsOf(strip);
  const absl::string_view piece = absl::Cord::ChunkRemaining(at);
  const int64_t bytes = ((rows_ - 1) * cols_ + cols) * element_size_;
  // Even places, as the rows do not lie together (kernels.h).
  const bool has_results = kernel_.reduce_slabs != nullptr &&
                           cols * element_size_ >= kMinSlabRowBytes;
  // Without these they are one chain.
  const int64_t most = has_results ? most_whole_ : Cascade::kChain;
  if (static_cast<int64_t>(piece.size()) < bytes) return false;
  const auto* x = reinterpret_cast<const std::byte*>(piece.data());
  if (rows_ > most) return FoldByTrial(x, cols, results);
  if (has_results) {
    kernel_.reduce_slabs(x, 1, rows_, cols_, cols, results, plan_.source());
    return true;
  }
  alignas(std::max_align_t) std::byte states[kCachedStateBytes];
  const int64_t at_once = kCachedStateBytes / kernel_.state_size;
  for (int64_t c = 0; c < cols; c += at_once) {
    const int64_t width = std::min(at_once, cols - c);
    FoldOutputs(kernel_, width, plan_.reduced_count, states,
                results + c * kernel_.output_size,
                [&](const Kernel& kernel, std::byte* into) {
                  kernel.fold_columns(x + c * element_size_, rows_, cols_,
                                      width, into, Into::kNew, plan_.source());
                });
  }
  return true;
}

bool StripFold::FoldByTrial(const std::byte* x, int64_t cols,
                            std::byte* results) const {
  const Kernel* const trial = kernel_.trial;
  if (trial == nullptr) return false;
  Cascade cascade(*trial, cols);
  for (int64_t row = 0, rows = 0; row < rows_; row += rows) {
    rows = std::min(rows_ - row, Cascade::kChain);
    std::byte* const states = cascade.OpenUnset();
    trial->fold_columns(x + row * cols_ * element_size_, rows, cols_, cols,
                        states, Into::kNew, plan_.source());
    // Where the first chain does not suffice all seldom do: they may be zeros.
    if (row == 0 &&
        !kernel_.finish_trial(states, cols, plan_.reduced_count, results)) {
      return false;
    }
    cascade.CloseChildren(rows);
  }
  return kernel_.finish_trial(cascade.Total(), cols, plan_.reduced_count,
                              results);
}

int64_t StripFold::FoldSome(int64_t strip, int64_t row, int64_t most,
                            const absl::Cord::CharIterator& at,
                            Cascade& cascade) const {
  const int64_t cols = nest_.StepsOf(strip);
  // Where nothing is rounded one chain takes all.
  const bool is_new = kernel_.is_exact ? row % rows_ == 0 : cascade.is_new();
  const Into into = is_new ? Into::kNew : Into::kHeld;
  const absl::string_view piece = absl::Cord::ChunkRemaining(at);
  const int64_t beyond_first =
      static_cast<int64_t>(piece.size()) - cols * element_size_;
  int64_t rows = 1;
  if (beyond_first < 0) {
    RangeFold(kernel_, element_size_,
              absl::MakeConstSpan(nest_.levels).subspan(nest_.cut), at,
              plan_.source())
        .FoldInto(cols, cascade.OpenUnset(), into);
  } else {
    if (!kernel_.is_exact) most = std::min(most, cascade.room());
    rows = std::min(most, 1 + beyond_first / (cols_ * element_size_));
    const auto* x = reinterpret_cast<const std::byte*>(piece.data());
    const auto fold = [&](const Kernel& kernel, std::byte* states) {
      kernel.fold_columns(x, rows, cols_, cols, states, into, plan_.source());
    };
    const bool fills_chain =
        rows == std::min(rows_ - row % rows_, cascade.room());
    if (is_new && fills_chain) {
      alignas(std::max_align_t) std::byte scratch[kMostStripBytes];
      FoldStates(kernel_, cols, cascade.OpenUnset(), scratch, fold);
    } else {
      fold(kernel_, cascade.OpenUnset());
    }
  }
  if (!kernel_.is_exact) cascade.CloseChildren(rows);
  return rows;
}

}  // namespace reductor
