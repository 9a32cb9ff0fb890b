// The largest or the smallest of some columns of floats by the CPU's own
// comparison (extreme_vectors-inl.h). Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_EXTREME_COLUMNS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_EXTREME_COLUMNS_INL_H_
#undef REDUCTOR_CORE_KERNELS_EXTREME_COLUMNS_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_EXTREME_COLUMNS_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/cpu.h"
#include "core/kernels.h"
#include "core/kernels/combine_vectors-inl.h"
#include "core/kernels/elements-inl.h"
#include "core/kernels/extreme_vectors-inl.h"
#include "core/kernels/isa-inl.h"
#include "core/kernels/prefetch-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <Monoid M>
class ExtremeColumns : ExtremeVectors<M> {
  using Base = ExtremeVectors<M>;
  using Base::At;
  using Base::Better;
  using Base::kIsMax;
  using Base::kKnowsZeros;
  using Base::kSize;
  using Base::kWidth;
  using typename Base::D;
  using typename Base::T;
  using typename Base::V;

  // Vectors that are compared side by side: each comparison waits four cycles
  // for the one before it.
  static constexpr int64_t kChains = 4;

 public:
  // As many columns as have their extremes and sums in registers, with any
  // instruction set (the largest of two rows of 65,536 float32, in cache,
  // AVX-512: 10.4 us by one vector of columns, 4.6 by four).
  static constexpr int64_t kColumns = kChains * kWidth;

  static constexpr int64_t kLineColumns = kLineBytes / kSize;
  static_assert(kColumns % kLineColumns == 0);

  // Calls f with how many vectors hold a row of so many columns, from
  // kLineColumns to kColumns, as a constant: one, two or all.
  template <class F>
  static HWY_INLINE auto WithVectorsOf(int64_t cols, const F& f) {
    if constexpr (kLineColumns <= kWidth) {
      if (cols <= kWidth) return f(std::integral_constant<int64_t, 1>());
    }
    if constexpr (kLineColumns <= 2 * kWidth) {
      if (cols <= 2 * kWidth) return f(std::integral_constant<int64_t, 2>());
    }
    return f(std::integral_constant<int64_t, kChains>());
  }

  // Whether fewer columns than kColumns take less time so than by keys: those
  // that fill a vector or two, of many rows, and those that need more. Not from
  // memory, nor by AVX-512 from a shared cache, as these have to be prefetched;
  // by AVX2 keys take longer than that costs there.
  // Intel, GB/s by keys and so, in a core's own cache but for the last one:
  //   the smallest of 120 x 16 float32, AVX-512    57  109
  //   the smallest of 60 x 8 float64, AVX-512      65   99
  //   the largest of 60 x 56 float32, AVX-512      50   75
  //   the largest of 60 x 15 float64, AVX2         24   59
  //   the smallest of 60 x 56 float32, AVX2        42   54
  //   8 MiB of 7 x 47 float32, AVX-512             22   21
  static bool AreFewFaster(int64_t rows, int64_t cols, Source source) {
    if (source == Source::kMemory) return false;
    if (kHasAvx512 && source == Source::kSharedCache) return false;
    if (cols > 2 * kWidth) return rows >= kChains;
    constexpr int64_t kManyRows = 16;
    return cols % kWidth == 0 && rows >= kManyRows;
  }

  // The fewest columns left over behind kColumns or more that are compared,
  // too, together with some of those; fewer are left to keys. By AVX-512 more
  // than half as many, as to find the keys of a vector or two takes no longer.
  // In cache, Intel, GB/s by keys, then by this:
  //   20 x 80 float32, AVX-512     98   78
  //   20 x 112 float32, AVX-512    85   99
  //   20 x 80 float32, AVX2        62   66
  //   9 x 50 float64, AVX2         47   52
  static constexpr int64_t kFewestLast = kHasAvx512 ? kColumns / 2 + 1 : 1;

