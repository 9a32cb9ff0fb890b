// Whether several arrays are read side by side; and one array as its four
// quarters, where the order does not count. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_QUARTERS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_QUARTERS_INL_H_
#undef REDUCTOR_CORE_KERNELS_QUARTERS_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_QUARTERS_INL_H_
#endif

#include <cstdint>

#include "core/cpu.h"
#include "core/kernels/isa-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// Whether the CPU reads several arrays faster than one. Those that do have no
// better instruction set than AVX2, so that the loops of AVX-512 need not read
// several; nor do those of SSE4, which nobody chooses there for their speed.
inline constexpr bool kMayReadSeveral = kIsAvx2;
HWY_INLINE bool ReadsSeveral() { return kMayReadSeveral && kReadsSeveral; }

// Whether so many bytes are walked by quarters. Quarters shorter than a page,
// where the CPU's own prefetching ends, are read no faster. Zen 3, GB/s in
// order and by quarters, from memory and in cache:
//   the largest of all int32                  16  20   74  80
//   sums of all int32                         16  20   63  68
//   the largest of 1,024 columns of float32   17  22   57  70
HWY_INLINE bool ReadsQuarters(int64_t bytes) {
  return ReadsSeveral() && bytes >= 4 * kPageBytes;
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_QUARTERS_INL_H_
