// How the loops ask for memory before they fold it. Compiled once per
// instruction set.
#if defined(REDUCTOR_CORE_PREFETCH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_PREFETCH_INL_H_
#undef REDUCTOR_CORE_PREFETCH_INL_H_
#else
#define REDUCTOR_CORE_PREFETCH_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// Asks for the line of memory that has byte `offset` from x on, whether the
// array goes that far or not: a pointer may not leave it, a number may.
HWY_INLINE void PrefetchFrom(const std::byte* x, int64_t offset) {
  const uintptr_t address =
      reinterpret_cast<uintptr_t>(x) + static_cast<uintptr_t>(offset);
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  hwy::Prefetch(reinterpret_cast<const std::byte*>(address));
}

// A line of memory, and two pages, in bytes.
inline constexpr int64_t kLineBytes = 64;
inline constexpr int64_t kPrefetchDistance = 8192;

// Asks for what lies two pages after the next `bytes` bytes. The loops do so
// each turn, a few lines at a time: the CPU's own prefetching ends with each
// page, and what a loop has asked for when it ends is all there is until the
// next one runs. Float32 sums from memory, AVX-512, GB/s without and with it:
// the whole tensor 24 and 33; 16, 100 and 1,024 columns 16 and 25, 15 and 23,
// 16 and 21 (column_fold-inl.h); slabs of 8 x 8 16 and 24. In the L2 cache it
// costs nothing, or a tenth.
HWY_INLINE void PrefetchAfter(const std::byte* x, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i += kLineBytes) {
    PrefetchFrom(x, kPrefetchDistance + i);
  }
}

// What a pass over kRows rows side by side asks for, a line of each at a time:
// elements of kSize bytes that begin `next` elements from x. Of packed rows
// that is in the order of their addresses, which the CPU's own prefetching
// follows, and two pages ahead at least (L1 of 100 columns of float32 from
// memory, AVX-512: 23 GB/s row by row a pass ahead, 27 two pages ahead, 33 so).
template <int64_t kRows, int64_t kSize>
class PassPrefetch {
 public:
  // Rows of `width` elements, `stride` elements apart.
  HWY_INLINE PassPrefetch(const std::byte* x, int64_t stride, int64_t width,
                          int64_t next)
      : x_(x),
        begin_(stride == width ? std::max(next * kSize, kPrefetchDistance)
                               : next * kSize),
        row_(stride == width ? kLineBytes : stride * kSize),
        column_(stride == width ? kRows * kSize : kSize) {}

  // As the columns from l on are folded, a line of memory.
  HWY_INLINE void At(int64_t l) const {
    for (int64_t r = 0; r < kRows; ++r) {
      PrefetchFrom(x_, begin_ + r * row_ + l * column_);
    }
  }

 private:
  const std::byte* x_;
  int64_t begin_;
  int64_t row_;
  int64_t column_;
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_PREFETCH_INL_H_
