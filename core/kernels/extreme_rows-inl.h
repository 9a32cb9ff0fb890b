// The largest or the smallest of rows by the CPU's own comparison: of floats,
// where extreme_vectors-inl.h says what it does not know, and of integers of 32
// bits. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_EXTREME_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_EXTREME_ROWS_INL_H_
#undef REDUCTOR_CORE_KERNELS_EXTREME_ROWS_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_EXTREME_ROWS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/cpu.h"
#include "core/kernels/combine_vectors-inl.h"
#include "core/kernels/extreme_vectors-inl.h"
#include "core/kernels/extreme_walk-inl.h"
#include "core/kernels/isa-inl.h"
#include "core/kernels/join_rows-inl.h"
#include "core/kernels/monoid_traits.h"
#include "core/kernels/quarters-inl.h"
#include "core/kernels/read_ahead-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <Monoid M>
inline constexpr bool kHasExtremeRows =
    kHasFloatExtremes<M> ||
    (IsExtreme<M>() && std::is_integral_v<typename M::Input> &&
     sizeof(typename M::Input) == 4);

template <Monoid M>
class ExtremeRows : ExtremeVectors<M> {
  using Base = ExtremeVectors<M>;
  using Base::At;
  using Base::Better;
  using Base::kKnowsZeros;
  using Base::kSize;
  using Base::kWidth;
  using Base::Take;
  using typename Base::D;
  using typename Base::T;
  using typename Base::V;

 public:
  // From here on it takes less time than keys do, many rows at a time; up to 8
  // elements rows are joined at once, which takes less. By AVX-512 from two
  // vectors on, where it takes half as many operations as keys; rows between
  // were not measured. The largest, in cache, GB/s by keys, of int32 by lanes,
  // then by this:
  //   rows of 8 float32, Zen 3, AVX2      9.8   6.0
  //   rows of 12 float32, Zen 3, AVX2      13    14
  //   rows of 17 float32, Zen 3, AVX2     7.2    12
  //   rows of 13 float64, SSE4              6    14
  //   rows of 99 int32, AVX2               22    42
  static constexpr int64_t kFewest = kHasAvx512 ? 2 * kWidth : 9;

  // states[r] = that of row r, up to the first rows where keys must find it;
  // says how many that are.
  // REQUIRES: n >= kFewest.
  static HWY_NOINLINE int64_t FoldRows(const std::byte* HWY_RESTRICT x,
                                       int64_t rows, int64_t n,
                                       ReadAhead& ahead,
                                       typename M::State* HWY_RESTRICT states) {
    int64_t r = 0;
    for (; r + kRows <= rows; r += kRows) {
      T found[kRows];
      if (!FindInRows(x + r * n * kSize, n, ahead, found)) return r;
      for (int64_t i = 0; i < kRows; ++i) states[r + i] = M::Map(found[i]);
    }
    for (; r < rows; ++r) {
      T found;
      if (!FindInRow(x + r * n * kSize, n, ahead, found)) return r;
      states[r] = M::Map(found);
    }
    return rows;
  }

 private:
  // As many rows as fill a block of 128 bits are joined to that by shuffles and
  // looked at together (the largest of rows of 32 and 80 float32, in cache,
  // Zen 3: 18 and 32 GB/s row by row, 31 and 40 so).
  static constexpr int64_t kRows = 16 / kSize;

  static constexpr bool kIsInteger = std::is_integral_v<T>;

  // kRows rows in step.
  static HWY_INLINE void FoldInStep(const std::byte* HWY_RESTRICT x, int64_t n,
                                    V (&best)[kRows], V& sum) {
    V sums[kRows];
    const auto take = [&](int64_t i) {
#pragma GCC unroll 4
      for (int64_t r = 0; r < kRows; ++r) {
        Take(At(x, r * n + i), best[r], sums[r]);
      }
    };
#pragma GCC unroll 4
    for (int64_t r = 0; r < kRows; ++r) sums[r] = best[r] = At(x, r * n);
    int64_t i = kWidth;
    for (; i + kWidth <= n; i += kWidth) take(i);
    if (i < n) take(n - kWidth);
#pragma GCC unroll 4
    for (int64_t r = 0; r < kRows; ++r) sum = hn::Add(sum, sums[r]);
  }

  // Makes `to` the largest or the smallest of a row, and says whether it is
  // right.
  static HWY_INLINE bool FindInRow(const std::byte* HWY_RESTRICT x, int64_t n,
                                   ReadAhead& ahead, T& to) {
    const D d;
    V best[1];
    V sum = hn::Zero(d);
    ExtremeWalk<M>::Fold(x, n, ahead, best, sum);
    to = hn::GetLane(
        JoinHalves<1>(d, best[0], [](auto a, auto b) { return Better(a, b); }));
    return kIsInteger || (HasNoNan(sum) && (kKnowsZeros || to != 0));
  }

  // Whether kRows rows are walked in step, a vector of each in turn: the CPU
  // sees more of short ones at a time. Of 64 bits there are only two, which are
  // not. On Zen 3, which reads four rows faster than one, those of up to 512
  // bytes, and of nearly a page or more where they are not streams already:
  // between, several share a page and lose. Elsewhere rows shorter than a turn,
  // of which nothing is prefetched. The largest of float32, GB/s one by one,
  // then by this:
  //   rows of 9, in cache, Zen 3        8  18
  //   rows of 33, in cache, Zen 3      24  36
  //   rows of 2,000, 8 MiB, Zen 3      35  43
  //   rows of 800, from memory, Zen 3  18  14
  //   rows of 33, in cache, Zen 4      20  47
  //   rows of 63, in cache, Zen 4      49  68
  //   rows of 100, in cache, Zen 4     48  57
  //   rows of 100, from memory, Zen 4  25  17
  static HWY_INLINE bool AreInStep(int64_t n, const ReadAhead& ahead) {
    constexpr int64_t kMostShortBytes = 512;
    if (kRows != 4) return false;
    if (!ReadsSeveral()) return n < ExtremeWalk<M>::kTurn;
    const int64_t bytes = n * kSize;
    const bool are_long = bytes >= kPageBytes * 3 / 4 && !ReadsQuarters(bytes);
    return bytes <= kMostShortBytes || (are_long && !ahead.as_streams());
  }

  // The same of each of kRows rows, and whether all are.
  static HWY_INLINE bool FindInRows(const std::byte* HWY_RESTRICT x, int64_t n,
                                    ReadAhead& ahead, T* HWY_RESTRICT to) {
    V best[kRows];
    V sum = hn::Zero(D());
    if (AreInStep(n, ahead)) {
      ahead.PrefetchStreamsUpTo(x + kRows * n * kSize);
      FoldInStep(x, n, best, sum);
    } else {
      ExtremeWalk<M>::Fold(x, n, ahead, best, sum);
    }
    const hn::Full128<T> block;
    const auto found =
        JoinRows(D(), best, [](auto a, auto b) { return Better(a, b); });
    hn::StoreU(found, block, to);
    return kIsInteger ||
           (HasNoNan(sum) &&
            (kKnowsZeros ||
             hn::AllFalse(block, hn::Eq(found, hn::Zero(block)))));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_EXTREME_ROWS_INL_H_
