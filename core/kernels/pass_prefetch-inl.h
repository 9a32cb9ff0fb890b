// What a pass over some rows side by side prefetches. Compiled once per
// instruction set.
#if defined(REDUCTOR_CORE_KERNELS_PASS_PREFETCH_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_PASS_PREFETCH_INL_H_
#undef REDUCTOR_CORE_KERNELS_PASS_PREFETCH_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_PASS_PREFETCH_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/cpu.h"
#include "core/kernels/prefetch-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// Rows of so many bytes the CPU follows by itself, each of several; shorter
// ones are prefetched. Zen 5 gains by that up to longer rows (sums and the
// largest of 600 columns of float64 from memory, AVX-512: 27 and 24 GB/s
// unprefetched, 32 and 31 so). In Zen 3's L1 cache such have no room before
// they are folded (sums and the largest of 1,000 columns of float64 in cache:
// 50 and 49 GB/s unprefetched, 37 and 37 prefetched).
inline const int64_t kFollowedRowBytes =
    (kCpuKind == CpuKind::kZen5 ? 4 : 1) * kPageBytes;

// Whether rows of `width` elements of `size` bytes, `stride` elements apart,
// are packed and short: as good as one array.
HWY_INLINE bool AreShortAndPacked(int64_t width, int64_t stride, int64_t size) {
  return stride == width && width * size < kFollowedRowBytes;
}

// What a pass over kRows rows side by side prefetches, a line of each at a
// time: elements of kSize bytes that begin `next` elements from x. Of short
// packed rows that is in the order of their addresses, which the CPU's own
// prefetching follows, and two pages ahead at least (L1 of 100 columns of
// float32 from memory, AVX-512: 15 GB/s unprefetched, 23 row by row a pass
// ahead, 27 two pages ahead, 33 so). Into the L2 cache it is two passes ahead:
// the last row of a pass is begun with its first, so that of the next one it
// would come just before it is wanted (places in 16 columns of int64 and in
// 1,024 of int16, from memory, Zen 4: 16 and 15 GB/s a pass ahead, 18 and 17
// so). Of others each is followed by itself (positions in 1,024 columns of
// float32, Intel: 9.4 GB/s by addresses, 11.8 so).
template <int64_t kRows, int64_t kSize>
class PassPrefetch {
 public:
  // Rows of `width` elements, `stride` elements apart.
  HWY_INLINE PassPrefetch(Cache to, const std::byte* x, int64_t stride,
                          int64_t width, int64_t next)
      : to_(CacheForCpu(to)),
        is_packed_(AreShortAndPacked(width, stride, kSize)),
        x_(x),
        begin_(next * kSize),
        row_(stride * kSize) {
    // The rows are one array: for a line of columns of kRows rows, kRows lines
    // that follow each other are prefetched, whichever row they are of.
    if (is_packed_) {
      begin_ =
          std::max((to_ == Cache::kL2 ? 2 : 1) * begin_, kPrefetchDistance);
      row_ = kLineBytes;
      column_ = kRows * kSize;
    }
  }

  // As the last columns, [l, width), are folded, which fill no line: of short
  // packed rows, the lines that At() was not called for. Each would be waited
  // for (L1 of 17 and 100 columns of float32 from memory, Zen 4, AVX-512: 13
  // and 14 GB/s unprefetched, 20 and 21 so). But rows shorter than a line the
  // CPU follows by itself (sums of 7 columns of uint8 in cache 70 GB/s, 57
  // prefetched).
  HWY_INLINE void Rest(int64_t l, int64_t width) const {
    if (!is_packed_ || l == 0) return;
    PrefetchLines(to_, x_, begin_ + l * column_, begin_ + width * column_);
  }

  // As the columns from l on of row r are folded, a line of memory.
  HWY_INLINE void At(int64_t r, int64_t l) const {
    PrefetchFrom(to_, x_, begin_ + r * row_ + l * column_);
  }

 private:
  Cache to_;
  bool is_packed_;
  const std::byte* x_;
  int64_t begin_;
  int64_t row_;
  int64_t column_ = kSize;
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_PASS_PREFETCH_INL_H_
