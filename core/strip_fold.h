// Folds the columns of wide rows strip by strip: the states of a strip stay in
// the cache while the rows that have come are walked, and wait there for the
// next ones. As ranges of their own, joined afterwards, they would be written
// and read several times for each element (65,536 columns of float32: 9 GB/s).
#ifndef REDUCTOR_CORE_STRIP_FOLD_H_
#define REDUCTOR_CORE_STRIP_FOLD_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/cord.h"
#include "core/cascade.h"
#include "core/kernels.h"
#include "core/nest.h"
#include "core/plan.h"

namespace reductor {

class StripFold {
 public:
  // Successive ranges of the nest, which lie in `data`, from its first byte on.
  struct Wave {
    int64_t begin;
    int64_t end;
    absl::Cord::CharIterator data;
    std::byte* results;  // Of FinalBefore(end) - FinalBefore(begin) results.
  };

  // All of them outlive it. REQUIRES: nest.is_strips().
  StripFold(const Plan& plan, const Nest& nest, const Kernel& kernel);

  int64_t strips() const { return static_cast<int64_t>(cascades_.size()); }

  // How many of the ranges end at the byte `end` of the tensor or before it and
  // begin before `begin`.
  int64_t CountUntil(int64_t begin, int64_t end) const;
  // Where range `index` begins in the tensor.
  int64_t ByteOf(int64_t index) const;
  // How many results the ranges before `index` make final.
  int64_t FinalBefore(int64_t index) const;

  // Folds what the wave has of a strip, and finishes what becomes final. Waves
  // come in order; safe to call for several strips at once.
  void Fold(const Wave& wave, int64_t strip);

 private:
  // Folds all rows of the next results and finishes them, where they are few
  // and lie together; else false. Two rows of 65,536 float32: 22 GB/s by states
  // that wait for more.
  bool FoldWhole(int64_t strip, const absl::Cord::CharIterator& at,
                 std::byte* results) const;
  // Folds some of the rows from `row` on, at most `most`; says how many.
  int64_t FoldSome(int64_t strip, int64_t row, int64_t most,
                   const absl::Cord::CharIterator& at);

  const Plan& plan_;
  const Nest& nest_;
  const Kernel& kernel_;
  const int64_t element_size_;
  const int64_t rows_;  // That a result folds.
  const int64_t cols_;
  const int64_t most_whole_;       // Rows of FoldWhole().
  std::vector<Cascade> cascades_;  // One a strip.
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_STRIP_FOLD_H_
