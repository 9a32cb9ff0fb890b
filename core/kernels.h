// The compiled loops of every (operator, dtype), chosen for this CPU.
// kernels/README.md has a map of them, and order.h their words.
#ifndef REDUCTOR_CORE_KERNELS_H_
#define REDUCTOR_CORE_KERNELS_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "core/cpu.h"
#include "core/dtype.h"
#include "core/operators.h"
#include "core/order.h"

namespace reductor {

// The longest row that fold_rows takes of a kernel that rounds nothing, if its
// lanes hold as much: all that a range has (the largest of rows of 2,384
// float32: 114 GB/s by 8 KiB, 175 so; of rows of 60,000, 8 MiB, Zen 4,
// AVX-512: 82 by 128 KiB, 89 so).
inline constexpr int64_t kLongRowBytes = 64 * kFillBytes;

// The most rows among which reduce_slabs finds places, and the most that a
// LeaderStrip takes for each that it walks side by side: in lanes of 8 and 16
// bits int16_t counts them, and no larger power of two fits it.
inline constexpr int64_t kMostRowsOfPlaces = 1 << 14;

// The shortest rows that reduce_slabs takes wherever they lie: a line, which
// vectors that take the last columns need.
inline constexpr int64_t kMinSlabRowBytes = kLineBytes;

// Whether a fold makes its states, or joins elements to what they hold.
enum class Into { kNew, kHeld };

// Where elements most likely come from: a core's own cache, one that cores
// share, or memory. It changes how fast, and no bit.
enum class Source { kOwnCache, kSharedCache, kMemory };

// The largest state_size: as many bytes stand by for a state on stacks.
inline constexpr int64_t kMaxStateSize = 32;

// States are opaque slots of `state_size` bytes; every function takes an array
// of them. Elements are `x`, packed, at any alignment.
struct Kernel {
  int64_t state_size;
  int64_t output_size;
  // The longest row that fold_rows takes, kLongRowBytes at most.
  int64_t max_row_bytes;
  // The longest row of a slab of any size whose columns fold_slabs folds by one
  // pass over it; or 0.
  int64_t pass_row_bytes;
  // Whether Combine never rounds: then any order of states is as good as
  // another, but for those of places (finds_places).
  bool is_exact;
  // Whether it finds places: their states join in the order of the elements
  // only, and take several times an element's bytes.
  bool finds_places;
  // Whether fold_slabs takes slabs of narrow rows that round, of as many blocks
  // as a chain of the cascade has at most, which it joins as that would.
  bool takes_narrow_slabs;
  // Whether to join two states takes as long as to fold several elements, as
  // LogSumExp's, whose sums are of different magnitudes: then small nests are
  // gathered (range_gather.cc), and where few states are joined ranges are
  // small (nest.h), as elements take long as well.
  bool joins_slowly;
  // After how many elements a state most often is absorbing if it ever is; or
  // 0.
  int64_t asked_after;
  // Whether it is: its result stays, whatever follows. Null where states seldom
  // are, or round.
  bool (*is_absorbing)(const std::byte* state);
  // Makes `n` states those of no elements.
  void (*init)(std::byte* states, int64_t n);
  // Folds row r, `n` elements, into states[r].
  // REQUIRES: 1 <= n, and a row has at most max_row_bytes.
  void (*fold_rows)(const std::byte* x, int64_t rows, int64_t n,
                    std::byte* states, Into into, Source source);
  // Folds column c of slab s, which is `rows` rows of `cols` elements, into
  // states[s * cols + c]. REQUIRES: 1 <= rows, 1 <= cols and one of
  //   - IsSmallSlab(rows, cols);
  //   - TakesAnySlab(), and a slab has up to kBlockBytes;
  //   - elements have 4 or 8 bytes, a row has one, two or four lines of memory,
  //     up to pass_row_bytes, and there are as many rows at most as kBlockBytes
  //     has elements;
  //   - takes_narrow_slabs, IsNarrowSlab() and rows <= kChainRows *
  //     RowsOfBlock(cols);
  //   - the states are new and rows <= kChainRows.
  void (*fold_slabs)(const std::byte* x, int64_t slabs, int64_t rows,
                     int64_t cols, std::byte* states, Into into, Source source);
  // Folds column c of each row, in order where that counts, into states[c]. The
  // rows begin `stride` elements apart. REQUIRES: 1 <= rows, stride >= cols.
  void (*fold_columns)(const std::byte* x, int64_t rows, int64_t stride,
                       int64_t cols, std::byte* states, Into into,
                       Source source);
  // into[s * n + i] = itself combined with from[(s * rows + r) * n + i], which
  // comes later, for each of `rows` rows r of slab s in order.
  void (*combine)(std::byte* into, const std::byte* from, int64_t slabs,
                  int64_t rows, int64_t n);
  // Writes the outputs of rows, as fold_rows() and finish() would, without
  // states between; or null. REQUIRES: as fold_rows().
  void (*reduce_rows)(const std::byte* x, int64_t rows, int64_t n,
                      std::byte* out, Source source);
  // Writes the outputs of the columns of slabs of these rows, one slab after
  // the other, as their states would give; or null. Where states round these
  // are of chains of kChainRows rows, each of which joins those before it.
  // REQUIRES: TakesSlabRows(), 1 <= rows, and one of
  //   - rows <= kChainRows;
  //   - IsSmallSlab(rows, cols) and stride == cols;
  //   - a row has kMinSlabRowBytes, and there are as few as a row's elements
  //     may be (max_row_bytes), or kMostRowsOfPlaces if places are found.
  // And stride == cols if a row has less than kMinSlabRowBytes.
  void (*reduce_slabs)(const std::byte* x, int64_t slabs, int64_t rows,
                       int64_t stride, int64_t cols, std::byte* out,
                       Source source);
  // Writes the `n` outputs of states that hold `count` elements each.
  void (*finish)(const std::byte* states, int64_t n, int64_t count,
                 std::byte* out);
  // Folds what most tensors need of this kernel's states, in states no larger
  // than an element; or null. trial.h says more.
  const Kernel* trial;
  // Makes the states of the trial's `n`; false if these do not suffice.
  bool (*from_trial)(const std::byte* trial, int64_t n, std::byte* states);
  // Writes their outputs, as finish() does; false if they do not suffice.
  bool (*finish_trial)(const std::byte* trial, int64_t n, int64_t count,
                       std::byte* out);
};

// Whether fold_slabs takes slabs of up to kBlockBytes, however narrow: in less
// time than columns. Of 8 MiB, Zen 4, GB/s as columns of many rows side by
// side, then by this:
//   sums of 933 x 4 int32      32  67
//   sums of 64 x 33 int32      34  40
//   means of 933 x 4 int64     18  45
inline bool TakesAnySlab(const Kernel& kernel) {
  return (kernel.is_exact && !kernel.finds_places) || kernel.joins_slowly;
}

// Whether reduce_slabs takes slabs of rows of so many bytes: those in which
// places are found may have any.
inline bool TakesSlabRows(const Kernel& kernel, int64_t row_bytes) {
  return kernel.reduce_slabs != nullptr &&
         (kernel.finds_places || row_bytes >= kMinSlabRowBytes);
}

// Whether the state is one that stays what it is, whatever follows.
inline bool IsAbsorbing(const Kernel& kernel, const std::byte* state) {
  return kernel.is_absorbing != nullptr && kernel.is_absorbing(state);
}

// The kernel for this CPU and for elements from there, valid for the life of
// the process. `select_last_index` says which of equal values ArgMax and ArgMin
// take. Empty, all functions null, where no schema of the operator allows the
// dtype.
const Kernel& GetKernel(Operator op, DType dtype,
                        bool select_last_index = false,
                        Source source = Source::kSharedCache);

// OK for an instruction set that this CPU has, "sse4", "avx2" or "avx3"
// (AVX-512), and for "auto", the best one; else INVALID_ARGUMENT.
absl::Status CheckIsa(absl::string_view isa);

// Uses no instruction set above this one. The bits of the answers do not depend
// on it. REQUIRES: CheckIsa(isa).ok(), no kernel has run yet, and none below
// the best set was asked for before.
void LimitIsa(absl::string_view isa);

// The best instruction set in use, as the kernels say themselves: "sse4",
// "avx2", "avx3"; another name on other architectures. Some loops are of a
// lower one (mixed_kernels.h).
std::string ActiveIsa();

}  // namespace reductor

#endif  // REDUCTOR_CORE_KERNELS_H_
