// Columns, folded side by side: walked down (column_walk-inl.h), compared as
// floats, or by strips, as many at a time as their states have room in the L1
// cache. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_COLUMN_FOLD_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_COLUMN_FOLD_INL_H_
#undef REDUCTOR_CORE_KERNELS_COLUMN_FOLD_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_COLUMN_FOLD_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/cpu.h"
#include "core/kernels.h"
#include "core/kernels/column_passes-inl.h"
#include "core/kernels/column_strip.h"
#include "core/kernels/column_walk-inl.h"
#include "core/kernels/extreme_states-inl.h"
#include "core/kernels/extreme_vectors-inl.h"
#include "core/kernels/isa-inl.h"
#include "core/kernels/lanes.h"
#include "core/kernels/partial_of-inl.h"
#include "core/kernels/pass_prefetch-inl.h"
#include "core/kernels/prefetch-inl.h"
#include "core/kernels/widening-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

template <Monoid M>
class ColumnFolder {
  using State = typename M::State;
  using Partial = typename ColumnPartialOf<M>::type;
  using PartialState = typename Partial::State;
  using Strip = ColumnStrip<sizeof(typename M::Input)>;

 public:
  // states[c] = Combine(states[c], x[r * stride + c]) for every row, in order
  // where that counts; new ones begin as those of nothing.
  static void Fold(const std::byte* HWY_RESTRICT x, int64_t rows,
                   int64_t stride, int64_t cols, State* HWY_RESTRICT states,
                   Into into, Source source) {
    if constexpr (kHasFloatExtremes<M>) {
      using Extremes = ExtremeStates<M>;
      // Short rows that begin with no line of memory want to be prefetched (the
      // largest of 100 columns of float32 from memory, Intel, AVX-512: 10.3
      // GB/s unprefetched, 11.6 by strips).
      const bool wants_strips = AreShortAndPacked(cols, stride, kSize) &&
                                cols * kSize % kLineBytes != 0;
      if (Extremes::AreColumnsFaster(rows, cols) && !wants_strips) {
        return Extremes::FoldColumns(
            x, rows, stride, cols, states, into,
            [source](const std::byte* some, int64_t count, int64_t apart,
                     int64_t width, State* to, Into how) {
              FoldStrips(some, count, apart, width, to, how, source);
            });
      }
    }
    if constexpr (kHasExtraLoops && ColumnWalk<M>::kIsThere) {
      if (into == Into::kNew &&
          ColumnWalk<M>::IsFaster(rows, stride, cols, source)) {
        return ColumnWalk<M>::Fold(x, rows, stride, cols, states, source);
      }
    }
    FoldStrips(x, rows, stride, cols, states, into, source);
  }

 private:
  static HWY_NOINLINE void FoldStrips(const std::byte* HWY_RESTRICT x,
                                      int64_t rows, int64_t stride,
                                      int64_t cols, State* HWY_RESTRICT states,
                                      Into into, Source source) {
    const int64_t most = kInPlace ? MostInPlace(source) : MostInLanes(source);
    const bool is_whole = kInPlace && stride == cols && cols <= 2 * most;
    const int64_t strip = is_whole ? cols : most;
    const bool is_prefetched = !NeedNoPrefetch<kSize>(source, stride);
    for (int64_t c = 0; c < cols; c += strip) {
      const int64_t width = std::min(strip, cols - c);
      // What comes next is most often the rows after these.
      const int64_t next = c + width < cols ? width : rows * stride - c;
      const Strip columns = {x + c * kSize, rows,          stride, width,
                             next,          is_prefetched, source};
      if constexpr (kInPlace) {
        Passes::Fold(columns, InPlace{states + c}, into);
      } else if constexpr (HasPartial<M>) {
        FoldPartials(columns, states + c, into);
      } else {
        FoldInLanes(columns, states + c, into);
      }
    }
  }

  static constexpr int64_t kSize = sizeof(typename M::Input);
  // Plain states are folded where they are, by strips of so few (kStrip) that
  // they stay in the L1 cache beside the rows of a pass and of the next; packed
  // rows of up to two strips as a whole. Partial states and those of several
  // members are folded in lanes: as many bytes, or 256 of several members (by
  // strips of 512 those of 1,000 lose a seventh). Of 8 MiB, GB/s by strips of
  // 128, then by this:
  //   means of 1,000 columns of uint8                  20  28
  //   means of 300 columns of int64, Zen 3, AVX2       34  37
  //   L2 of 300 columns of int64, Zen 3, AVX2          13  15
  static constexpr bool kInPlace =
      std::is_same_v<M, Partial> && !std::is_class_v<State>;
  static constexpr bool kHaveMembers = std::is_class_v<PartialState>;
  static constexpr int64_t kStrip =
      kHaveMembers ? 256 : 4096 / sizeof(PartialState);

