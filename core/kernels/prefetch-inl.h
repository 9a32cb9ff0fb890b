// How the loops prefetch memory before they fold it. Compiled once per
// instruction set.
//
//   rows and slabs                  ReadAhead, as PrefetchAfter() and
//                                   PrefetchPart() say, or as streams (Zen 3);
//                                   by special lanes PrefetchBytes()
//   rows that are searched          PrefetchAfter()
//   columns, some rows a pass       PassPrefetch; as streams ReadAhead
//   columns walked down             PrefetchBytes()
//   slabs that become results       SlabPrefetch; as streams ReadAhead
#if defined(REDUCTOR_CORE_KERNELS_PREFETCH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_PREFETCH_INL_H_
#undef REDUCTOR_CORE_KERNELS_PREFETCH_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_PREFETCH_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "core/cpu.h"
#include "core/kernels.h"
#include "core/kernels/isa-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// The cache that memory is brought to. Loops that widen spend longer on a line
// than it takes to come from the L2 cache, and lines on their way to the L1
// cache, of which Intel's CPUs have few at a time, keep the loop's own loads
// waiting. Others gain nothing, and from the L2 cache they would lose. Zen 3,
// Zen 5 and Skylake take everything best in the L1 cache, but what is
// prefetched far ahead (read_ahead-inl.h); Zen 4 takes most columns from memory
// best in the L2 cache (kPrefetchesColumnsToL2; others in leader_strip-inl.h).
// By AVX-512, GB/s by the L1 and by the L2 cache:
//   sums of all float32, from memory, Intel                10   13 to 15
//   sums of all float16, from memory, Intel                10   13
//   the largest of all float32, in cache, Intel           130   86
//   sums of all float32, from the L3 cache, Zen 5          92   63
//   sums of 100 columns of float32, from memory, Zen 5     32   24
//   sums of rows of 1,000, in cache, Cascade Lake          56   40
enum class Cache { kL1, kL2 };

// The cache to prefetch to for a loop that prefers `to`.
HWY_INLINE Cache CacheForCpu(Cache to) {
  const bool wants_l1 = kCpuKind == CpuKind::kZen3 ||
                        kCpuKind == CpuKind::kZen5 ||
                        kCpuKind == CpuKind::kSkylake;
  return wants_l1 ? Cache::kL1 : to;
}

// Prefetches the line of memory that has byte `offset` from x on, whether the
// array goes that far or not: a pointer may not leave it, a number may.
HWY_INLINE void PrefetchFrom(Cache to, const std::byte* x, int64_t offset) {
  const uintptr_t address =
      reinterpret_cast<uintptr_t>(x) + static_cast<uintptr_t>(offset);
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  const auto* line = reinterpret_cast<const std::byte*>(address);
#if HWY_ARCH_X86
  // These stay where they are; the compiler's own it would move to the begin of
  // a turn, where one waits for the other (float32 sums from memory, Intel,
  // AVX-512: 13 GB/s there, 16 with the loads of a line between).
  if (to == Cache::kL1) {
    asm volatile("prefetcht0 %a0" : : "p"(line));
  } else {
    asm volatile("prefetcht1 %a0" : : "p"(line));
  }
#else
  if (to == Cache::kL1) {
    __builtin_prefetch(line, /*rw=*/0, /*locality=*/3);
  } else {
    __builtin_prefetch(line, /*rw=*/0, /*locality=*/2);
  }
#endif
}

// What loops call before a row or a turn where nothing is prefetched.
struct PrefetchNothing {
  template <class Next>
  HWY_INLINE void operator()(Next /*next*/) const {}
};

// How far ahead, in bytes.
inline constexpr int64_t kPrefetchDistance = 2 * kPageBytes;

// Prefetches the lines that bytes [begin, end) from x on lie in. The cache is
// chosen once, not for each line.
HWY_INLINE void PrefetchLines(Cache to, const std::byte* x, int64_t begin,
                              int64_t end) {
  if (to == Cache::kL1) {
    for (int64_t i = begin; i < end; i += kLineBytes) {
      PrefetchFrom(Cache::kL1, x, i);
    }
  } else {
    for (int64_t i = begin; i < end; i += kLineBytes) {
      PrefetchFrom(Cache::kL2, x, i);
    }
  }
}

