// How the loops prefetch memory before they fold it. Compiled once per
// instruction set.
//
//   rows and small slabs            ReadAhead, as PrefetchAfter() and
//                                   PrefetchPart() say, or as streams (Zen 3);
//                                   by special lanes PrefetchBytes()
//   rows that are searched          PrefetchLines()
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
// waiting: float32 and float16 sums from memory (Intel, AVX-512) 10 and 10 GB/s
// by the L1 cache, 13 to 15 and 13 by the L2 cache. Others gain nothing, and
// from the L2 cache they would lose: the largest float32 130 and 86. Zen 3, Zen
// 5 and Skylake take everything best in the L1 cache (float32 sums of the whole
// tensor and of 100 columns, Zen 5, AVX-512: from the L3 cache 63 and 57 GB/s
// by the L2 cache, 92 and 72 by the L1 cache, from memory 38 and 24, 40 and 32;
// of rows of 400 and 1,000 in cache, of all from the L3 cache and from memory,
// Cascade Lake: 40, 40, 19 and 10.0 by the L2 cache, 52, 56, 21 and 10.4), but
// what is prefetched far ahead (read_ahead-inl.h); Zen 4 takes all columns
// from memory best in the L2 cache (kPrefetchesColumnsToL2).
enum class Cache { kL1, kL2 };

// The cache to prefetch to for a loop that prefers `to`: Zen 3, Zen 5 and
// Skylake always take L1 best.
HWY_INLINE Cache Nearest(Cache to) {
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
// Zen 4 follows those by itself (the largest of all float32 from the L3 cache
// and from memory 67 and 18 GB/s prefetched, 79 and 21 unprefetched, of rows of
// 1,000 67 and 12, 79 and 21). Zen 3 loses by it up to a third in cache (the
// largest of slabs of 64 x 16 float64, sums of 33 x 21 float32 and of rows of
// 50 int32: 44, 22 and 28 GB/s prefetched, 57, 30 and 40 unprefetched) and
// reads memory otherwise (quarters-inl.h, read_ahead-inl.h).
inline const bool kPrefetchesInOrder =
    kCpuKind != CpuKind::kZen3 && kCpuKind != CpuKind::kZen4;

// Whether the CPU reads several arrays faster than one. Those that do have no
// better instruction set than AVX2, so that the loops of AVX-512 need not
// prefetch; nor do those of SSE4, which nobody chooses there for their speed.
inline constexpr bool kMayReadSeveral = kIsAvx2;
HWY_INLINE bool ReadsSeveral() { return kMayReadSeveral && kReadsSeveral; }

// Prefetches the `bytes` bytes that lie two pages after x. The loops do so
// each turn, a few lines at a time: the CPU's own prefetching ends with each
// page, and what a loop has prefetched when it ends is all there is until the
// next one runs. Float32 sums from memory, AVX-512, GB/s without and with it:
// the whole tensor 24 and 33, slabs of 8 x 8 16 and 24. REQUIRES:
// kPrefetchesInOrder.
template <Cache kTo>
HWY_INLINE void PrefetchAfter(const std::byte* x, int64_t bytes) {
  PrefetchLines(Nearest(kTo), x, kPrefetchDistance, kPrefetchDistance + bytes);
}

// The same, of a long row, of the lines that begin in bytes [kBegin, kEnd) from
// x on, to be put between the loads of a turn.
template <Cache kTo, int64_t kBegin, int64_t kEnd>
HWY_INLINE void PrefetchPart(const std::byte* x) {
  constexpr int64_t kFirst = (kBegin + kLineBytes - 1) / kLineBytes;
  PrefetchLines(Nearest(kTo), x, kPrefetchDistance + kFirst * kLineBytes,
                kPrefetchDistance + kEnd);
}

// Whether loops over several rows, of elements of kSize bytes and `stride` of
// them apart, do not prefetch what comes from there, a core's own cache, as
// each line of it takes a load: rows of whole lines (sums of 16 columns of
// float64 and int32, of 1,024 of uint8, of 732 x 40 int32, of 30 x 32 float64
// and int32, in the L2 cache, Cascade Lake, AVX-512: 52, 54, 53, 49, 60 and 69
// GB/s prefetched, 70, 72, 70, 61, 78 and 81 so; places in 16 and 4,096 of
// int64 and in 128 of float32 22, 17 and 17, 28, 26 and 20). Others wait for
// two lines at a time (L1 of 333 columns of int16, the largest of 7 x 250 uint8
// and int32: 33, 60 and 60 prefetched, 28, 53 and 52 unprefetched). So do those
// of 8 bytes on Intel's CPUs since Golden Cove (sums of 41 columns and of 30 x
// 33 float64, the largest of 101 of uint64: 84, 61 and 76 prefetched, 74, 54
// and 66 unprefetched), but not where places are found (in 101 of float64 39
// and 42), nor on Skylake, where they were not asked apart. Neither were AMD's
// CPUs, nor whole lines that begin within lines of memory.
template <int64_t kSize, bool kFindsPlaces = false>
HWY_INLINE bool AreNearEnough(Source source, int64_t stride) {
  const bool may_cross =
      kSize == 8 && (kFindsPlaces || kCpuKind == CpuKind::kSkylake);
  return source == Source::kNear && !kIsAmd &&
         (may_cross || stride * kSize % kLineBytes == 0);
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
