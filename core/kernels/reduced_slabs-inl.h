// Slabs whose columns are reduced some at a time (reduced_columns-inl.h): of
// few rows, or small, or such that a cache holds them. How many at a time, and
// what is prefetched meanwhile. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_REDUCED_SLABS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_REDUCED_SLABS_INL_H_
#undef REDUCTOR_CORE_KERNELS_REDUCED_SLABS_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_REDUCED_SLABS_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>

#include "core/cpu.h"
#include "core/kernels.h"
#include "core/kernels/extreme_columns-inl.h"
#include "core/kernels/extreme_vectors-inl.h"
#include "core/kernels/float_pairs-inl.h"
#include "core/kernels/isa-inl.h"
#include "core/kernels/lanes.h"
#include "core/kernels/limb_lanes-inl.h"
#include "core/kernels/monoid_traits.h"
#include "core/kernels/prefetch-inl.h"
#include "core/kernels/read_ahead-inl.h"
#include "core/kernels/reduced_columns-inl.h"
#include "core/kernels/results-inl.h"
#include "core/kernels/slab.h"
#include "core/kernels/slab_prefetch-inl.h"
#include "core/kernels/widening-inl.h"
#include "core/order.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Kernel::reduce_slabs of R.
template <Reducer R>
class ReducedSlabs {
  using Columns = ReducedColumns<R>;
  using M = typename Columns::M;
  using Partial = typename Columns::Partial;
  using Output = typename R::Output;
  static constexpr int64_t kSize = sizeof(typename M::Input);
  using Slab = SlabOf<kSize>;
  static constexpr Pace kPace = LimbsOf<Partial>::kAreThere ? Pace::kLimbs
                                : HasPartial<M> || Saturates<Partial>()
                                    ? Pace::kIntegers
                                : VectorsWiden<M>() ? Pace::kWidenedFloats
                                                    : Pace::kElements;
  template <bool kBeside>
  using Prefetch = SlabPrefetch<kSize, kPace, kBeside>;

 public:
  // States of several members would be too many registers, but for those of
  // integers of 64 bits (means and L2 of slabs of 5 x 1,068 uint64, logarithms
  // of 17 x 37, in cache, Zen 4, AVX-512: 21, 10 and 16 GB/s by states in
  // memory, 48, 12 and 30 so). Not where floats of 16 bits are widened and
  // rounded step by step, which is most of the code and of the time.
  static constexpr bool kIsThere =
      (!std::is_class_v<typename Partial::State> ||
       LimbsOf<Partial>::kAreThere) &&
      (kHasExtraLoops || !(kSize == 2 && kIsFloat<typename M::Input>));

  static void Reduce(const std::byte* HWY_RESTRICT x, int64_t slabs,
                     int64_t rows, int64_t stride, int64_t cols, std::byte* to,
                     Source source) {
    auto* HWY_RESTRICT out = reinterpret_cast<Output*>(to);
    const Slab first = {x, rows, stride, cols};
    if constexpr (FloatPairs<R>::kAreThere) {
      if (rows == 2) return ReduceAll<true>(first, slabs, source, out);
    }
    ReduceAll<false>(first, slabs, source, out);
  }

 private:
  static constexpr int64_t kLine = kLineBytes / kSize;
  // The last columns of a row are folded with others once more: a line of
  // memory, or a quarter of one where to widen an element takes longer than to
  // load it (sums of 20 x 33 and 16 x 40 float16, in cache, Zen 3: 6.4 and 6.5
  // GB/s by lines, 8.3 and 9.5 so).
  static constexpr int64_t kTail =
      VectorsWiden<M>() && kSize == 2 && kIsFloat<typename M::Input> ? kLine / 4
                                                                     : kLine;
  // As many columns at a time as fill four vectors of states, where there are
  // so many, or of states of several members eight: of a line alone the loop
  // over rows costs as much as they (sums of float64 and uint8 slabs of 3 x
  // 1,024, in cache, AVX-512: 43 and 43 GB/s, 69 and 71 so).
  static constexpr int64_t kMembers = kMemberCount<typename Partial::State>;
  static constexpr int64_t kVectors = kMembers == 1 ? 4 : 8 / kMembers;
  static constexpr int64_t kStateBytes = sizeof(typename Partial::State);
  static constexpr int64_t kInVectors =
      hn::MaxLanes(hn::ScalableTag<uint8_t>()) * kMembers / kStateBytes *
      kVectors;
  static constexpr int64_t kMany = std::max(kLine, kInVectors);
  // Whether a result is the state, a float64, or a quotient of it, rounded to
  // float32: then vectors do that, as many columns at a time as fill eight of
  // them (L1 and sums of 65,536 columns of float32 in cache, AVX-512: 66 and 79
  // GB/s by lines, 84 and 97 so).
  static constexpr bool kIsToFloat32 =
      std::is_same_v<Output, float> && HasVectorResults<R>();
  static constexpr int64_t kWide = 8 * hn::MaxLanes(hn::ScalableTag<double>());
  using Extremes = std::conditional_t<kHasFloatExtremes<M>, ExtremeColumns<M>,
                                      std::monostate>;

