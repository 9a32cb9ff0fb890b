// The rows of some columns, folded into their states: in order, four rows a
// pass, so that the states are walked a quarter as often; or one row a pass,
// where the CPU reads packed rows from memory faster so; or, where it reads
// several arrays faster than one and nothing is rounded, a row of each quarter
// of the rows at a time. Meanwhile what the next pass folds is prefetched
// (prefetch-inl.h says why), or streams are (read_ahead-inl.h). Which of these,
// pass_choices-inl.h says. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_COLUMN_PASSES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_COLUMN_PASSES_INL_H_
#undef REDUCTOR_CORE_KERNELS_COLUMN_PASSES_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_COLUMN_PASSES_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/cpu.h"
#include "core/kernels.h"
#include "core/kernels/column_strip.h"
#include "core/kernels/elements-inl.h"
#include "core/kernels/limb_lanes-inl.h"
#include "core/kernels/pass_choices-inl.h"
#include "core/kernels/pass_prefetch-inl.h"
#include "core/kernels/plain_lanes-inl.h"
#include "core/kernels/prefetch-inl.h"
#include "core/kernels/quarters-inl.h"
#include "core/kernels/read_ahead-inl.h"
#include "core/kernels/slab.h"
#include "core/kernels/vector_lanes-inl.h"
#include "core/kernels/widening-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Folds by M into lanes, which are the states themselves if kIsInPlace.
template <Monoid M, bool kIsInPlace>
class ColumnPasses {
  using State = typename M::State;
  using Strip = ColumnStrip<sizeof(typename M::Input)>;
  using Choices = PassChoices<M, kIsInPlace>;

 public:
  // The rows of a strip.
  template <class L>
  static HWY_INLINE void Fold(const Strip& strip, L&& lanes, Into into) {
    if constexpr (Choices::kHasStreams) {
      if (Choices::AreStreams(strip)) {
        return FoldPasses<Prefetches::kStreams>(strip, lanes, into);
      }
    }
    if constexpr (Choices::kHasLoopToL2) {
      if (kPrefetchesColumnsToL2 && strip.source == Source::kMemory) {
        return FoldPasses<Prefetches::kToL2>(strip, lanes, into);
      }
    }
    FoldPasses<Prefetches::kUsual>(strip, lanes, into);
  }

 private:
  // What a pass prefetches: the rows of the next one, into the cache that loops
  // of M usually take them from (kCacheFor) or into the L2 cache; or streams.
  enum class Prefetches { kUsual, kToL2, kStreams };

  static constexpr int64_t kSize = sizeof(typename M::Input);
  // Elements that the CPU loads at once.
  static constexpr int64_t kLine = kLineBytes / kSize;

  // How many of the last columns are folded together: what is widened by a
  // group at a time, of others those that are folded in place by a quarter of a
  // line; those of other states in lanes go one by one. GB/s one by one, then
  // by this:
  //   the largest of 60 columns of int8, in cache, AVX-512       39   70
  //   sums of 17 columns of int32, in cache, Zen 4               74   90
  //   products of 103 columns of int32, in cache, Zen 4          59   75
  //   the largest of 103 columns of float32, in cache, Zen 4     52   67
  //   the largest of 103 columns of float32, from memory, Zen 4  9.8  17
  static constexpr int64_t kStep = VectorsWiden<M>() ? kGroupLanes<M>
                                   : kIsInPlace      ? kLine / 4
                                                     : 1;

  // States of several members take too many registers for four rows: one row a
  // pass. In limbs the elements of four rows are added up first.
  static constexpr int64_t kMostRows =
      std::is_class_v<State> && !LimbsOf<M>::kAreThere ? 1 : kMaxPassRows;

  // The rows of a strip. The last ones, where a pass takes four, go one by one:
  // passes of two and of three took the compiler a quarter of its time for all
  // kernels, and gained nothing that shows.
  template <Prefetches kPrefetches, class L>
  static HWY_INLINE void FoldPasses(const Strip& strip, L&& lanes, Into into) {
    const int64_t most =
        kPrefetches == Prefetches::kToL2 && Choices::AreFoldedOneByOne(strip)
            ? 1
            : kMostRows;
    ReadAhead ahead(strip.x, kPrefetches == Prefetches::kStreams
                                 ? Ahead::kInOrderOrStreams
                                 : Ahead::kNothing);
    const int64_t in_quarter = strip.rows / 4;
    const bool is_by_quarters =
        kPrefetches == Prefetches::kUsual && kMostRows == 4 && kIsExact<M> &&
        strip.is_packed() &&
        ReadsQuarters(4 * in_quarter * strip.stride * kSize);
    // The rows that are taken four at a time, one of each quarter.
    const int64_t end_of_quarters = is_by_quarters ? 4 * in_quarter : 0;
    for (int64_t r = 0; r < strip.rows; into = Into::kHeld) {
      const int64_t count = strip.rows - r < most ? 1 : most;
      Strip rows = r < end_of_quarters ? strip.RowsOfQuarters(r / 4, in_quarter)
                                       : strip.Rows(r, count);
      if (most < kMostRows && !Choices::ArePrefetchedOneByOne(strip)) {
        rows.is_prefetched = false;
      }
      if (into == Into::kNew) {
        FoldRows<Into::kNew, kPrefetches, kMostRows>(rows, ahead, lanes);
      } else {
        FoldRows<Into::kHeld, kPrefetches, kMostRows>(rows, ahead, lanes);
      }
      r += count;
    }
  }

