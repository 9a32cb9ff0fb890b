#include "core/reduce.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/byte_reader.h"
#include "core/parallel.h"
#include "core/small_tensor.h"
#include "core/work_per_byte.h"

namespace reductor {
namespace {

// Up to this, waking other threads costs more than it saves. From the socket
// on, one call after the other, all of float32, GB/s and CPU seconds a GB, with
// one thread and with two, Intel:
//   2 MiB    1.9 and 1.8    0.37 and 0.45
//   3 MiB    2.0 and 2.1    0.36 and 0.41
//   4 MiB    2.0 and 2.2    0.32 and 0.35
//   6 MiB    2.2 and 2.4    0.34 and 0.36
// Bytes count once for each reduction that reads them, as many times as its
// WorkPerByte() says.
constexpr int64_t kInlineBytes = 3 << 20;

// The most of ranges that are folded as one. To begin and to end a range takes
// half a microsecond in which the CPU loads little (19 reductions of 8 MiB, in
// cache, Zen 4: 1.02, 1.03 and 1.035 times as fast by 1, 2 and 4 MiB as by
// single ranges). More would take too long before it is asked whether anyone
// waits still.
constexpr int64_t kMostTogetherBytes = 2 << 20;

// Counts who computes now, but for small tensors, which take some microseconds:
// once they are as many as the threads, each does its own work.
class Computing {
 public:
  Computing() : others_(computing_.fetch_add(1, std::memory_order_relaxed)) {}
  Computing(const Computing&) = delete;
  Computing& operator=(const Computing&) = delete;
  ~Computing() { computing_.fetch_sub(1, std::memory_order_relaxed); }

  bool leaves_threads_idle() const { return others_ + 1 < Threads(); }

