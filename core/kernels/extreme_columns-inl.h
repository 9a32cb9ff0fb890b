// The largest or the smallest of columns of floats by the CPU's own comparison
// (extreme_vectors-inl.h). Compiled once per instruction set.
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
#include "core/kernels/partial_of-inl.h"
#include "core/order.h"
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
  // where they have to be prefetched, unless keys take so long as by AVX2.
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

  // The fewest columns behind others of which it is so, with some of those
  // others: by AVX-512 to find the keys of a vector or two takes no longer. In
  // cache, Intel, GB/s by keys and so:
  //   20 x 80 float32, AVX-512     98   78
  //   20 x 112 float32, AVX-512    85   99
  //   20 x 80 float32, AVX2        62   66
  //   9 x 50 float64, AVX2         47   52
  static constexpr int64_t kFewestLast = kHasAvx512 ? kColumns / 2 + 1 : 1;

  // Writes the largest or the smallest of each of `cols` columns to `to`, and
  // says whether they are right: else keys must find them. What it meets
  // decides how all later ones are looked at, as they are often alike: once a
  // result was a zero of unknown sign they are compared in both orders; once
  // there was a NaN, or infinities of both signs, they are left to keys.
  // REQUIRES: kVectors hold a row (WithVectorsOf()), cols >= kWidth and rows >=
  // kChains, or cols is kColumns.
  template <int64_t kVectors>
  HWY_INLINE bool ReduceColumns(const std::byte* HWY_RESTRICT x, int64_t rows,
                                int64_t stride, int64_t cols,
                                T* HWY_RESTRICT to) {
    if (met_ == Met::kNumbers) {
      met_ = Compare<false, kVectors>(x, rows, stride, cols, to);
    }
    if constexpr (!kKnowsZeros) {
      if (met_ == Met::kZeros) {
        met_ = Compare<true, kVectors>(x, rows, stride, cols, to);
      }
    }
    return met_ != Met::kNans;
  }
  // The same of kColumns.
  HWY_INLINE bool ReduceColumns(const std::byte* HWY_RESTRICT x, int64_t rows,
                                int64_t stride, T* HWY_RESTRICT to) {
    return ReduceColumns<kChains>(x, rows, stride, kColumns, to);
  }

  // Columns whose rows are a line of memory each, or two or four: of so many
  // rows that it takes less time than keys do. From memory keys take less where
  // a register or two hold the columns. The largest, Zen 4, by keys and with
  // several rows as one, GB/s in cache and from memory:
  //   8 columns of float64     65   93
  //   16 columns of float32    86   95   25  23
  //   16 columns of float64              23  21
  //   32 columns of float32    98  104   21  23
  //   32 columns of float64    94  106
  static bool AreLinesFaster(int64_t rows, int64_t cols, Source source) {
    constexpr int64_t kFewestLines = 64;
    constexpr int64_t kMostByKeys = 16;
    return cols >= kLineColumns && kColumns % cols == 0 &&
           rows * cols >= kFewestLines * kLineColumns &&
           (source != Source::kMemory || cols > kMostByKeys);
  }

  // states[c] = column c of such a slab, or if kHeld Combine(states[c], that);
  // by_keys(x, rows, states, into) does so from the first part on where keys
  // must. Says whether comparisons sufficed: else those of later slabs hardly
  // will. REQUIRES: AreLinesFaster().
  template <class ByKeys>
  HWY_NOINLINE bool FoldLines(const std::byte* HWY_RESTRICT x, int64_t rows,
                              int64_t cols,
                              typename M::State* HWY_RESTRICT states, Into into,
                              const ByKeys& by_keys) {
    // By parts, of which the one that has a NaN is folded once more (the
    // largest of 16 columns of float32, one of 100,000 being one, in cache, Zen
    // 4: 49 GB/s by four times as many rows, 66 so).
    const int64_t most = 4 * kBlockBytes / (cols * kSize);
    int64_t r = 0;
    for (int64_t parts = (rows + most - 1) / most; parts > 0;
         --parts, into = Into::kHeld) {
      // All alike: a last one may have too few rows.
      const int64_t count = (rows - r) / parts;
      const std::byte* const part = x + r * cols * kSize;
      T best[kColumns];
      const bool suffices = WithVectorsOf(cols, [&](auto vectors) {
        return ReduceColumns<vectors()>(part, count, cols, cols, best);
      });
      if (!suffices) {
        by_keys(part, rows - r, states, into);
        return false;
      }
      PutStates<M>(states, cols, into,
                   [&best](int64_t c) { return M::Map(best[c]); });
      r += count;
    }
    return true;
  }

  // Whether it takes less time than keys do: by AVX-512, not AMD's, of so many
  // rows, as a pass over them makes one key a column, which joins the state.
  // Elsewhere keys take as long, and to walk fewer rows at a time costs less.
  // Of float32, in cache, GB/s by keys and so:
  //   the smallest of slabs of 64 x 256, Intel        81  107
  //   the smallest of 16 columns, Intel               84  108
  //   the largest of 1,024 columns, AMD, AVX2         45   30
  //   the largest of 1,024 columns, AMD, AVX-512      97   88
  static bool AreColumnsFaster(int64_t rows, int64_t cols) {
    return kHasAvx512 && !kIsAmd && rows >= 8 && cols >= kColumns;
  }

  // states[c] = column c of the rows, or if kHeld Combine(states[c], that);
  // by_keys(x, rows, stride, cols, states, into) does so where keys must.
  // REQUIRES: cols >= kColumns.
  template <class ByKeys>
  static HWY_NOINLINE void FoldColumns(const std::byte* HWY_RESTRICT x,
                                       int64_t rows, int64_t stride,
                                       int64_t cols,
                                       typename M::State* HWY_RESTRICT states,
                                       Into into, const ByKeys& by_keys) {
    ExtremeColumns columns;
    int64_t r = 0;
    for (int64_t passes = (rows + kMostRows - 1) / kMostRows; passes > 0;
         --passes, into = Into::kHeld) {
      // All passes alike: a last one of few rows would cost as much.
      const int64_t count = (rows - r) / passes;
      const std::byte* const some = x + r * stride * kSize;
      for (int64_t c = 0; c < cols; c += kColumns) {
        // The last columns once more, with some of those before them.
        const int64_t first = std::min(c, cols - kColumns);
        const std::byte* const at = some + first * kSize;
        T best[kColumns];
        if (columns.ReduceColumns(at, count, stride, best)) {
          PutStates<M>(states + first, kColumns, into,
                       [&best](int64_t l) { return M::Map(best[l]); });
        } else {
          by_keys(at, count, stride, kColumns, states + first, into);
        }
      }
      r += count;
    }
  }

 private:
  // Rows of a pass over the states: each is a stream that the CPU follows.
  static constexpr int64_t kMostRows = 16;

  enum class Met { kNumbers, kZeros, kNans };

  // Writes the extremes of columns that kVectors vectors hold, the last of
  // which may begin within the one before; right of zeros if kMindsZeros. And
  // says what it met: kZeros where a result is a zero whose sign may be wrong,
  // and always if kMindsZeros, so that later ones are compared so too.
  template <bool kMindsZeros, int64_t kVectors>
  static HWY_INLINE Met Compare(const std::byte* HWY_RESTRICT x, int64_t rows,
                                int64_t stride, int64_t cols,
                                T* HWY_RESTRICT to) {
    const D d;
    // Rows of few vectors go side by side.
    constexpr int64_t kSideBySide = kChains / kVectors;
    V best[kChains];
    V sum[kChains];
    const auto value_of = [=](int64_t r, int64_t v) {
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

  // The same, of 0 and -0 too, of which the CPU takes whichever comes second.
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
