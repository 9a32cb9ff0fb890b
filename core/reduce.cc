#include "core/reduce.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/string_view.h"
#include "core/join.h"
#include "core/kernels.h"
#include "core/nest.h"
#include "core/parallel.h"
#include "core/range_fold.h"

namespace reductor {
namespace {

// How far the reductions of a request run ahead of each other: enough ranges
// for every thread, few enough to bound their states.
constexpr int64_t kWaveBytes = 4 * 1024 * 1024;

// Below this, waking other threads costs more than it saves.
constexpr int64_t kInlineBytes = 1024 * 1024;

// Bytes without the cost of clearing them first.
using Bytes = std::unique_ptr<std::byte[]>;
Bytes NewBytes(int64_t n) { return Bytes(new std::byte[n]); }

// The bytes as a Cord that owns them.
absl::Cord ToCord(Bytes bytes, int64_t n) {
  const std::byte* data = bytes.release();
  return absl::MakeCordFromExternal(
      absl::string_view(reinterpret_cast<const char*>(data), n),
      [data] { delete[] data; });
}

const Kernel& KernelOf(const Plan& plan) {
  return GetKernel(plan.op, plan.dtype, plan.select_last_index);
}

// One plan on its way through the tensor.
class Fold {
 public:
  // A range that is due, with the states it folds into.
  struct Range {
    Fold* fold;
    int64_t begin_byte;
    int64_t steps;
    int64_t width;         // The number of states.
    int64_t first_result;  // Only if the states of ranges are final.
    absl::Cord::CharIterator at;
    Bytes states;
  };

  // REQUIRES: plan.input_count > 0.
  Fold(const Plan& plan, const absl::Cord& data)
      : plan_(plan),
        kernel_(KernelOf(plan)),
        nest_(MakeNest(plan)),
        ranges_are_final_(nest_.ranges_are_final()),
        at_(data.char_begin()),
        output_(NewBytes(plan.output_bytes())) {
    if (!ranges_are_final_) join_.emplace(nest_, kernel_);
  }

  // Appends the ranges that begin before `end_byte` and were not taken yet.
  void TakeRanges(int64_t end_byte, std::vector<Range>& ranges) {
    const Level& level = nest_.levels[nest_.cut];
    for (; next_ < nest_.range_count && byte_ < end_byte; ++next_) {
      const int64_t steps = nest_.StepsOf(next_);
      const int64_t width =
          level.reduced ? level.step_width : steps * level.step_width;
      ranges.push_back({.fold = this,
                        .begin_byte = byte_,
                        .steps = steps,
                        .width = width,
                        .first_result = result_,
                        .at = at_,
                        .states = nullptr});
      const int64_t bytes = steps * level.step_elements * SizeOf(plan_.dtype);
      absl::Cord::Advance(&at_, bytes);
      byte_ += bytes;
      result_ += width;
    }
  }

  // Folds a range; safe to call for several at once.
  void FoldRange(Range& range) const {
    range.states = NewBytes(range.width * kernel_.state_size);
    kernel_.init(range.states.get(), range.width);
    RangeFold(kernel_, SizeOf(plan_.dtype),
              absl::MakeConstSpan(nest_.levels).subspan(nest_.cut), range.at)
        .FoldInto(range.steps, range.states.get());
    if (!ranges_are_final_) return;
    Finish(range.first_result, range.width, range.states.get());
    range.states.reset();
  }

  // Joins a folded range to those before it. Ranges come in order.
  void JoinRange(const Range& range) {
    if (ranges_are_final_) return;
    join_->Add(range.states.get(), range.width,
               [this](int64_t first, int64_t n, const std::byte* states) {
                 Finish(first, n, states);
               });
  }

  absl::Cord TakeOutput() {
    return ToCord(std::move(output_), plan_.output_bytes());
  }

 private:
  void Finish(int64_t first, int64_t n, const std::byte* states) const {
    kernel_.finish(states, n, plan_.reduced_count,
                   output_.get() + first * kernel_.output_size);
  }

  const Plan& plan_;
  const Kernel& kernel_;
  const Nest nest_;
  const bool ranges_are_final_;
  std::optional<Join> join_;
  absl::Cord::CharIterator at_;
  int64_t next_ = 0;    // The next range,
  int64_t byte_ = 0;    // where it begins,
  int64_t result_ = 0;  // and its first result.
  Bytes output_;
};

// Every result is what no elements give.
absl::Cord ReduceNothing(const Plan& plan) {
  const Kernel& kernel = KernelOf(plan);
  const Bytes state = NewBytes(kernel.state_size);
  kernel.init(state.get(), 1);
  Bytes output = NewBytes(plan.output_bytes());
  for (int64_t i = 0; i < plan.output_count; ++i) {
    kernel.finish(state.get(), 1, 0, output.get() + i * kernel.output_size);
  }
  return ToCord(std::move(output), plan.output_bytes());
}

void RunWave(std::vector<Fold::Range>& ranges, bool inline_only) {
  // Ranges of the same bytes are neighbours, so that the bytes are in cache.
  std::stable_sort(ranges.begin(), ranges.end(),
                   [](const Fold::Range& a, const Fold::Range& b) {
                     return a.begin_byte < b.begin_byte;
                   });
  const auto fold = [&ranges](int64_t i) {
    ranges[i].fold->FoldRange(ranges[i]);
  };
  const auto count = static_cast<int64_t>(ranges.size());
  if (inline_only) {
    for (int64_t i = 0; i < count; ++i) fold(i);
  } else {
    ParallelFor(count, fold);
  }
  for (const Fold::Range& range : ranges) range.fold->JoinRange(range);
}

}  // namespace

std::vector<absl::Cord> Reduce(absl::Span<const Plan> plans,
                               const absl::Cord& data) {
  std::vector<absl::Cord> results(plans.size());
  std::vector<std::pair<size_t, std::unique_ptr<Fold>>> folds;
  for (size_t i = 0; i < plans.size(); ++i) {
    const Plan& plan = plans[i];
    if (plan.is_identity) {
      results[i] = data;
    } else if (plan.input_count == 0) {
      results[i] = ReduceNothing(plan);
    } else {
      folds.emplace_back(i, std::make_unique<Fold>(plan, data));
    }
  }
  const auto bytes = static_cast<int64_t>(data.size());
  const bool inline_only = bytes < kInlineBytes;
  std::vector<Fold::Range> ranges;
  for (int64_t end = kWaveBytes; !folds.empty(); end += kWaveBytes) {
    ranges.clear();
    for (auto& [i, fold] : folds) fold->TakeRanges(end, ranges);
    RunWave(ranges, inline_only);
    if (end >= bytes) break;
  }
  for (auto& [i, fold] : folds) results[i] = fold->TakeOutput();
  return results;
}

}  // namespace reductor
