// Folds the elements of one range, where they lie, into its states.
#ifndef REDUCTOR_CORE_RANGE_FOLD_H_
#define REDUCTOR_CORE_RANGE_FOLD_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "core/byte_reader.h"
#include "core/cascade.h"
#include "core/cpu.h"
#include "core/kernels.h"
#include "core/nest.h"
#include "core/order.h"
#include "core/scratch.h"

namespace reductor {

// Whether a slab is one that fold_slabs makes new states of, of any kernel.
constexpr bool IsSlabOfFewRows(int64_t rows, int64_t cols,
                               int64_t element_size) {
  return rows <= kChainRows && rows * cols * element_size <= kFillBytes;
}

class RangeFold {
 public:
  // `levels` are those of the range: its own and all below. `bytes` is where a
  // ByteReader reads; `source` says where they most likely come from.
  template <class Bytes>
  RangeFold(const Kernel& kernel, int64_t element_size,
            absl::Span<const Level> levels, Bytes bytes, Source source)
      : kernel_(kernel),
        source_(source),
        element_size_(element_size),
        block_(std::min(kernel.max_row_bytes, kBlockBytes) / element_size),
        levels_(levels),
        reader_(bytes) {
    for (const Level& level : levels) {
      cascades_.emplace_back(kernel, level.step_width);
    }
  }

  // Folds the next `steps` steps of the first level into `states`, as many as
  // these steps have.
  void FoldInto(int64_t steps, std::byte* states, Into into) {
    FoldLevel(0, steps, states, into);
  }

  // Writes the results of these steps, if they are rows or slabs that the
  // kernel reduces without states, and lie so; else it reads nothing. Says
  // whether they are.
  bool Reduce(int64_t steps, std::byte* results);

 private:
  // In range_results.cc.
  bool ReduceRows(int64_t steps, std::byte* results);
  // Each slab a few rows, or small, or one that AreReduced() knows.
  bool ReduceSlabs(int64_t steps, std::byte* results);

  // Whether as many rows of columns, or steps, need no cascade: nothing is
  // rounded, or they are one chain.
  bool IsOneChain(int64_t rows, Into into) const {
    return kernel_.is_exact || (into == Into::kNew && rows <= kChainRows);
  }

  // How to fold into what OpenUnset() opens.
  static Into IntoOpen(const Cascade& cascade) {
    return cascade.is_new() ? Into::kNew : Into::kHeld;
  }

  void FoldLevel(size_t l, int64_t steps, std::byte* states, Into into);
  void FoldKept(size_t l, int64_t steps, std::byte* states, Into into);
  void FoldReduced(size_t l, int64_t steps, std::byte* states, Into into);

  // In range_steps.cc. The steps of a reduced level one after the other;
  void FoldSteps(size_t l, int64_t steps, std::byte* states, Into into);
  // or as many as `at_once` a call of the kernel, where each is a few rows or
  // slabs: 3 rows of 6 int8 at 0.6 GB/s by single steps, 8.9 so; the largest of
  // 3 rows of 3 int64 5 and 29.
  void FoldSmallSteps(size_t l, int64_t steps, int64_t at_once,
                      std::byte* states, Into into);
  // How many steps of the reduced level `l` that is; 1 where each is a call.
  int64_t StepsAtOnce(size_t l) const;
  // Steps of the kept level `l`, each a small nest: of many at once the rows or
  // slabs below, whose states then join. Of KRKR, in cache, Zen 3, GB/s nest by
  // nest, then by this:
  //   sums of 3 x 5 x 2 float32               2.0   5.3
  //   sums of 2 x 2 x 21 float32              5.5  17.7
  //   the smallest of 5 x 2 x 5 int32         2.8   7.4
  void FoldSmallNests(size_t l, int64_t steps, std::byte* states, Into into);
  // Whether the reduced level `l` is such a nest, or a row or slab at the
  // bottom of one.
  bool IsSmallNest(size_t l) const;
  // Joins the states of the next steps to those before, in order.
  void CloseSteps(size_t l, const std::byte* states, int64_t steps);

  // In range_gather.cc. Whether the elements of several steps of the reduced
  // level `l` are gathered, those of each state as a row,
  bool IsGathered(size_t l) const;
  // and whether those of all its steps are at once.
  bool IsGatheredWhole(size_t l) const;
  // By how many elements each of so many steps is beyond the first, in the
  // order in which they are gathered.
  std::vector<int32_t> GatherOffsets(size_t l, int64_t steps) const;
  // Nests of as many steps of the level `l` as have these offsets.
  void FoldGatheredNests(size_t l, int64_t nests,
                         const std::vector<int32_t>& offsets, std::byte* states,
                         Into into);
  // Any number of steps, as many as are gathered at once being a child.
  void FoldGatheredSteps(size_t l, int64_t steps, std::byte* states, Into into);

