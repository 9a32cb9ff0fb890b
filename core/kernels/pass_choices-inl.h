// What passes over columns (column_passes-inl.h) do that depends on the CPU, on
// where rows come from and on whether elements are widened:
//
//   from memory, Zen 4    rows are prefetched into the L2 cache, and some are
//                         folded one a pass (kHasLoopToL2)
//   from memory, Zen 3    short packed rows are prefetched as streams
//                         (kHasStreams)
//   else                  the rows of the next pass are prefetched: short ones,
//                         and where elements are widened all, but on Zen 3
//
// Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_PASS_CHOICES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_PASS_CHOICES_INL_H_
#undef REDUCTOR_CORE_KERNELS_PASS_CHOICES_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_PASS_CHOICES_INL_H_
#endif

#include <cstdint>
#include <type_traits>

#include "core/cpu.h"
#include "core/kernels.h"
#include "core/kernels/column_strip.h"
#include "core/kernels/isa-inl.h"
#include "core/kernels/limb_lanes-inl.h"
#include "core/kernels/pass_prefetch-inl.h"
#include "core/kernels/quarters-inl.h"
#include "core/kernels/widening-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// Of passes by M into lanes, which are the states themselves if kIsInPlace.
template <Monoid M, bool kIsInPlace>
class PassChoices {
  static constexpr int64_t kSize = sizeof(typename M::Input);
  using Strip = ColumnStrip<kSize>;
  static constexpr bool kIsFloat32 = std::is_same_v<typename M::Input, float>;
  static constexpr bool kIsFloat64 = std::is_same_v<typename M::Input, double>;

 public:
  // Whether rows that are not short (kFollowedRowBytes) are prefetched, too:
  // where elements are widened, which keeps the CPU from following the rows by
  // itself, but on Zen 3. Others it follows (sums of 1,024 columns of float64,
  // in cache and from memory, Intel, AVX-512: 61 and 12 GB/s prefetched, 88 and
  // 15 unprefetched).
  static bool AreLongRowsPrefetched() {
    return VectorsWiden<M>() && kCpuKind != CpuKind::kZen3;
  }

  // Whether there is a loop of its own for what Zen 4 folds from memory, where
  // it prefetches to the L2 cache (kPrefetchesColumnsToL2). In place that is,
  // by AVX-512, what is not widened, and by AVX2 float32 that are
  // (avx2_choices.h); in lanes, by AVX-512, what they take in limbs (means of
  // 100, 1,024 and 65,536 columns of int64: 14, 13 and 13 GB/s by the L1 cache,
  // 19, 19 and 18 so; of 8 to 32 bits it is the same).
  static constexpr bool kHasLoopToL2 =
      (kIsInPlace || LimbsOf<M>::kAreThere) &&
      (VectorsWiden<M>() ? kIsAvx2 && kIsFloat32 : kHasAvx512);

  // Whether there is a loop of its own for short packed rows that are read as
  // streams, and whether those of a strip are. From memory, Zen 3, GB/s
  // unprefetched and so (others gain nothing):
  //   sums of 300 columns of float32      12  13
  //   sums of 1,000 columns of float32    12  15
  //   sums of 100 columns of float64      12  14
  static constexpr bool kHasStreams =
      kIsInPlace && kMayReadSeveral &&
      (VectorsWiden<M>() ? kIsFloat32 : !kIsExact<M> && kIsFloat64);
  static bool AreStreams(const Strip& strip) {
    return ReadsSeveral() && strip.source == Source::kMemory &&
           AreShortAndPacked(strip.width, strip.stride, kSize);
  }

  // Whether rows from memory are folded one a pass, as one array: packed ones
  // in place only, as lanes take longer than the rows. Where elements are
  // widened, short rows; of others all but rows of 8 and 16 bits that are no
  // whole lines and shorter than three quarters of a page. From memory, Zen 4,
  // GB/s by four rows, then by this:
  //   the largest of 16 columns of float32     22  25
  //   the largest of 1,024 columns of float32  21  26
  //   the largest of 200 columns of float64    22  25
  //   the largest of 100 columns of int8       24  20
  //   sums of 16 columns of float32, AVX2      22  24
  //   sums of 900 columns of float32, AVX2     22  24
  static bool AreFoldedOneByOne(const Strip& strip) {
    const int64_t bytes = strip.width * kSize;
    if (!kIsInPlace || !strip.is_packed()) return false;
    if (VectorsWiden<M>()) return bytes < kPageBytes;
    return kSize >= 4 || bytes % kLineBytes == 0 || bytes >= kPageBytes * 3 / 4;
  }

  // Whether they are prefetched: those that are widened, and others of four
  // lines or more. Shorter ones the CPU follows by itself, longer ones in one
  // process and not in the next. From memory, GB/s unprefetched and prefetched:
  //   sums of 16 columns of float64              22        21
  //   sums of 100 columns of float64             12 to 23  19
  //   the largest of 300 columns of float32      19        22
  //   the largest of 100 columns of int32        20        23
  static bool ArePrefetchedOneByOne(const Strip& strip) {
    return VectorsWiden<M>() || strip.width * kSize >= 4 * kLineBytes;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_PASS_CHOICES_INL_H_
