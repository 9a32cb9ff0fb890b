#include "core/plan_fold.h"

#include <algorithm>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/byte_reader.h"
#include "core/final_range.h"
#include "core/parallel.h"
#include "core/result_bytes.h"
#include "core/trial.h"
#include "core/waves.h"

namespace reductor {
namespace {

// Results that are all the same share a block of as many bytes.
constexpr int64_t kSharedBytes = 256 * 1024;

// Every result is what no elements give. A tensor of no bytes may ask for as
// many as it likes: of each kSharedBytes they take a node of the Cord. Whoever
// lets the plan in bounds its output_bytes().
absl::Cord ResultsOfNothing(const Plan& plan) {
  const Kernel& kernel = *plan.kernel;
  const LineBytes state(kernel.state_size);
  kernel.init(state.data(), 1);
  const int64_t count =
      std::min<int64_t>(plan.output_count, kSharedBytes / kernel.output_size);
  LineBytes block(count * kernel.output_size);
  for (int64_t i = 0; i < count; ++i) {
    kernel.finish(state.data(), 1, 0, block.data() + i * kernel.output_size);
  }
  absl::Cord shared;
  Append(std::move(block), count * kernel.output_size, shared);
  absl::Cord results;
  for (int64_t left = plan.output_bytes(); left > 0;) {
    const int64_t n = std::min(left, static_cast<int64_t>(shared.size()));
    results.Append(shared.Subcord(0, n));
    left -= n;
  }
  return results;
}

}  // namespace

PlanFold::PlanFold(const Plan& plan) : plan_(plan), kernel_(*plan.kernel) {
  if (plan.input_count == 0) {
    nest_.range_count = 0;
    results_ = ResultsOfNothing(plan);
    return;
  }
  nest_ = MakeNest(plan);
  wave_bytes_ = RangesPerWave(plan, nest_) *
                nest_.ElementsOf(nest_.range_steps) * SizeOf(plan.dtype);
  if (nest_.is_strips()) {
    strips_.emplace(plan, nest_);
  } else if (!nest_.ranges_are_final()) {
    join_.emplace(nest_, kernel_);
  }
  may_be_together_ = kernel_.trial == nullptr &&
                     (!join_.has_value() ||
                      (kernel_.is_exact && nest_.levels[nest_.cut].reduced));
}

bool PlanFold::TakeRanges(const absl::Cord& data, int64_t data_begin,
                          int64_t wave_end, int64_t together_bytes,
                          std::vector<Range>& ranges) {
  KeepWaveResults();
  if (strips_.has_value()) {
    return TakeStrips(data, data_begin, wave_end, ranges);
  }
  data_ = &data;
  data_begin_ = data_begin;
  const size_t first = ranges.size();
  AppendDue(data_begin + static_cast<int64_t>(data.size()), wave_end,
            MostTogether(together_bytes), ranges);
  MakePlaces(absl::MakeSpan(ranges).subspan(first));
  return false;
}

void PlanFold::AppendDue(int64_t data_end, int64_t wave_end, int64_t most,
                         std::vector<Range>& ranges) {
  const size_t first = ranges.size();
  while (next_range_ < nest_.range_count && next_byte_ < wave_end) {
    const int64_t steps = nest_.StepsOf(next_range_);
    const int64_t bytes = nest_.ElementsOf(steps) * SizeOf(plan_.dtype);
    if (bytes > data_end - next_byte_) break;
    if (ranges.size() > first && ranges.back().count < most &&
        !nest_.is_first(next_range_)) {
      ++ranges.back().count;
      ranges.back().steps += steps;
    } else {
      ranges.push_back(
          {.fold = this, .begin_byte = next_byte_, .steps = steps, .count = 1});
    }
    next_byte_ += bytes;
    ++next_range_;
  }
}

void PlanFold::MakePlaces(absl::Span<Range> ranges) {
  int64_t width = 0;
  for (Range& range : ranges) {
    range.width = nest_.WidthOf(range.steps);
    width += range.width;
  }
  const auto share_out = [ranges](std::byte* Range::*share, std::byte* bytes,
                                  int64_t size) {
    for (Range& range : ranges) {
      range.*share = bytes;
      bytes += range.width * size;
    }
  };
  if (join_.has_value()) {
    share_out(&Range::states, wave_states_.Reserve(width * kernel_.state_size),
              kernel_.state_size);
    return;
  }
  wave_result_bytes_ = width * kernel_.output_size;
  wave_results_ = LineBytes(wave_result_bytes_);
  share_out(&Range::results, wave_results_.data(), kernel_.output_size);
}

int64_t PlanFold::MostTogether(int64_t together_bytes) const {
  if (!may_be_together_ || !InOnePiece(*data_)) return 1;
  const int64_t range_bytes =
      nest_.ElementsOf(nest_.range_steps) * SizeOf(plan_.dtype);
  return std::max<int64_t>(1, together_bytes / range_bytes);
}

bool PlanFold::TakeStrips(const absl::Cord& data, int64_t data_begin,
                          int64_t wave_end, std::vector<Range>& ranges) {
  if (next_byte_ >= wave_end) return false;
  const int64_t data_end = data_begin + static_cast<int64_t>(data.size());
  StripFold::Wave& wave = strip_wave_;
  wave = strips_->NextWave(next_range_, next_strip_, wave_end, data_end);
  if (wave.is_empty()) return false;
  wave_result_bytes_ = wave.result_count * kernel_.output_size;
  if (wave_result_bytes_ > 0) wave_results_ = LineBytes(wave_result_bytes_);
  wave.results = wave_results_.data();
  wave.data = data.char_begin();
  absl::Cord::Advance(&wave.data, next_byte_ - data_begin);
  const int64_t count = wave.end_strip - wave.first_strip;
  const int64_t most = FewForEachThread();
  const int64_t at_once = (count + most - 1) / most;
  for (int64_t s = wave.first_strip; s < wave.end_strip; s += at_once) {
    ranges.push_back({.fold = this,
                      .begin_byte = next_byte_,
                      .first_strip = s,
                      .end_strip = std::min(wave.end_strip, s + at_once)});
  }
  next_strip_ = wave.end_strip % strips_->strips();
  if (next_strip_ > 0) return false;
  next_range_ = wave.end;
  next_byte_ = strips_->ByteOf(wave.end);
  return next_byte_ < wave_end;
}

void PlanFold::FoldRange(const Range& range) {
  if (strips_.has_value()) {
    for (int64_t s = range.first_strip; s < range.end_strip; ++s) {
      strips_->Fold(strip_wave_, s);
    }
    return;
  }
  if (!join_.has_value()) {
    return ReduceFinalRange(
        plan_, nest_.levels[nest_.cut], range.steps, range.results,
        [&](const Kernel& kernel) { return FoldOf(range, kernel); });
  }
  if (IsAbsorbed(range)) return kernel_.init(range.states, range.width);
  const Scratch trial(
      kernel_.trial == nullptr ? 0 : range.width * kernel_.trial->state_size);
  FoldStates(kernel_, range.width, range.states, trial.data(),
             [&](const Kernel& kernel, std::byte* states) {
               FoldOf(range, kernel).FoldInto(range.steps, states, Into::kNew);
             });
  NoteIfAbsorbing(range, range.states);
}

RangeFold PlanFold::FoldOf(const Range& range, const Kernel& kernel) const {
  const auto fold_of = [&](auto bytes) {
    return RangeFold(kernel, SizeOf(plan_.dtype),
                     absl::MakeConstSpan(nest_.levels).subspan(nest_.cut),
                     bytes, plan_.source());
  };
  const int64_t from = range.begin_byte - data_begin_;
  // Most tensors lie in one piece, of which a view says all that an iterator,
  // ten times its size, would.
  if (const auto piece = InOnePiece(*data_)) {
    return fold_of(piece->substr(from));
  }
  absl::Cord::CharIterator at = data_->char_begin();
  absl::Cord::Advance(&at, from);
  return fold_of(at);
}

void PlanFold::JoinRange(const Range& range) {
  if (!join_.has_value()) return;
  join_->Add(range.states, range.width, range.count,
             [this](const std::byte* states, int64_t n) {
               LineBytes results(n * kernel_.output_size);
               kernel_.finish(states, n, plan_.reduced_count, results.data());
               Append(std::move(results), n * kernel_.output_size, results_);
             });
}

absl::Cord PlanFold::TakeResults() {
  KeepWaveResults();
  return std::exchange(results_, absl::Cord());
}

void PlanFold::KeepWaveResults() {
  if (wave_result_bytes_ == 0) return;
  Append(std::move(wave_results_), wave_result_bytes_, results_);
  wave_result_bytes_ = 0;
}

}  // namespace reductor