  // Where the next elements come from, as kernels prefetch them. Several
  // streams are prefetched far ahead (read_ahead-inl.h): where less is left of
  // a piece of memory than they reach, what comes after it lies elsewhere.
  Source NextSource() {
    constexpr int64_t kFewestBytesAhead = 128 * 1024;
    const bool is_piece_short =
        kReadsSeveral && reader_.contiguous() < kFewestBytesAhead;
    return is_piece_short ? Source::kSharedCache : source_;
  }
  // Calls use(x, first, n, source) for as many at a time of the next `count`
  // units of `elements` each as lie in memory together: unit `first` and the n
  // - 1 after it, which begin at x.
  template <class Use>
  void EachRun(int64_t count, int64_t elements, const Use& use);
  // Whether the next `n` elements lie together and are a row that the kernel
  // takes, longer than a block though it may be: then nothing else holds it (of
  // 8 MiB, by ranges, Zen 4: the largest of all int32 and places in all int32
  // 94 and 95 GB/s by a cascade and iterators for each, 96 and 96 so).
  bool IsAtHand(int64_t n);
  // `rows` rows of `n` elements, each at most a block or one at hand, into a
  // state of its own.
  void FoldRows(int64_t rows, int64_t n, std::byte* states, Into into);
  // `slabs` slabs of `rows` rows of `cols` elements, each into `cols` states.
  void FoldSlabs(int64_t slabs, int64_t rows, int64_t cols, std::byte* states,
                 Into into);
  // In range_absorbing.cc. Whether the state of a row of `n` elements is asked
  // before all of it is folded.
  bool IsAsked(int64_t n) const;
  // Folds the first of these rows, one by one while that is asked. Says how
  // many.
  int64_t FoldAbsorbing(const std::byte* x, int64_t rows, int64_t n,
                        std::byte* states, Into into, Source source);
  // The same, to their results.
  int64_t ReduceAbsorbing(const std::byte* x, int64_t rows, int64_t n,
                          std::byte* results, Source source);
  // Calls fold(row, r) for each of them.
  template <class Fold>
  int64_t EachAbsorbing(const std::byte* x, int64_t rows, int64_t n,
                        const Fold& fold);
  // One row, or of one whose state is absorbing its first elements.
  // REQUIRES: IsAsked(n).
  void FoldUntilAbsorbing(const std::byte* x, int64_t n, std::byte* state,
                          Into into, Source source);

  // Whether the next `n` elements, more than a block of them, lie together and
  // are blocks of one chain: they need no cascade (sums of rows of 4,104 and
  // 6,488 float64, in cache, Zen 4: 91 and 98 GB/s by one, 98 and 103 so).
  bool IsChainAtHand(int64_t n);
  void FoldChain(int64_t n, std::byte* states, Into into);
  // One row of any length into one state.
  void FoldLongRow(size_t l, int64_t n, std::byte* states, Into into);
  // The next blocks of it, one after the other.
  void FoldBlocks(int64_t blocks, int64_t size, std::byte* state);

  // In range_columns.cc. `rows` rows of the columns below level `l` into as
  // many states.
  void FoldManyRows(size_t l, int64_t rows, std::byte* states, Into into);
  // The same, where a row is long enough for the columns loop,
  void FoldWideRows(size_t l, int64_t rows, std::byte* states, Into into);
  // and where it is not: several side by side, by chains of blocks.
  void FoldRowsSideBySide(size_t l, int64_t rows, std::byte* states, Into into);
  // Whether the kernel takes a slab of narrow rows, of up to a chain: in cache.
  // Zen 4, GB/s as wide rows, then by this:
  //   sums of 16 columns of float32      49  73
  //   sums of 100 columns of float32     50  67
  //   sums of 40 columns of float64      81  95
  bool TakesNarrowSlab(int64_t rows, int64_t cols) const {
    return kernel_.takes_narrow_slabs && source_ != Source::kMemory &&
           IsNarrowSlab(rows, cols);
  }
  // Whether the next rows are one and lie together.
  bool IsNarrowSlabAtHand(int64_t rows, int64_t cols);
  // At most a block of them, or all where nothing is rounded, into the first
  // `cols` of wide_.
  void FoldSideBySide(int64_t rows, int64_t cols);
  // `rows` rows of `cols` elements that fill registers into `cols` new states,
  // as large slabs.
  void FoldByPass(int64_t rows, int64_t cols, std::byte* states);
  // `rows` rows of `cols` elements into `cols` states, one after the other.
  void FoldColumns(int64_t rows, int64_t cols, std::byte* states, Into into);
  // One row of them that straddles a cut.
  void FoldCutRow(int64_t cols, std::byte* states, Into into);

  // Combines `rows` rows of `width` states into the first: row r with row
  // r + half, and so on. Of rows side by side that is the order of the bits
  // (order.h), in which side_by_side-inl.h joins those of narrow slabs.
  void CombineByHalves(std::byte* states, int64_t rows, int64_t width) const;
  // Takes the total of the open cascade of level `l` into `states`.
  void TakeTotal(size_t l, std::byte* states, Into into);
  // The same of `n` states.
  void Take(const std::byte* from, int64_t n, std::byte* states,
            Into into) const;

  bool is_last(size_t l) const { return l + 1 == levels_.size(); }
  // Whether `rows` steps of the reduced level `l` are rows of a slab that
  // fold_slabs takes.
  bool is_slab(size_t l, int64_t rows, Into into) const;

  const Kernel& kernel_;
  const Source source_;
  const int64_t element_size_;
  // The most elements of a row that is folded at once wherever it is cut. Where
  // nothing is rounded longer ones are too, if they lie together.
  const int64_t block_;
  // How often the state of a row was asked whether it is absorbing, and how
  // often it was not (range_absorbing.cc).
  int64_t asked_ = 0;
  int64_t asked_in_vain_ = 0;
  const absl::Span<const Level> levels_;
  ByteReader reader_;
  // One per level; a kept one stays empty. Few tensors have more levels.
  absl::InlinedVector<Cascade, 4> cascades_;
  Scratch wide_;  // States of rows beside each other.
};

template <class Use>
void RangeFold::EachRun(int64_t count, int64_t elements, const Use& use) {
  const int64_t bytes = elements * element_size_;
  for (int64_t first = 0, whole = 0; first < count; first += whole) {
    whole = std::clamp<int64_t>(reader_.contiguous() / bytes, 1, count - first);
    const Source source = NextSource();
    use(reader_.Take(whole * bytes), first, whole, source);
  }
}

}  // namespace reductor

#endif  // REDUCTOR_CORE_RANGE_FOLD_H_
