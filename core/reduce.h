// Runs plans over a tensor where it lies: in order, in pieces of any size, by
// ranges that depend on the plan alone, so that the same request gives the same
// bits however its bytes were cut and however many threads there are.
#ifndef REDUCTOR_CORE_REDUCE_H_
#define REDUCTOR_CORE_REDUCE_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/types/span.h"
#include "core/plan.h"
#include "core/plan_fold.h"
#include "core/result_bytes.h"

namespace reductor {

// Whether nobody waits for the answer any more: asked every few milliseconds,
// by several threads at once.
using IsCancelled = absl::FunctionRef<bool()>;
inline bool NeverCancelled() { return false; }

// The reductions of a tensor that arrives in pieces, cut anywhere. It holds the
// open results, the states that PiecewiseWorkingBytes() counts, and of the
// tensor only what does not fill a range yet: less than 1 MiB.
class PiecewiseReduce {
 public:
  // REQUIRES: every plan came from one MakePlans() call; they outlive this.
  explicit PiecewiseReduce(absl::Span<const Plan> plans);

  // Folds the next bytes of the tensor, in one pass for all plans. CANCELLED
  // as soon as `is_cancelled` says so; then nothing more may be asked of it.
  // REQUIRES: no bytes beyond plans[i].input_bytes() in all.
  absl::Status Consume(const absl::Cord& bytes, IsCancelled is_cancelled);

  // The bytes of the result of plans[i] that have become final since the last
  // call, in order, row-major. Once all of the tensor was consumed, all of them
  // have. An identity's result shares the memory of what was consumed.
  absl::Cord TakeResults(size_t i);

 private:
  // How many bytes of the ranges of a wave may be folded as one.
  int64_t BytesTogether(int64_t wave_bytes, bool inline_only) const;
  // Folds the ranges that are due until `wave_end`, `together` bytes of them as
  // one; false if cancelled.
  bool RunWave(int64_t wave_end, int64_t together, bool inline_only,
               IsCancelled is_cancelled);
  // Folds ranges_ and joins them.
  bool RunRanges(bool inline_only, IsCancelled is_cancelled);
  // Whether to fold ranges_ takes less than to wake a thread, as little of them
  // is read (any of 8 MiB of bools, half of them set, two threads, Intel: 5 us
  // by both, 1 so).
  bool AreSoonAbsorbed() const;
  // Forgets the bytes of the tensor, up to `end`, that every fold has had.
  void ForgetConsumed(int64_t end);

  // Most requests have one.
  absl::InlinedVector<std::optional<PlanFold>, 1> folds_;  // None: an identity.
  const absl::Span<const Plan> plans_;
  absl::InlinedVector<absl::Cord, 1> identities_;
  // How far the folds run ahead of each other.
  int64_t wave_bytes_ = std::numeric_limits<int64_t>::max();
  absl::Cord data_;         // The bytes of the tensor
  int64_t data_begin_ = 0;  // from this one on.
  std::vector<PlanFold::Range> ranges_;
};

// Most requests have one, which costs no allocation.
using Results = absl::InlinedVector<ResultBytes, 1>;

// The results of `plans`, in order, each output_bytes() long. CANCELLED as soon
// as `is_cancelled` says so.
// REQUIRES: every plan came from one MakePlans() call, and `data` holds the
// tensor's bytes: plans[i].input_bytes() of them.
absl::StatusOr<Results> Reduce(absl::Span<const Plan> plans,
                               const absl::Cord& data,
                               IsCancelled is_cancelled = NeverCancelled);

}  // namespace reductor

#endif  // REDUCTOR_CORE_REDUCE_H_