  // One pass, of kMost rows or of one; streams that are `ahead` are prefetched.
  template <Into kInto, Prefetches kPrefetches, int64_t kMost, class L>
  static HWY_INLINE void FoldRows(const Strip& strip, ReadAhead& ahead,
                                  L&& lanes) {
    if constexpr (kMost > 1) {
      if (strip.rows < kMost) {
        return FoldRows<kInto, kPrefetches, 1>(strip, ahead, lanes);
      }
    }
    constexpr bool kIsToL2 = kPrefetches == Prefetches::kToL2;
    constexpr bool kAreStreams = kPrefetches == Prefetches::kStreams;
    const std::byte* const x = strip.x;
    const int64_t stride = strip.stride;
    const int64_t width = strip.width;
    const PassPrefetch<kMost, kSize> prefetch(
        kIsToL2 ? Cache::kL2 : kCacheFor<M>, x, stride, width, strip.next);
    const bool is_prefetched = strip.is_prefetched && !kAreStreams &&
                               (kIsToL2 || width * kSize < kFollowedRowBytes ||
                                Choices::AreLongRowsPrefetched());
    int64_t l = 0;
    for (; l + kLine <= width; l += kLine) {
      if constexpr (kAreStreams) {
        ahead.PrefetchStreamsUpTo(x + (l + kLine) * kMost * kSize);
      }
      FoldColumns<kInto, kMost, kLine>(x, stride, l, lanes, [&](int64_t r) {
        if (is_prefetched) prefetch.At(r, l);
      });
    }
    if (is_prefetched) prefetch.Rest(l, width);
    if constexpr (kStep > 1) {
      for (; l + kStep <= width; l += kStep) {
        FoldColumns<kInto, kMost, kStep>(x, stride, l, lanes,
                                         PrefetchNothing());
      }
    }
    for (; l < width; ++l) {
      FoldColumns<kInto, kMost, 1>(x, stride, l, lanes, PrefetchNothing());
    }
  }

  // Columns [c, c + kWidth) of kMost rows; prefetch_row(r) goes with those of
  // row r.
  template <Into kInto, int64_t kMost, int64_t kWidth, class L,
            class PrefetchRow>
  static HWY_INLINE void FoldColumns(const std::byte* HWY_RESTRICT x,
                                     int64_t stride, int64_t c, L&& lanes,
                                     const PrefetchRow& prefetch_row) {
    if constexpr (VectorsWiden<M>() && kWidth > 1) {
      using Group = VectorLanes<M, kWidth>;
      Group group = kInto == Into::kNew ? Group() : Group(lanes.data() + c);
      for (int64_t r = 0; r < kMost; ++r) {
        group.Append(x, r * stride + c);
        prefetch_row(r);
      }
      group.Store(lanes.data() + c);
    } else if constexpr (LimbsOf<M>::kAreThere && kWidth > 1) {
      for (int64_t r = 0; r < kMost; ++r) prefetch_row(r);
      // A vector at a time, of whose sums there are several.
      constexpr int64_t kVector =
          hn::MaxLanes(hn::CappedTag<uint64_t, kWidth>());
      for (int64_t l = c; l < c + kWidth; l += kVector) {
        LimbLanes<M, kVector> group;
        for (int64_t r = 0; r < kMost; ++r) group.Append(x, r * stride + l);
        if constexpr (kInto == Into::kNew) {
          group.Store(lanes, l);
        } else {
          group.CombineInto(lanes, l);
        }
      }
    } else {
      for (int64_t r = 0; r < kMost; ++r) prefetch_row(r);
      const auto fold = [&](int64_t l) {
        State s = kInto == Into::kNew ? M::Identity() : lanes.Get(l);
#pragma GCC unroll 4
        for (int64_t r = 0; r < kMost; ++r) {
          s = M::Combine(s, MapAt<M>(x, r * stride + l));
        }
        lanes.Set(l, s);
      };
#pragma omp simd
      for (int64_t l = c; l < c + kWidth; ++l) fold(l);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_COLUMN_PASSES_INL_H_