  // Slabs that lie one after the other, of which this is the first; if
  // kArePairs, they have two rows of float32.
  template <bool kArePairs>
  static void ReduceAll(const Slab& slab, int64_t slabs, Source source,
                        Output* HWY_RESTRICT out) {
    if constexpr (kHasFloatExtremes<M>) {
      // By SSE4 a line of memory is as much.
      if (kLine < Extremes::kColumns && slab.cols < Extremes::kColumns &&
          Extremes::AreFewFaster(slab.rows, slab.cols, source)) {
        return Extremes::WithVectorsOf(slab.cols, [&](auto vectors) {
          ReduceFewColumns<vectors()>(slab, slabs, out);
        });
      }
    }
    if constexpr (Prefetch<true>::kMayWantBeside) {
      if (Prefetch<true>(slab, source).WantsBeside(source)) {
        return ReduceAllBy<kArePairs, true>(slab, slabs, source, out);
      }
    }
    ReduceAllBy<kArePairs, false>(slab, slabs, source, out);
  }

  template <bool kArePairs, bool kBeside>
  static HWY_NOINLINE void ReduceAllBy(Slab slab, int64_t slabs, Source source,
                                       Output* HWY_RESTRICT out) {
    const Prefetch<kBeside> prefetch(slab, source);
    ReadAhead ahead(slab.x,
                    AreStreams(slab) ? AheadFrom(source) : Ahead::kNothing);
    const ResultOf<R> result_of(slab.rows);
    Extremes extremes;
    const std::byte* const first = slab.x;
    for (int64_t s = 0; s < slabs; ++s) {
      slab.x = first + s * slab.rows * slab.stride * kSize;
      ahead.PrefetchStreamsUpTo(slab.x);
      prefetch.Begin(slab);
      if constexpr (kArePairs) {
        ReducePairs(slab, prefetch, ahead, out + s * slab.cols);
      } else {
        ReduceSlab(slab, prefetch, ahead, result_of, extremes,
                   out + s * slab.cols);
      }
    }
  }

  // Whether the slab and those after it, which lie together, are prefetched as
  // streams: of more rows some columns are too much to be prefetched at once,
  // and long ones are streams themselves.
  static HWY_INLINE bool AreStreams(const Slab& slab) {
    return slab.rows <= kChainRows && slab.HasShortRows();
  }

  // Prefetches what is `ahead` as all columns before c of a slab are folded.
  static HWY_INLINE void PrefetchUntil(const Slab& slab, int64_t c,
                                       ReadAhead& ahead) {
    ahead.PrefetchStreamsUpTo(slab.x + c * slab.rows * kSize);
  }

  template <bool kBeside>
  static HWY_INLINE void ReduceSlab(const Slab& slab,
                                    const Prefetch<kBeside>& prefetch,
                                    ReadAhead& ahead,
                                    const ResultOf<R>& result_of,
                                    Extremes& extremes,
                                    Output* HWY_RESTRICT out) {
    const int64_t cols = slab.cols;
    int64_t c = 0;
    if constexpr (kHasFloatExtremes<M>) {
      constexpr int64_t kColumns = Extremes::kColumns;
      // The last columns with some of those before them, if they are many.
      for (; cols >= kColumns && cols - c >= Extremes::kFewestLast;
           c += kColumns) {
        const int64_t first = std::min(c, cols - kColumns);
        PrefetchUntil(slab, first + kColumns, ahead);
        const auto prefetch_row = [&](int64_t r) {
          prefetch.Row(slab, r, first, kColumns);
        };
        if (!extremes.ReduceColumns(slab.x + first * kSize, slab.rows,
                                    slab.stride, out + first, prefetch_row)) {
          ReduceByKeys(slab, first, first + kColumns, result_of, out);
        }
      }
    }
    if constexpr (kIsToFloat32) {
      for (; c + kWide <= cols; c += kWide) {
        PrefetchUntil(slab, c + kWide, ahead);
        prefetch.Rows(slab, c, kWide);
        Columns::template ReduceToFloat32<kWide>(slab, c, result_of, out);
      }
    }
    ReduceByLanes(slab, prefetch, ahead, c, result_of, out);
  }

