// Folds the elements of one range, where they lie, into its states.
#ifndef REDUCTOR_CORE_RANGE_FOLD_H_
#define REDUCTOR_CORE_RANGE_FOLD_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/cord.h"
#include "absl/types/span.h"
#include "core/cascade.h"
#include "core/kernels.h"
#include "core/nest.h"

namespace reductor {

// Reads the bytes of a Cord in order, without copying what lies together.
// The Cord must outlive it.
class CordReader {
 public:
  explicit CordReader(absl::Cord::CharIterator at) : at_(at) {}

  // How many of the next bytes lie together; at least 1 before the end.
  int64_t contiguous() const {
    return static_cast<int64_t>(absl::Cord::ChunkRemaining(at_).size());
  }

  // The next `n` bytes, gathered where they straddle a cut; valid until the
  // next call. REQUIRES: n <= contiguous(), or n <= kBlockBytes.
  const std::byte* Take(int64_t n);

 private:
  absl::Cord::CharIterator at_;
  std::array<std::byte, kBlockBytes> gathered_;
};

class RangeFold {
 public:
  // `levels` are those of the range: its own and all below.
  RangeFold(const Kernel& kernel, int64_t element_size,
            absl::Span<const Level> levels, absl::Cord::CharIterator at);

  // Folds the next `steps` steps of the first level into `states`, as many as
  // these steps have.
  void FoldInto(int64_t steps, std::byte* states) {
    FoldLevel(0, steps, states);
  }

 private:
  void FoldLevel(size_t l, int64_t steps, std::byte* states);
  void FoldKept(size_t l, int64_t steps, std::byte* states);
  void FoldReduced(size_t l, int64_t steps, std::byte* states);
  // `rows` rows of `n` elements, at most a block, each into a state of its own.
  void FoldRows(int64_t rows, int64_t n, std::byte* states);
  // `slabs` slabs of `rows` rows of `cols` elements, each into `cols` states.
  void FoldSlabs(int64_t slabs, int64_t rows, int64_t cols, std::byte* states);
  // One row of any length into one state.
  void FoldLongRow(size_t l, int64_t n, std::byte* states);
  // The next blocks of it, one after the other.
  void FoldBlocks(int64_t blocks, int64_t size, std::byte* state);
  // `rows` rows of the columns below level `l` into as many states.
  void FoldManyRows(size_t l, int64_t rows, std::byte* states);
  // The same, where a row is long enough for the columns loop,
  void FoldWideRows(size_t l, int64_t rows, std::byte* states);
  // and where it is not: several side by side, as one row of more columns. Row
  // r of a block joins the r % side_by_side'th, in chains like wide ones; then
  // these join by halves.
  void FoldNarrowRows(size_t l, int64_t rows, std::byte* states);
  // `rows` rows of `cols` elements into `cols` states, one after the other.
  void FoldColumns(int64_t rows, int64_t cols, std::byte* states);
  // One row of them that straddles a cut.
  void FoldCutRow(int64_t cols, std::byte* states);

  bool is_last(size_t l) const { return l + 1 == levels_.size(); }
  // Whether `rows` steps of the reduced level `l` are rows of a small slab.
  bool is_slab(size_t l, int64_t rows) const;

  const Kernel& kernel_;
  const int64_t element_size_;
  const int64_t block_;  // Elements in it.
  const absl::Span<const Level> levels_;
  CordReader reader_;
  // One per level; a kept one stays empty. Few tensors have more levels.
  absl::InlinedVector<Cascade, 4> cascades_;
  std::vector<std::byte> wide_;  // States of rows beside each other.
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_RANGE_FOLD_H_