  using Passes = ColumnPasses<Partial, kInPlace>;

  struct InPlace {
    State Get(int64_t l) const { return states[l]; }
    void Set(int64_t l, State s) const { states[l] = s; }
    State* data() const { return states; }
    State* HWY_RESTRICT states;
  };

  // The most columns of a strip that is folded in place: kStrip, but from
  // memory eight pages where the CPU follows rows by itself and brings the more
  // the longer they are, as Zen 3 does, and Zen 4 where elements are widened.
  // From memory, GB/s by kStrip, then by this:
  //   sums of slabs of 256 x 4,096 float32, Zen 3    12  17
  //   sums of 40,000 columns of int32, Zen 3         21  23
  //   L1 of 65,536 columns of float32, Zen 4         15  17
  //   L2 of 4,096 columns of int32, Zen 4            19  30
  //   sums of 65,536 columns of float16, Zen 4       13  15
  static int64_t MostInPlace(Source source) {
    const bool follows_rows =
        kCpuKind == CpuKind::kZen3 ||
        (kCpuKind == CpuKind::kZen4 && VectorsWiden<Partial>());
    return source == Source::kMemory && follows_rows ? 8 * kPageBytes / kSize
                                                     : kStrip;
  }

  // The same of lanes: twice as many partial states of what comes from memory,
  // so that the CPU follows a row for longer (L2 of 5,000 and 65,536 columns of
  // uint8, means of 328 columns of int64 from memory, Zen 4: 11, 13 and 17 GB/s
  // by kStrip, 13, 17 and 20 so). Those of several members only by AVX-512: by
  // AVX2 they take longer than the rows (of 5,000 columns of int64 12 and 10).
  static int64_t MostInLanes(Source source) {
    constexpr bool kMayBeMore = HasPartial<M> && (!kHaveMembers || kHasAvx512);
    return kMayBeMore && source == Source::kMemory ? 2 * kStrip : kStrip;
  }

  static void FoldInLanes(const Strip& strip, State* HWY_RESTRICT states,
                          Into into) {
    Lanes<State, kStrip> lanes;
    if (into == Into::kHeld) {
#pragma omp simd
      for (int64_t l = 0; l < strip.width; ++l) lanes.Set(l, states[l]);
    }
    Passes::Fold(strip, lanes, into);
#pragma omp simd
    for (int64_t l = 0; l < strip.width; ++l) states[l] = lanes.Get(l);
  }

  // As many rows at a time as partial states can take. Those of several members
  // have room for more lanes, so that the arrays of two members begin a page
  // and a quarter apart, not a page: the CPU takes a load for one of what was
  // stored a page away (4 KiB aliasing).
  static void FoldPartials(const Strip& strip, State* HWY_RESTRICT states,
                           Into into) {
    constexpr int64_t kRows = ColumnPartialOf<M>::kRows;
    static_assert(kRows <= Partial::kMostElements);
    for (int64_t r = 0; r < strip.rows; r += kRows, into = Into::kHeld) {
      Lanes<PartialState, 2 * kStrip + (kHaveMembers ? kStrip / 2 : 0)> lanes;
      Passes::Fold(strip.Rows(r, kRows), lanes, Into::kNew);
      PutPartials<M>(states, strip.width, into,
                     [&lanes](int64_t l) { return lanes.Get(l); });
    }
  }
};

// states[s * cols + c] = column c of slab s, or if kHeld Combine(it, that),
// each slab by the columns of the folder F, of elements of kSize bytes. As from
// a cache: slabs that come from memory are folded as fast (sums, means and the
// largest of nests of 4, 8 and 12 rows of 1,000 to 5,000, Intel, within a
// hundredth).
template <class F, int64_t kSize, class State>
void FoldEachSlab(const std::byte* HWY_RESTRICT x, int64_t slabs, int64_t rows,
                  int64_t cols, State* HWY_RESTRICT states, Into into) {
  for (int64_t s = 0; s < slabs; ++s) {
    F::Columns(x + s * rows * cols * kSize, rows, cols, cols, states + s * cols,
               into, Source::kSharedCache);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_COLUMN_FOLD_INL_H_