  // The largest or the smallest of slabs of few columns, of which kRowVectors
  // hold a row, by comparisons. REQUIRES: Extremes::AreFewFaster().
  template <int64_t kRowVectors>
  static HWY_NOINLINE void ReduceFewColumns(Slab slab, int64_t slabs,
                                            Output* HWY_RESTRICT out) {
    const ResultOf<R> result_of(slab.rows);
    Extremes extremes;
    const std::byte* const first = slab.x;
    for (int64_t s = 0; s < slabs; ++s) {
      slab.x = first + s * slab.rows * slab.stride * kSize;
      if (!extremes.template ReduceColumns<kRowVectors>(
              slab.x, slab.rows, slab.stride, slab.cols, out)) {
        ReduceByKeys(slab, 0, slab.cols, result_of, out);
      }
      out += slab.cols;
    }
  }

  // Columns [c, end) of which comparisons may be wrong.
  static HWY_NOINLINE void ReduceByKeys(const Slab& slab, int64_t c,
                                        int64_t end,
                                        const ResultOf<R>& result_of,
                                        Output* HWY_RESTRICT out) {
    for (; c + kMany <= end; c += kMany) {
      Columns::template Reduce<kMany>(slab, c, PrefetchNothing(), result_of,
                                      out);
    }
    for (; c < end; c += kLine) {
      Columns::template Reduce<kLine>(slab, std::min(c, end - kLine),
                                      PrefetchNothing(), result_of, out);
    }
  }

  // A slab of two rows of float32. REQUIRES: slab.cols >= kLine.
  template <bool kBeside>
  static HWY_INLINE void ReducePairs(const Slab& slab,
                                     const Prefetch<kBeside>& prefetch,
                                     ReadAhead& ahead,
                                     Output* HWY_RESTRICT out) {
    const int64_t cols = slab.cols;
    const std::byte* const second = slab.x + slab.stride * kSize;
    int64_t c = 0;
    for (; c + kWide <= cols; c += kWide) {
      PrefetchUntil(slab, c + kWide, ahead);
      prefetch.Rows(slab, c, kWide);
      FloatPairs<R>::template ReduceColumns<kWide>(slab.x + c * kSize,
                                                   second + c * kSize, out + c);
    }
    // The last columns once more, with some of those before them, unprefetched
    // (sums of slabs of 2 x 48 and 2 x 100, in cache: 39 and 38 GB/s
    // prefetched, 58 and 52 so, from memory the same).
    for (; c < cols; c += kLine) {
      const int64_t at = std::min(c, cols - kLine);
      FloatPairs<R>::template ReduceColumns<kLine>(
          slab.x + at * kSize, second + at * kSize, out + at);
    }
  }

  // The columns from c on. REQUIRES: slab.cols >= kTail.
  template <bool kBeside>
  static HWY_INLINE void ReduceByLanes(const Slab& slab,
                                       const Prefetch<kBeside>& prefetch,
                                       ReadAhead& ahead, int64_t c,
                                       const ResultOf<R>& result_of,
                                       Output* HWY_RESTRICT out) {
    const int64_t end = slab.cols;
    for (; c + kMany <= end; c += kMany) {
      PrefetchUntil(slab, c + kMany, ahead);
      ReduceColumns<kMany>(slab, prefetch, c, result_of, out);
    }
    // The last columns once more, with some of those before them.
    for (; c < end; c += kTail) {
      ReduceColumns<kTail>(slab, prefetch, std::min(c, end - kTail), result_of,
                           out);
    }
  }

  // Columns [c, c + kWidth).
  template <int64_t kWidth, bool kBeside>
  static HWY_INLINE void ReduceColumns(const Slab& slab,
                                       const Prefetch<kBeside>& prefetch,
                                       int64_t c, const ResultOf<R>& result_of,
                                       Output* HWY_RESTRICT out) {
    const auto prefetch_row = [&slab, &prefetch, c](int64_t r) {
      // A tail narrower than a line is left to the next row's begin, which lies
      // in the same line.
      if constexpr (kWidth >= kLine) prefetch.Row(slab, r, c, kWidth);
      prefetch.template Beside<kWidth>(slab, r, c);
    };
    Columns::template Reduce<kWidth>(slab, c, prefetch_row, result_of, out);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_REDUCED_SLABS_INL_H_
