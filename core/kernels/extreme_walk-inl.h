// Rows whose largest or smallest is looked for by the CPU's own comparison, one
// after the other, each by lanes. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_EXTREME_WALK_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_EXTREME_WALK_INL_H_
#undef REDUCTOR_CORE_KERNELS_EXTREME_WALK_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_EXTREME_WALK_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/cpu.h"
#include "core/kernels/extreme_vectors-inl.h"
#include "core/kernels/isa-inl.h"
#include "core/kernels/prefetch-inl.h"
#include "core/kernels/quarters-inl.h"
#include "core/kernels/read_ahead-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <Monoid M>
class ExtremeWalk : ExtremeVectors<M> {
  using Base = ExtremeVectors<M>;
  using Base::At;
  using Base::Better;
  using Base::kSize;
  using Base::kWidth;
  using Base::PastLine;
  using Base::Take;
  using typename Base::V;

 public:
  // Elements of a row that are taken in one turn.
  static constexpr int64_t kTurn = 4 * kWidth;

  // Some rows, which lie one after the other: the best of each and the sum of
  // all, by lanes. Rows of eight lines of memory or more are walked by lines
  // with AVX-512, each of whose vectors may lie in two otherwise, and on CPUs
  // that prefetch in order. Of AVX2's every other one does: short rows lose by
  // it, long ones gain. In cache, the largest, GB/s as they lie, then by this:
  //   rows of 150 int32, Zen 4, AVX-512       87   98
  //   rows of 250 float32, Zen 4, AVX-512     81   90
  //   rows of 500 float64, Zen 4, AVX-512     89  102
  //   rows of 1,001 int32, Intel, AVX-512     88  115
  //   rows of 613 float64, Intel, AVX-512     82  108
  //   rows of 56 int32, AVX2                  70   48
  //   rows of 3,345 float32, AVX2             78   84
  // REQUIRES: n >= kWidth.
  template <int64_t kCount>
  static HWY_INLINE void Fold(const std::byte* HWY_RESTRICT x, int64_t n,
                              ReadAhead& ahead, V (&best)[kCount], V& sum) {
    const bool are_in_lines =
        n * kSize >=
        (kHasAvx512 || kPrefetchesInOrder ? 8 * kLineBytes : kPageBytes);
    if (ReadsQuarters(n * kSize)) {
      FoldEach<Walk::kByQuarters>(x, n, /*are_in_lines=*/false, ahead, best,
                                  sum);
    } else if (ahead.loop_prefetches()) {
      FoldEach<Walk::kPrefetching>(x, n, are_in_lines && ahead.in_order(),
                                   ahead, best, sum);
    } else {
      FoldEach<Walk::kPlain>(x, n, are_in_lines, ahead, best, sum);
    }
  }

 private:
  // Of a row, by lanes.
  struct Found {
    V best;
    V sum;
  };

  // How one is walked: in order, while memory is prefetched or is not; or a
  // vector of each quarter at a time.
  enum class Walk { kPlain, kPrefetching, kByQuarters };

  // If is_in_lines, turns after the first begin with lines of memory, as the
  // CPU loads half as many vectors that lie in two.
  template <Walk kWalk>
  static HWY_INLINE Found FoldRow(const std::byte* HWY_RESTRICT x, int64_t n,
                                  bool is_in_lines, ReadAhead& ahead) {
    const auto at = [x](int64_t i) { return At(x, i); };
    V best0 = at(0);
    V sum0 = best0;
    // The last elements once more, with some of those before them.
    const auto take_last = [&](int64_t i) {
      for (; i < n; i += kWidth) Take(at(std::min(i, n - kWidth)), best0, sum0);
    };
    constexpr bool kPrefetches = kWalk == Walk::kPrefetching;
    if constexpr (kPrefetches) {
      ahead.PrefetchStreamsUpTo(x + std::min(n, kTurn) * kSize);
    }
    if (n < kTurn) {
      take_last(kWidth);
      return {best0, sum0};
    }
    const int64_t whole = n / kTurn * kTurn;
    // The loop prefetches from the second turn on, and short rows have only
    // this one (the largest of rows of 64 and 100 float32 from memory, Intel:
    // 12 GB/s unprefetched, 14 so).
    if constexpr (kPrefetches) {
      ahead.PrefetchInOrder<Cache::kL1>(x, kTurn * kSize);
    }
    constexpr bool kIsByQuarters = kWalk == Walk::kByQuarters;
    const int64_t apart = kIsByQuarters ? whole / 4 : kWidth;
    V best1 = at(apart);
    V best2 = at(2 * apart);
    V best3 = at(3 * apart);
    V sum1 = best1;
    V sum2 = best2;
    V sum3 = best3;
    // How far on the next turn is: each quarter goes on by a vector.
    constexpr int64_t kNext = kIsByQuarters ? kWidth : kTurn;
    // Some elements twice, which changes neither the best of all nor whether
    // there is a NaN.
    int64_t i = kNext - (is_in_lines ? PastLine(x) : 0);
    const int64_t end = kIsByQuarters ? apart : n - kTurn + 1;
    for (; i < end; i += kNext) {
      const std::byte* HWY_RESTRICT turn = x + i * kSize;
      if constexpr (kPrefetches) {
        ahead.PrefetchStreamsUpTo(turn + kTurn * kSize);
      }
      Take(at(i), best0, sum0);
      AfterPart<kPrefetches, 0>(turn, ahead);
      Take(at(i + apart), best1, sum1);
      AfterPart<kPrefetches, 1>(turn, ahead);
      Take(at(i + 2 * apart), best2, sum2);
      AfterPart<kPrefetches, 2>(turn, ahead);
      Take(at(i + 3 * apart), best3, sum3);
      AfterPart<kPrefetches, 3>(turn, ahead);
    }
    take_last(kIsByQuarters ? whole : i);
    return {Better(Better(best0, best1), Better(best2, best3)),
            hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3))};
  }

  // As part kNumber of a turn, a vector wide, is folded.
  template <bool kPrefetches, int64_t kNumber>
  static HWY_INLINE void AfterPart(const std::byte* HWY_RESTRICT turn,
                                   const ReadAhead& ahead) {
    if constexpr (kPrefetches) {
      ahead.PrefetchPartInOrder<Cache::kL1, kNumber, kWidth * kSize>(turn);
    }
  }

  template <Walk kWalk, int64_t kCount>
  static HWY_INLINE void FoldEach(const std::byte* HWY_RESTRICT x, int64_t n,
                                  bool are_in_lines, ReadAhead& ahead,
                                  V (&best)[kCount], V& sum) {
#pragma GCC unroll 1
    for (int64_t r = 0; r < kCount; ++r) {
      const Found row =
          FoldRow<kWalk>(x + r * n * kSize, n, are_in_lines, ahead);
      best[r] = row.best;
      sum = hn::Add(sum, row.sum);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_EXTREME_WALK_INL_H_
