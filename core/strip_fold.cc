#include "core/strip_fold.h"

#include <algorithm>
#include <cstddef>

#include "absl/types/span.h"
#include "core/order.h"
#include "core/range_fold.h"
#include "core/trial.h"

namespace reductor {
namespace {

// The first row whose range of the strip is not before range `index`.
int64_t FirstRow(int64_t index, int64_t strip, int64_t strips) {
  return (index - strip + strips - 1) / strips;
}

}  // namespace

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
  // Where rows do not lie together kernels that find places need as much, too
  // (kernels.h).
  const bool has_results = kernel_.reduce_slabs != nullptr &&
                           cols * element_size_ >= kMinSlabRowBytes;
  // Without these they are one chain.
  const int64_t most = has_results ? most_whole_ : kChainRows;
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
    rows = std::min(rows_ - row, kChainRows);
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
