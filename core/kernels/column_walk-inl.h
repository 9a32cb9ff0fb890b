// Columns of few rows, each walked down at once, so that what it has so far
// stays in a register: in cache that is faster than to pass over states in
// memory, a few rows at a time. Compiled once per instruction set.
//
// Zen 4, GB/s by passes, then by this:
//   sums of 468 columns of float64, 8 MiB                 49  63
//   sums of 300 columns of float32, 512 KiB, AVX2         48  61
//   the smallest of slabs of 3 x 47 int8, within nests     5  15
//   the largest of slabs of 7 x 33 int64, within nests    27  42
#if defined(REDUCTOR_CORE_KERNELS_COLUMN_WALK_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_COLUMN_WALK_INL_H_
#undef REDUCTOR_CORE_KERNELS_COLUMN_WALK_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_COLUMN_WALK_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/cpu.h"
#include "core/kernels.h"
#include "core/kernels/exact_lanes-inl.h"
#include "core/kernels/isa-inl.h"
#include "core/kernels/lanes_of-inl.h"
#include "core/kernels/partial_of-inl.h"
#include "core/kernels/prefetch-inl.h"
#include "core/kernels/special_lanes-inl.h"
#include "core/kernels/widening-inl.h"
#include "core/order.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <Monoid M>
class ColumnWalk {
  using State = typename M::State;
  using Partial = typename ColumnPartialOf<M>::type;
  static constexpr int64_t kSize = sizeof(typename M::Input);

 public:
  // States of several members would be too many registers.
  static constexpr bool kIsThere = !std::is_class_v<typename Partial::State>;

  // The fewest columns.
  static constexpr int64_t kFewest = 16;

  // Whether such columns are folded sooner so. From memory the CPU does not
  // follow so many rows (sums of 16 and 100 columns of float32 and of 100 of
  // float64, Zen 4: 22, 22 and 19 GB/s by passes, 11, 10 and 12 so).
  static bool IsFaster(int64_t rows, int64_t stride, int64_t cols,
                       Source source) {
    return source != Source::kMemory && rows <= kChainRows && cols >= kFewest &&
           !WantsPasses(stride);
  }

  // As many columns at a time as fill up to eight registers of float64, or a
  // line of memory.
  static constexpr int64_t kLanes =
      kSize == 1
          ? kLineBytes
          : std::min<int64_t>(32, 8 * hn::MaxLanes(hn::ScalableTag<double>()));

  // states[c] = column c of the rows, which begin `stride` elements apart.
  // REQUIRES: cols >= kFewest, 0 <= rows <= kChainRows.
  static void Fold(const std::byte* HWY_RESTRICT x, int64_t rows,
                   int64_t stride, int64_t cols, State* HWY_RESTRICT states,
                   Source source) {
    // Only CPUs that have AVX-512 were measured without prefetching.
    if constexpr (kHasAvx512) {
      if (!IsPrefetched(stride, source)) {
        return FoldGroups</*kPrefetches=*/false>(x, rows, stride, cols, states);
      }
    }
    FoldGroups</*kPrefetches=*/true>(x, rows, stride, cols, states);
  }

  // Lanes that have a scale, where kHasScaledLanes<M>.
  using Scaled = SpecialLanes<M, kLanes>;

  // The same of packed rows by these: states as StoreScaled() writes them.
  // REQUIRES: cols % kLanes == 0.
  static HWY_NOINLINE void FoldScaled(const std::byte* HWY_RESTRICT x,
                                      int64_t rows, int64_t cols,
                                      double* HWY_RESTRICT states) {
    EachGroup(cols, rows * cols, [=](int64_t c, int64_t ahead) {
      Scaled lanes;
      Walk<kLanes, /*kPrefetches=*/true>(x, rows, cols, c, ahead, lanes);
      lanes.StoreScaled(states + c);
    });
  }

 private:
  template <bool kPrefetches>
  static HWY_NOINLINE void FoldGroups(const std::byte* HWY_RESTRICT x,
                                      int64_t rows, int64_t stride,
                                      int64_t cols,
                                      State* HWY_RESTRICT states) {
    static_assert(kChainRows <= ColumnPartialOf<M>::kRows);
    const int64_t next = rows * stride;
    int64_t c = EachGroup(cols, next, [=](int64_t first, int64_t ahead) {
      FoldLanes<kLanes, kPrefetches>(x, rows, stride, first, ahead, states);
    });
    // Some of the last ones once more.
    for (; c < cols; c += kFewest) {
      const int64_t first = std::min(c, cols - kFewest);
      FoldLanes<kFewest, kPrefetches>(x, rows, stride, first, next - first,
                                      states);
    }
  }

  // Calls fold(c, ahead) for each kLanes columns from c on: what begins `ahead`
  // elements after them is folded next, of the last ones the rows that begin
  // `next` elements after the first column. Says where the other columns begin.
  template <class Fold>
  static HWY_INLINE int64_t EachGroup(int64_t cols, int64_t next,
                                      const Fold& fold) {
    int64_t c = 0;
    for (; c + kLanes <= cols; c += kLanes) {
      const bool is_last = c + kLanes == cols;
      fold(c, is_last ? next - c : kLanes);
    }
    return c;
  }