 private:
  static inline std::atomic<int> computing_{0};
  const int others_;
};

bool AreWorthThreads(size_t bytes, absl::Span<const Plan> plans) {
  int64_t work_per_byte = 0;
  for (const Plan& plan : plans) work_per_byte += WorkPerByte(plan);
  return static_cast<int64_t>(bytes) * work_per_byte > kInlineBytes;
}

absl::Status Cancelled() {
  return absl::CancelledError("cancelled while it was computed");
}

absl::Cord ReduceSmallToCord(const Plan& plan, absl::string_view bytes) {
  const int64_t size = plan.output_bytes();
  LineBytes block(size);
  ReduceSmall(plan, bytes, block.data());
  absl::Cord result;
  Append(std::move(block), size, result);
  return result;
}

// Each result is made where it stays: to move one just written is to wait for
// its stores (sums of 24 float32 and uint8, Zen 4: 60 and 64 ns by moves, 55
// and 53 so).
absl::StatusOr<Results> ReduceAllSmall(absl::Span<const Plan> plans,
                                       absl::string_view bytes) {
  absl::StatusOr<Results> results(absl::in_place);
  results->reserve(plans.size());
  for (const Plan& plan : plans) {
    const int64_t size = plan.output_bytes();
    ResultBytes& result = results->emplace_back();
    if (size <= ResultBytes::kMostWithin) {
      ReduceSmall(plan, bytes, result.MakeWithin(size));
    } else {
      result = ResultBytes(ReduceSmallToCord(plan, bytes));
    }
  }
  return results;
}

}  // namespace

PiecewiseReduce::PiecewiseReduce(absl::Span<const Plan> plans)
    : folds_(plans.size()), plans_(plans), identities_(plans.size()) {
  for (size_t i = 0; i < plans.size(); ++i) {
    if (plans[i].is_identity) continue;
    wave_bytes_ =
        std::min(wave_bytes_, folds_[i].emplace(plans[i]).wave_bytes());
  }
}

absl::Status PiecewiseReduce::Consume(const absl::Cord& bytes,
                                      IsCancelled is_cancelled) {
  const Computing computing;
  const bool inline_only = !AreWorthThreads(bytes.size(), plans_) ||
                           !computing.leaves_threads_idle();
  data_.Append(bytes);
  for (size_t i = 0; i < plans_.size(); ++i) {
    if (plans_[i].is_identity) identities_[i].Append(bytes);
  }
  const int64_t end = data_begin_ + static_cast<int64_t>(data_.size());
  for (int64_t wave_end = data_begin_; wave_end < end;) {
    const int64_t wave_bytes = std::min(wave_bytes_, end - wave_end);
    wave_end += wave_bytes;
    const int64_t together = BytesTogether(wave_bytes, inline_only);
    if (!RunWave(wave_end, together, inline_only, is_cancelled)) {
      return Cancelled();
    }
  }
  ForgetConsumed(end);
  return absl::OkStatus();
}

absl::Cord PiecewiseReduce::TakeResults(size_t i) {
  return plans_[i].is_identity ? std::exchange(identities_[i], absl::Cord())
                               : folds_[i]->TakeResults();
}

int64_t PiecewiseReduce::BytesTogether(int64_t wave_bytes,
                                       bool inline_only) const {
  // Other reductions want the bytes of a range while they are in cache.
  if (folds_.size() > 1) return 0;
  if (inline_only) return kMostTogetherBytes;
  return std::min(wave_bytes / FewForEachThread(), kMostTogetherBytes);
}

bool PiecewiseReduce::RunWave(int64_t wave_end, int64_t together,
                              bool inline_only, IsCancelled is_cancelled) {
  for (bool has_more = true; has_more;) {
    has_more = false;
    ranges_.clear();
    for (std::optional<PlanFold>& fold : folds_) {
      if (fold &&
          fold->TakeRanges(data_, data_begin_, wave_end, together, ranges_)) {
        has_more = true;
      }
    }
    if (!RunRanges(inline_only, is_cancelled)) return false;
  }
  return true;
}

bool PiecewiseReduce::RunRanges(bool inline_only, IsCancelled is_cancelled) {
  if (folds_.size() > 1) {
    // Ranges of the same bytes are neighbours, so that the bytes are in cache.
    std::stable_sort(ranges_.begin(), ranges_.end(),
                     [](const PlanFold::Range& a, const PlanFold::Range& b) {
                       return a.begin_byte < b.begin_byte;
                     });
  }
  std::atomic<bool> cancelled = false;
  const auto fold = [&](int64_t i) {
    if (cancelled.load(std::memory_order_relaxed)) return;
    if (is_cancelled()) return cancelled.store(true, std::memory_order_relaxed);
    ranges_[i].fold->FoldRange(ranges_[i]);
  };
  const auto count = static_cast<int64_t>(ranges_.size());
  if (inline_only || AreSoonAbsorbed()) {
    for (int64_t i = 0; i < count; ++i) fold(i);
  } else {
    ParallelFor(count, fold);
  }
  if (cancelled) return false;
  for (const PlanFold::Range& range : ranges_) range.fold->JoinRange(range);
  return true;
}

bool PiecewiseReduce::AreSoonAbsorbed() const {
  return std::all_of(ranges_.begin(), ranges_.end(),
                     [](const PlanFold::Range& range) {
                       return range.fold->IsSoonAbsorbed(range);
                     });
}

void PiecewiseReduce::ForgetConsumed(int64_t end) {
  // They point into the data.
  ranges_.clear();
  int64_t needed = end;
  for (const std::optional<PlanFold>& fold : folds_) {
    if (fold) needed = std::min(needed, fold->next_byte());
  }
  data_.RemovePrefix(needed - data_begin_);
  data_begin_ = needed;
}

absl::StatusOr<Results> Reduce(absl::Span<const Plan> plans,
                               const absl::Cord& data,
                               IsCancelled is_cancelled) {
  // One reduction of a small tensor is one range, which threads cannot share;
  // many may be worth them.
  if (!data.empty() && std::all_of(plans.begin(), plans.end(), IsSmall) &&
      (plans.size() == 1 || !AreWorthThreads(data.size(), plans))) {
    if (const auto bytes = InOnePiece(data)) {
      if (is_cancelled()) return Cancelled();
      return ReduceAllSmall(plans, *bytes);
    }
  }
  PiecewiseReduce reduce(plans);
  const absl::Status consumed = reduce.Consume(data, is_cancelled);
  if (!consumed.ok()) return consumed;
  Results results;
  results.reserve(plans.size());
  for (size_t i = 0; i < plans.size(); ++i) {
    results.emplace_back(reduce.TakeResults(i));
  }
  return results;
}

}  // namespace reductor
