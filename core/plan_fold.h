// One plan on its way through the tensor: which ranges are due, their folds,
// and the results as they become final.
#ifndef REDUCTOR_CORE_PLAN_FOLD_H_
#define REDUCTOR_CORE_PLAN_FOLD_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/strings/cord.h"
#include "absl/types/span.h"
#include "core/join.h"
#include "core/kernels.h"
#include "core/line_bytes.h"
#include "core/nest.h"
#include "core/plan.h"
#include "core/range_fold.h"
#include "core/scratch.h"
#include "core/strip_fold.h"

namespace reductor {

class PlanFold {
 public:
  // A range that is due, or several that are folded as one, or the due ranges
  // of some strips. Each holds what one thread needs to fold it.
  struct Range {
    PlanFold* fold;
    int64_t begin_byte;  // Of the tensor.
    int64_t steps = 0;
    int64_t count = 0;             // Of ranges that are one.
    int64_t width = 0;             // The number of states; or
    int64_t first_strip = 0;       // the first strip
    int64_t end_strip = 0;         // and that after the last.
    std::byte* results = nullptr;  // Where final states are finished to, or
    std::byte* states = nullptr;   // where others are left to be joined.
  };

  // `plan` outlives it. A plan without elements has its results at once.
  explicit PlanFold(const Plan& plan);

  // How many bytes of the tensor to fold before what was folded is joined.
  int64_t wave_bytes() const { return wave_bytes_; }

  // Where the next range begins, in bytes of the tensor. Those before it are
  // never asked for again.
  int64_t next_byte() const { return next_byte_; }

  // Appends the next ranges that begin before `wave_end` and lie in `data`
  // whole, the bytes of the tensor from `data_begin` on; or of whole columns
  // about as many bytes. Where that changes no bit, as many of them as have
  // `together_bytes` are one. They stay valid until `data` changes. Says
  // whether there may be more of them, once these have been folded.
  bool TakeRanges(const absl::Cord& data, int64_t data_begin, int64_t wave_end,
                  int64_t together_bytes, std::vector<Range>& ranges);

  // Whether to fold this range leaves most of it unread, as an earlier one's
  // state is absorbing, or that of its first elements is.
  bool IsSoonAbsorbed(const Range& range);

  // Folds a range; safe to call for several at once.
  void FoldRange(const Range& range);

  // Joins a folded range to those before it. Ranges come in order.
  void JoinRange(const Range& range);

  // The bytes of the results that have become final since the last call, in
  // order. REQUIRES: every range taken has been joined.
  absl::Cord TakeResults();

 private:
  // These three are in plan_absorbing.cc, as is IsSoonAbsorbed().
  // Whether all elements have one state, which may become absorbing.
  bool MayBeAbsorbed() const;
  // Whether an earlier range is known to be absorbing, so that this one need
  // not be read.
  bool IsAbsorbed(const Range& range) const;
  // Whether `state`, of elements of this range, is absorbing; if so, all ranges
  // after this one are absorbed from now on.
  bool NoteIfAbsorbing(const Range& range, const std::byte* state);
  // How many ranges are folded as one, where they lie together.
  int64_t MostTogether(int64_t together_bytes) const;
  // Appends those that TakeRanges() takes, up to `most` as one.
  void AppendDue(int64_t data_end, int64_t wave_end, int64_t most,
                 std::vector<Range>& ranges);
  // Gives each a place for its results or states.
  void MakePlaces(absl::Span<Range> ranges);
  bool TakeStrips(const absl::Cord& data, int64_t data_begin, int64_t wave_end,
                  std::vector<Range>& ranges);
  RangeFold FoldOf(const Range& range, const Kernel& kernel) const;
  void KeepWaveResults();

  const Plan& plan_;
  const Kernel& kernel_;
  Nest nest_;
  // Has a value where the nest is cut into strips;
  std::optional<StripFold> strips_;
  // else this has one, where the states of ranges are not final.
  std::optional<Join> join_;
  StripFold::Wave strip_wave_;
  int64_t next_strip_ = 0;  // Of a slab whose waves are of whole columns.
  // Whether ranges may be folded as one: their states are final, or are joined
  // without rounding. But not by trials, of which one that does not suffice has
  // all that were folded with it folded once more.
  bool may_be_together_ = false;
  int64_t wave_bytes_ = std::numeric_limits<int64_t>::max();
  int64_t next_range_ = 0;
  int64_t next_byte_ = 0;
  // Where the last ranges taken lie: in the bytes of the tensor from that one
  // on.
  const absl::Cord* data_ = nullptr;
  int64_t data_begin_ = 0;
  absl::Cord results_;
  // Of the last ranges taken, side by side, where their states are final.
  LineBytes wave_results_;
  int64_t wave_result_bytes_ = 0;
  Scratch wave_states_;  // Where they are not.
  // Where the first range begins that is known to be absorbing.
  std::atomic<int64_t> absorbing_from_ = std::numeric_limits<int64_t>::max();
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_PLAN_FOLD_H_