  // Whether passes are faster, as rows begin so far apart that all lie in the
  // same lines of the L1 cache and drive each other out of it (sums of 1,024
  // columns of float64, 8 MiB, Zen 4: 56 GB/s by passes, 50 so). But where
  // floats are widened Intel's CPUs walk faster nevertheless (means and L2 of
  // integers as fast by both). Of float32, GB/s by passes and so, of 512 KiB
  // and of 8 MiB:
  //   L1 of 1,024 columns, AVX-512                 37  43   22  23
  //   sums of 1,024 columns, AVX-512               44  45   22  24
  //   L1 of 1,024 columns, AVX2                    30  31   21  22
  //   sums of 1,024 columns, AVX2                  35  43   22  23
  //   sums of 512 columns, AVX-512, Cascade Lake   33  39   20  20
  // So do AMD's, by AVX-512, what exact lanes take (sums of 1,024 and 4,096
  // columns of bfloat16, 512 KiB, Zen 4: 22 and 20 GB/s by passes, 26 and 25
  // so).
  static bool WantsPasses(int64_t stride) {
    const bool walks_anyway =
        VectorsWiden<M>() && (!kIsAmd || (kHasAvx512 && kHasExactLanes<M>));
    return stride * kSize % (kPageBytes / 2) == 0 && !walks_anyway;
  }

  // Whether what is folded next is prefetched: of what is widened, which takes
  // longer than its loads, wherever it comes from (sums of 16 columns of
  // float32 and of slabs of 732 x 40, in the L2 cache, Cascade Lake: 47 and 44
  // GB/s prefetched, 44 and 41 unprefetched), but of whole pages, as so many
  // rows would drive each other out (of 1,024 columns, in the L2 and the L3
  // cache, 22 and 17 prefetched, 27 and 18 unprefetched).
  static bool IsPrefetched(int64_t stride, Source source) {
    if (VectorsWiden<M>()) return stride * kSize % kPageBytes != 0;
    return !NeedNoPrefetch<kSize>(source, stride);
  }

  // Columns [c, c + kWidth). If kPrefetches what begins `next` elements after
  // them is prefetched (sums of 16 columns of float32 and of slabs of 732 x 40,
  // from the L3 cache, Zen 4: 49 and 43 GB/s unprefetched, 56 and 51 so).
  template <int64_t kWidth, bool kPrefetches>
  static HWY_INLINE void FoldLanes(const std::byte* HWY_RESTRICT x,
                                   int64_t rows, int64_t stride, int64_t c,
                                   int64_t next, State* HWY_RESTRICT states) {
    if constexpr (kHasSpecialLanes<M>) {
      const auto walk = [=](auto& lanes) {
        Walk<kWidth, kPrefetches>(x, rows, stride, c, next, lanes);
      };
      if (FoldSpecial<M, kWidth>(rows, states + c, walk)) return;
    }
    if constexpr (kHasExactLanes<M> && kWidth == kLanes) {
      if (rows >= ExactLanes<M, kWidth>::kBlockRows &&
          FoldExact<kPrefetches>(x, rows, stride, c, next, states + c)) {
        return;
      }
    }
    GroupOf<Partial, kWidth> group;
    Walk<kWidth, kPrefetches>(x, rows, stride, c, next, group);
    if constexpr (std::is_same_v<M, Partial> && HasNamedVectors<M>()) {
      group.Store(states + c);
    } else {
      auto&& lanes = group.ToLanes();
      PutPartials<M>(states + c, kWidth, Into::kNew,
                     [&lanes](int64_t l) { return lanes.Get(l); });
    }
  }

  // The same by exact lanes, if they are right; says whether they are.
  template <bool kPrefetches>
  static HWY_INLINE bool FoldExact(const std::byte* HWY_RESTRICT x,
                                   int64_t rows, int64_t stride, int64_t c,
                                   int64_t next, State* HWY_RESTRICT states) {
    using Exact = ExactLanes<M, kLanes>;
    Exact lanes;
    const auto prefetch = [=](int64_t row) {
      for (int64_t r = row; r < row + Exact::kBlockRows; ++r) {
        Prefetch<kLanes, kPrefetches>(x, r * stride + c + next);
      }
    };
    int64_t r = lanes.AppendBlocks(x, c, rows, stride, prefetch);
    if (r == 0) return false;
    for (; r < rows; ++r) lanes.AppendRow(x, r * stride + c);
    return lanes.StoreStates(states);
  }

  // The group takes the same columns.
  template <int64_t kWidth, bool kPrefetches, class Group>
  static HWY_INLINE void Walk(const std::byte* HWY_RESTRICT x, int64_t rows,
                              int64_t stride, int64_t c, int64_t next,
                              Group& group) {
    for (int64_t r = 0; r < rows; ++r) {
      const int64_t i = r * stride + c;
      group.Append(x, i);
      Prefetch<kWidth, kPrefetches>(x, i + next);
    }
  }

  // kWidth elements from i on, if they are a line or more.
  template <int64_t kWidth, bool kPrefetches>
  static HWY_INLINE void Prefetch(const std::byte* x, int64_t i) {
    if constexpr (kPrefetches && kWidth * kSize >= kLineBytes) {
      PrefetchBytes<kWidth * kSize>(Cache::kL1, x, i * kSize);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_COLUMN_WALK_INL_H_
