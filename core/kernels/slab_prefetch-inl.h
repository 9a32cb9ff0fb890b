// What loops over slabs prefetch as they fold the columns of one. Compiled once
// per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_SLAB_PREFETCH_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_SLAB_PREFETCH_INL_H_
#undef REDUCTOR_CORE_KERNELS_SLAB_PREFETCH_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_SLAB_PREFETCH_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "core/cpu.h"
#include "core/kernels.h"
#include "core/kernels/isa-inl.h"
#include "core/kernels/prefetch-inl.h"
#include "core/kernels/slab.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// What columns are folded in, from what takes no longer than to load them to
// what takes longest: elements as they are; widened floats; integers that are
// wider or stop at a largest one; or limbs.
enum class Pace { kElements, kWidenedFloats, kIntegers, kLimbs };

// Prefetches what comes after a slab: into the L1 cache; or, of a slab from
// memory, by AVX-512 where columns are (kPrefetchesColumnsToL2), into the L2
// cache, if that has room for it; or, where nothing else is prefetched, if
// kBeside, the columns beside those of a row.
template <int64_t kSize, Pace kPace, bool kBeside>
class SlabPrefetch {
  using Slab = SlabOf<kSize>;

 public:
  HWY_INLINE SlabPrefetch(const Slab& slab, Source source)
      : is_to_l2_(kHasAvx512 && kPrefetchesColumnsToL2 &&
                  source == Source::kMemory && slab.IsShort(16 * kPageBytes)),
        ahead_(is_to_l2_                    ? slab.bytes()
               : IsNearEnough(slab, source) ? kNone
                                            : AheadOf(slab)) {}

  // Whether kBeside may be faster by these instructions,
  static constexpr bool kMayWantBeside = kPace >= Pace::kIntegers && kHasAvx2;

  // and whether it is: in limbs, where an element takes so many steps that few
  // loads are on their way; and of other integers where the L3 cache is far
  // away, as Intel's is. Of 8 MiB, GB/s unprefetched, then by this:
  //   L2 of 64 x 256 int64, AVX-512                        15   18
  //   means of 64 x 256 int64, AVX2                        24   32
  //   L2 of 44 x 1,141 int32, Cascade Lake, AVX-512       7.2   11
  //   means of 198 x 272 int32, Cascade Lake, AVX-512      16   21
  //   L2 of 60,000 columns of int32, Cascade Lake, AVX2   1.6  5.2
  HWY_INLINE bool WantsBeside(Source source) const {
    return ahead_ == kNone && (kPace == Pace::kLimbs ||
                               (source == Source::kSharedCache && !kIsAmd));
  }

  // Before the slab is folded. One from memory is prefetched once more, in the
  // order of its addresses, as the CPU drops some of what the one before has
  // prefetched; in cache it costs a quarter. From memory, Zen 4, GB/s if that
  // was to the L1 cache, to the L2 cache, then by this:
  //   sums of 17 x 100 float32          13  18  21
  //   the largest of 7 x 300 float32    10  17  18
  //   sums of 17 x 100 float64          11  19  22
  HWY_INLINE void Begin(const Slab& slab) const {
    if (is_to_l2_) PrefetchLines(Cache::kL2, slab.x, 0, slab.bytes());
  }

  // As columns [c, c + count) of row r are folded: row by row where lanes leave
  // registers for that, as the loads would wait for those of all rows. GB/s by
  // Rows(), then so:
  //   the largest of 64 x 64 float32, in cache, Zen 4       77  93
  //   the largest of 64 x 256 float32, from memory, Zen 4   17  20
  //   sums of 5 x 700 float32, in cache, Zen 4, AVX2        54  45
  HWY_INLINE void Row(const Slab& slab, int64_t r, int64_t c,
                      int64_t count) const {
    if (ahead_ == kNone) return;
    const int64_t first = (r * slab.stride + c) * kSize + ahead_;
    PrefetchLines(is_to_l2_ ? Cache::kL2 : Cache::kL1, slab.x, first,
                  first + count * kSize);
  }

  // As columns [c, c + count) of every row are folded.
  HWY_INLINE void Rows(const Slab& slab, int64_t c, int64_t count) const {
    for (int64_t r = 0; r < slab.rows; ++r) Row(slab, r, c, count);
  }

  // If kBeside the columns after kCount from c on of row r, as these are
  // folded.
  template <int64_t kCount>
  HWY_INLINE void Beside(const Slab& slab, int64_t r, int64_t c) const {
    if constexpr (kBeside) {
      PrefetchBytes<kCount * kSize>(Cache::kL1, slab.x,
                                    (r * slab.stride + c + kCount) * kSize);
    }
  }

 private:
  static constexpr int64_t kNone = 0;

  // How many bytes ahead in the L1 cache. Of short rows that lie together it is
  // the next slab, or what lies half a page on if that is farther (sums of 3 x
  // 101 and the largest of 14 x 101 float64, 8 MiB, Zen 3: 19 and 25 GB/s by
  // 512 bytes, 27 and 32 so), if both fit the L1 cache. Others the CPU follows
  // by itself, and rows that begin in the same lines of the L1 cache would
  // drive each other out before they are folded. In cache, GB/s prefetched,
  // then by this:
  //   L1 of 11 x 265 int64, 23 KiB                    35  44
  //   the largest of 4 x 1,000 float32, Zen 3         41  48
  //   the largest of 4,096 columns of float32, Intel  55  95
  static HWY_INLINE int64_t AheadOf(const Slab& slab) {
    const int64_t bytes = slab.bytes();
    if (slab.IsShort(4 * kPageBytes)) {
      return std::max(bytes, kPageBytes / 2);
    }
    return kNone;
  }

  static HWY_INLINE bool IsNearEnough(const Slab& slab, Source source) {
    return kPace == Pace::kElements &&
           NeedNoPrefetch<kSize>(source, slab.stride);
  }

  bool is_to_l2_;
  int64_t ahead_;
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_SLAB_PREFETCH_INL_H_
