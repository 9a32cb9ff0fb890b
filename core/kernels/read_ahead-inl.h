// What loops that walk memory in the order of its addresses prefetch: what
// comes next, in that order, or what comes later, as four streams, where the
// CPU reads several faster than one. Compiled once per instruction set.
//
// What a core's own cache has is not prefetched, but for rows that gain by it
// (GainNear(), fold-inl.h), long rows that fill special lanes and small slabs
// in which places are found: each line of it takes a load. From the L3 cache it
// gains a tenth. In the L2 cache, Cascade Lake, AVX-512, GB/s prefetched,
// then by this:
//   the largest of all float32           60   81
//   sums of all float64                  60   87
//   sums of rows of 400 int32            49   62
//   sums of rows of 17 float32          7.4  9.0
//   sums of slabs of 8 x 8 float32       17   22
//
// A loop that folds rows, slabs or columns in the order of their addresses
// reads one stream. But what it prefetches may come in any order, if it
// prefetches early enough: here a line of each quarter of a window, then the
// next line of each, so that all of the window is in the L2 cache by the time
// the loop comes to it. In their order, two pages ahead, lines gain nothing; in
// cache it would cost up to half. From memory, Zen 3, GB/s unprefetched, then
// by this:
//   sums of rows of 64 float32                14  17
//   sums of rows of 1,000 int32               15  18
//   the largest of rows of 300 uint8          12  17
//   the largest of slabs of 8 x 8 float32     10  13
//   the largest of slabs of 12 x 100 float32  10  15
//
// What is prefetched depends on addresses alone, so that the next call, of what
// lies after it, goes on where this one ended. The first window of an array is
// not prefetched, and up to a window after it is.
//
// Loops of few instructions a line come twice, with this and without: to find
// each turn that there is nothing to prefetch costs up to half (the largest of
// rows of 16,384 float32 and of all of 8 MiB float64, in cache, Zen 4: 38 and
// 47 GB/s in one loop, 72 and 74 so).
#if defined(REDUCTOR_CORE_KERNELS_READ_AHEAD_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_READ_AHEAD_INL_H_
#undef REDUCTOR_CORE_KERNELS_READ_AHEAD_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_READ_AHEAD_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/cpu.h"
#include "core/kernels.h"
#include "core/kernels/prefetch-inl.h"
#include "core/kernels/quarters-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// What a loop may prefetch: what comes next, or that or streams, whichever the
// CPU gains by.
enum class Ahead { kNothing, kInOrder, kInOrderOrStreams };

HWY_INLINE Ahead AheadFrom(Source source) {
  return source == Source::kOwnCache      ? Ahead::kNothing
         : source == Source::kSharedCache ? Ahead::kInOrder
                                          : Ahead::kInOrderOrStreams;
}

// What one loop prefetches ahead of where it is. Loops say both how far they
// are about to go (PrefetchStreamsUpTo()) and what they have folded
// (PrefetchInOrder()): a CPU acts by one of these at most.
class ReadAhead {
 public:
  // Of what a loop folds in the order of its addresses from x on.
  HWY_INLINE ReadAhead(const std::byte* x, Ahead ahead)
      : next_(ReadsSeveral() && ahead == Ahead::kInOrderOrStreams
                  ? AddressOf(x) / kAtOnce * kAtOnce
                  : kNever),
        in_order_(kPrefetchesInOrder && ahead != Ahead::kNothing) {}

  // Whether it does so as streams.
  HWY_INLINE bool as_streams() const {
    return kMayReadSeveral && next_ != kNever;
  }

  // Whether a loop prefetches what comes next,
  HWY_INLINE bool in_order() const { return in_order_; }
  // and whether it prefetches anything.
  HWY_INLINE bool loop_prefetches() const { return in_order_ || as_streams(); }

  // PrefetchAfter() and PrefetchPart(), if in_order().
  template <Cache kTo>
  HWY_INLINE void PrefetchInOrder(const std::byte* x, int64_t bytes) const {
    if (in_order_) PrefetchAfter<kTo>(x, bytes);
  }
  template <Cache kTo, int64_t kNumber, int64_t kBytes>
  HWY_INLINE void PrefetchPartInOrder(const std::byte* x) const {
    if (in_order_) PrefetchPart<kTo, kNumber, kBytes>(x);
  }

  // If as_streams(), prefetches, before bytes up to `end` of the same array are
  // folded, as many of the next window: a few lines at a time, or the loop
  // would wait for them. Where more than a window was folded since the last
  // call, what lies between is skipped.
  HWY_INLINE void PrefetchStreamsUpTo(const std::byte* end) {
    if constexpr (kMayReadSeveral) {
      const uintptr_t last = AddressOf(end);
      if (HWY_LIKELY(next_ >= last)) return;
      if (last - next_ > kWindow) next_ = (last - kWindow) / kAtOnce * kAtOnce;
      for (; next_ < last; next_ += kAtOnce) PrefetchFour();
    }
  }

 private:
  static constexpr uintptr_t kStreams = 4;
  static constexpr uintptr_t kAtOnce = kStreams * kLineBytes;
  // Windows of half or twice as much gain as much or less.
  static constexpr uintptr_t kWindow = 64 * 1024;
  static constexpr uintptr_t kQuarter = kWindow / kStreams;
  static constexpr uintptr_t kNever = std::numeric_limits<uintptr_t>::max();

  static HWY_INLINE uintptr_t AddressOf(const std::byte* x) {
    return reinterpret_cast<uintptr_t>(x);
  }

  // Prefetches, for lines [4 * i, 4 * i + 4) of this window, line i of each
  // quarter of the next one.
  HWY_INLINE void PrefetchFour() const {
    const uintptr_t window = next_ / kWindow * kWindow + kWindow;
    const uintptr_t line = next_ % kWindow / kAtOnce * kLineBytes;
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    const auto* x = reinterpret_cast<const std::byte*>(window + line);
    for (uintptr_t s = 0; s < kStreams; ++s) {
      PrefetchFrom(Cache::kL2, x, static_cast<int64_t>(s * kQuarter));
    }
  }

  uintptr_t next_;
  bool in_order_;
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_READ_AHEAD_INL_H_
