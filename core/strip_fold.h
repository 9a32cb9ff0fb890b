// Folds the columns of wide rows strip by strip: the states of a strip stay in
// the cache while the rows of a wave are walked, and wait there for the next
// ones. As ranges of their own, joined afterwards, they would be written
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
  // Some strips of successive ranges of the nest, which lie in `data`, from its
  // first byte on: all strips of some rows that have come; or, where all rows
  // of slabs have, so that columns are whole, all strips of these or some of
  // one.
  struct Wave {
    int64_t begin = 0;
    int64_t end = 0;
    int64_t first_strip = 0;
    int64_t end_strip = 0;
    bool are_whole = false;
    // The results that become final: the first of all there are, how many, and
    // where they go.
    int64_t first_result = 0;
    int64_t result_count = 0;
    std::byte* results = nullptr;
    absl::Cord::CharIterator data = {};

    bool is_empty() const { return begin == end || first_strip == end_strip; }
  };

  // Both outlive it. REQUIRES: nest.is_strips().
  StripFold(const Plan& plan, const Nest& nest);

  // Whether columns of which all rows have come are folded one strip after the
  // other, as a row has so many states that they are not to be read and written
  // for every few rows. And where a trial folds, which takes whole columns,
  // unless they are too long (L2 of 332,573 and 5,000 columns of float64 4 and
  // 8 GB/s row by row, 17 and 13 so). From memory, Zen 3, GB/s row by row,
  // then by this:
  //   the largest of 67 x 1,000,000 float32    18   15
  //   the largest of 16 x 4,000,000 float32     6   13
  //   sums of 16 x 4,000,000 float32            6   16
  //   places in 335 x 200,000 float32           8   16
  //   places in 16 x 4,000,000 float32        0.6   12
  static bool FoldsWholeColumns(const Nest& nest, const Kernel& kernel);

  int64_t strips() const { return nest_.ranges_per_level; }

  // The next wave, from range `next_range` on, but of a slab from strip
  // `next_strip` on: about as many bytes as lie before the byte `wave_end` of
  // the tensor, or fewer (RowsOfWave()), of those that have come, before
  // `data_end`. It may be empty, and lacks its data and where its results go.
  Wave NextWave(int64_t next_range, int64_t next_strip, int64_t wave_end,
                int64_t data_end);
  // Where range `index` begins in the tensor.
  int64_t ByteOf(int64_t index) const;

  // Folds what the wave has of a strip, and finishes what becomes final. Waves
  // come in order; safe to call for several strips at once.
  void Fold(const Wave& wave, int64_t strip);

 private:
  // Those of a slab that begins with that range, and of rows that have come.
  Wave StripsOfSlab(int64_t slab_begin, int64_t first_strip,
                    int64_t wave_end) const;
  Wave Rows(int64_t next_range, int64_t wave_end, int64_t data_end);
  // How many ranges, from the first one on, begin before the byte `wave_end` of
  // the tensor and end by `data_end`.
  int64_t CountUntil(int64_t wave_end, int64_t data_end) const;
  // How many results the ranges before `index` make final.
  int64_t FinalBefore(int64_t index) const;
  // Folds all rows of the next results and finishes them, where they lie
  // together and are few, or a trial suffices; else false.
  bool FoldWhole(int64_t strip, const absl::Cord::CharIterator& at,
                 std::byte* results) const;
  // The same of any number of rows, the first of which begins at x, by the
  // kernel's trial; false if there is none or it does not suffice. L2 and means
  // of 20,000 columns of float64, in cache, Zen 3: 10 and 18 GB/s by states of
  // the kernel for each chain, 28 and 30 so.
  bool FoldByTrial(const std::byte* x, int64_t cols, std::byte* results) const;
  // Folds some of the rows from `row` on, at most `most`, into the cascade of
  // the strip; says how many.
  int64_t FoldSome(int64_t strip, int64_t row, int64_t most,
                   const absl::Cord::CharIterator& at, Cascade& cascade) const;

  const Plan& plan_;
  const Nest& nest_;
  const Kernel& kernel_;
  const int64_t element_size_;
  const int64_t rows_;  // That a result folds.
  const int64_t cols_;
  const int64_t most_whole_;        // Rows of FoldWhole().
  const int64_t wave_rows_;         // Of a slab: all if more than it has.
  const bool folds_whole_columns_;  // Where all of their rows have come.
  // One a strip, once rows come whose columns are not whole.
  std::vector<Cascade> cascades_;
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_STRIP_FOLD_H_