  // Writes the largest or the smallest of each of `cols` columns to `to`, and
  // says whether they are right: else keys must find them. What it meets
  // decides how all later ones are looked at, as they are often alike: once a
  // result was a zero of unknown sign they are compared in both orders; once
  // there was a NaN, or infinities of both signs, they are left to keys. Calls
  // prefetch_row(r) before row r.
  // REQUIRES: kVectors hold a row (WithVectorsOf()), cols >= kWidth and rows >=
  // kChains, or cols is kColumns.
  template <int64_t kVectors, class PrefetchRow = PrefetchNothing>
  HWY_INLINE bool ReduceColumns(const std::byte* HWY_RESTRICT x, int64_t rows,
                                int64_t stride, int64_t cols,
                                T* HWY_RESTRICT to,
                                const PrefetchRow& prefetch_row = {}) {
    if (met_ == Met::kNumbers) {
      met_ = Compare<false, kVectors>(x, rows, stride, cols, to, prefetch_row);
    }
    if constexpr (!kKnowsZeros) {
      if (met_ == Met::kZeros) {
        met_ = Compare<true, kVectors>(x, rows, stride, cols, to, prefetch_row);
      }
    }
    return met_ != Met::kNans;
  }
  // The same of kColumns.
  template <class PrefetchRow = PrefetchNothing>
  HWY_INLINE bool ReduceColumns(const std::byte* HWY_RESTRICT x, int64_t rows,
                                int64_t stride, T* HWY_RESTRICT to,
                                const PrefetchRow& prefetch_row = {}) {
    return ReduceColumns<kChains>(x, rows, stride, kColumns, to, prefetch_row);
  }

 private:
  enum class Met { kNumbers, kZeros, kNans };

  // Writes the extremes of columns that kVectors vectors hold, the last of
  // which may begin within the one before; right of zeros if kMindsZeros. And
  // says what it met: kZeros where a result is a zero whose sign may be wrong,
  // and always if kMindsZeros, so that later ones are compared so too.
  template <bool kMindsZeros, int64_t kVectors, class PrefetchRow>
  static HWY_INLINE Met Compare(const std::byte* HWY_RESTRICT x, int64_t rows,
                                int64_t stride, int64_t cols,
                                T* HWY_RESTRICT to,
                                const PrefetchRow& prefetch_row) {
    const D d;
    // Rows of few vectors go side by side.
    constexpr int64_t kSideBySide = kChains / kVectors;
    V best[kChains];
    V sum[kChains];
    const auto value_of = [&](int64_t r, int64_t v) {
      if (v == 0) prefetch_row(r);
      return At(x, r * stride + std::min(v * kWidth, cols - kWidth));
    };
    const auto take = [&](int64_t i, V value) {
      best[i] =
          kMindsZeros ? BetterOfZeros(value, best[i]) : Better(value, best[i]);
    };
    for (int64_t i = 0; i < kChains; ++i) {
      sum[i] = best[i] = value_of(i / kVectors, i % kVectors);
    }
    int64_t r = kSideBySide;
    for (; r + kSideBySide <= rows; r += kSideBySide) {
      for (int64_t i = 0; i < kChains; ++i) {
        const V value = value_of(r + i / kVectors, i % kVectors);
        take(i, value);
        sum[i] = hn::Add(sum[i], value);
      }
    }
    for (; r < rows; ++r) {
      for (int64_t v = 0; v < kVectors; ++v) {
        const V value = value_of(r, v);
        take(v, value);
        sum[v] = hn::Add(sum[v], value);
      }
    }
    V all = hn::Zero(d);
    for (const V each : sum) all = hn::Add(all, each);
    for (int64_t i = kVectors; i < kChains; ++i) take(i % kVectors, best[i]);
    constexpr bool kLooksForZeros = !kKnowsZeros && !kMindsZeros;
    bool has_zeros = kMindsZeros;
    for (int64_t v = 0; v < kVectors; ++v) {
      if constexpr (kLooksForZeros) {
        has_zeros |= !hn::AllFalse(d, hn::Eq(best[v], hn::Zero(d)));
      }
      hn::StoreU(best[v], d, to + std::min(v * kWidth, cols - kWidth));
      // g++ would store the last vector first. In the order of addresses the
      // CPU writes two that share a line at once (the largest of 2 x 2,281
      // float64, Intel, AVX-512: 34 GB/s in g++'s order, 50 so).
      asm volatile("" ::: "memory");
    }
    if (!HasNoNan(all)) return Met::kNans;
    return has_zeros ? Met::kZeros : Met::kNumbers;
  }

  // The same, of 0 and -0 too: the CPU takes whichever comes second, so that
  // both orders together have both signs. And() clears the sign, for the
  // larger; Or() sets it, for the smaller. Of others both orders give the same
  // bits.
  static HWY_INLINE V BetterOfZeros(V a, V b) {
    const V one = CombineVectors<M>(a, b);
    const V other = CombineVectors<M>(b, a);
    return kIsMax ? hn::And(one, other) : hn::Or(one, other);
  }

  Met met_ = Met::kNumbers;
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_EXTREME_COLUMNS_INL_H_