// The same of so many bytes, as straight code.
template <int64_t kBytes>
HWY_INLINE void PrefetchBytes(Cache to, const std::byte* x, int64_t begin) {
  for (int64_t i = 0; i < kBytes; i += kLineBytes) {
    PrefetchFrom(to, x, begin + i);
  }
}

// Whether loops that walk memory in the order of its addresses prefetch ahead.
// Zen 4 follows those by itself. Zen 3 loses by it up to a third in cache and
// reads memory otherwise (quarters-inl.h, read_ahead-inl.h). GB/s prefetched,
// then by this:
//   the largest of all float32, from the L3 cache, Zen 4           67  79
//   the largest of all float32, from memory, Zen 4                 18  21
//   the largest of slabs of 64 x 16 float64, in cache, Zen 3       44  57
//   sums of rows of 50 int32, in cache, Zen 3                      28  40
inline const bool kPrefetchesInOrder =
    kCpuKind != CpuKind::kZen3 && kCpuKind != CpuKind::kZen4;

// Prefetches the `bytes` bytes that lie two pages after x. The loops do so
// each turn, a few lines at a time: the CPU's own prefetching ends with each
// page, and what a loop has prefetched when it ends is all there is until the
// next one runs. Float32 sums from memory, AVX-512, GB/s without and with it:
// the whole tensor 24 and 33, slabs of 8 x 8 16 and 24. REQUIRES:
// kPrefetchesInOrder.
template <Cache kTo>
HWY_INLINE void PrefetchAfter(const std::byte* x, int64_t bytes) {
  PrefetchLines(CacheForCpu(kTo), x, kPrefetchDistance,
                kPrefetchDistance + bytes);
}

// The same for part kNumber of a turn in a long row, whose parts have kBytes
// each: of the lines that begin in it. Goes between the loads of the turn.
template <Cache kTo, int64_t kNumber, int64_t kBytes>
HWY_INLINE void PrefetchPart(const std::byte* x) {
  constexpr int64_t kFirst = (kNumber * kBytes + kLineBytes - 1) / kLineBytes;
  PrefetchLines(CacheForCpu(kTo), x, kPrefetchDistance + kFirst * kLineBytes,
                kPrefetchDistance + (kNumber + 1) * kBytes);
}

// Whether loops over rows that begin `stride` elements of kSize bytes apart
// need no prefetch: on Intel's CPUs, if rows are whole lines in a core's own
// cache, where each line that is prefetched costs a load. In the L2 cache,
// Cascade Lake, AVX-512, GB/s prefetched, then by this:
//   sums of 16 columns of float64        52  70
//   sums of 1,024 columns of uint8       53  70
//   sums of slabs of 732 x 40 int32      49  61
//   sums of slabs of 30 x 32 float64     60  78
//   places in 16 columns of int64        22  28
//   places in 4,096 columns of int64     17  26
// Other rows wait for two lines at a time, and gain (L1 of 333 columns of
// int16, the largest of 7 x 250 uint8, on Golden Cove sums of 41 columns of
// float64: 28, 53 and 74 unprefetched, 33, 60 and 84 prefetched).
template <int64_t kSize>
HWY_INLINE bool NeedNoPrefetch(Source source, int64_t stride) {
  return source == Source::kOwnCache && !kIsAmd &&
         stride * kSize % kLineBytes == 0;
}

// Whether columns that come from memory are prefetched, into the L2 cache,
// those of long rows too (the largest of 300, 1,500 and 4,096 columns of
// float32 and sums of 10,000 of float64 from memory, Zen 4: 17, 15, 19 and 17
// GB/s, 21, 20, 21 and 21 so, into the L1 cache less than unprefetched; in
// cache it costs a sixth).
inline const bool kPrefetchesColumnsToL2 = kCpuKind == CpuKind::kZen4;

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_PREFETCH_INL_H_
