// A slab, whose columns are folded.
#ifndef REDUCTOR_CORE_KERNELS_SLAB_H_
#define REDUCTOR_CORE_KERNELS_SLAB_H_

#include <cstddef>
#include <cstdint>

#include "core/cpu.h"
#include "hwy/base.h"

namespace reductor {

// The most rows that one pass over columns takes (column_passes-inl.h,
// leader_strip-inl.h; extreme_states-inl.h takes more).
inline constexpr int64_t kMaxPassRows = 4;

// Rows of `cols` elements of kSize bytes that begin `stride` elements apart,
// the first at x.
template <int64_t kSize>
struct SlabOf {
  const std::byte* HWY_RESTRICT x;
  int64_t rows;
  int64_t stride;
  int64_t cols;

  int64_t bytes() const { return rows * cols * kSize; }

  // Whether its rows lie together and are short: less than a page each, on
  // every CPU, where passes over columns have a limit that depends on it
  // (kFollowedRowBytes, pass_prefetch-inl.h).
  bool HasShortRows() const {
    return stride == cols && cols * kSize < kPageBytes;
  }
  // The same of a slab that has so many bytes at most.
  bool IsShort(int64_t most) const { return HasShortRows() && bytes() <= most; }
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_KERNELS_SLAB_H_
