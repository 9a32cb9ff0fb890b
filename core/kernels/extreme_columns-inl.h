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

 public:
  // As many columns as have their extremes and sums in registers, with any
  // instruction set (the largest of two rows of 65,536 float32, in cache,
  // AVX-512: 10.4 us by one vector of columns, 4.6 by four).
  static constexpr int64_t kColumns = 4 * hn::MaxLanes(hn::ScalableTag<T>());

  // Writes the largest or the smallest of each of kColumns columns to `to`, and
  // says whether they are right: else keys must find them. What it meets
  // decides how all later ones are looked at, as they are often alike: once a
  // result was a zero of unknown sign they are compared in both orders; once
  // there was a NaN, or infinities of both signs, they are left to keys.
  HWY_INLINE bool ReduceColumns(const std::byte* HWY_RESTRICT x, int64_t rows,
                                int64_t stride, T* HWY_RESTRICT to) {
    if (met_ == Met::kNumbers) met_ = Compare<false>(x, rows, stride, to);
    if constexpr (!kKnowsZeros) {
      if (met_ == Met::kZeros) met_ = Compare<true>(x, rows, stride, to);
    }
    return met_ != Met::kNans;
  }

  // Columns whose rows are a line of memory each, or two or four: of so many
  // rows, several of which are taken as one of kColumns, that it takes less
  // time than keys do. From memory keys take less where a register or two hold
  // the columns. The largest, Zen 4, GB/s by keys and so, in cache and from
  // memory:
  //   8 columns of float64     65   93
  //   16 columns of float32    86   95   25  23
  //   16 columns of float64              23  21
  //   32 columns of float32    98  104   21  23
  //   32 columns of float64    94  106
  static constexpr int64_t kLineColumns = kLineBytes / kSize;
  static_assert(kColumns % kLineColumns == 0);
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
      if (!ReduceColumns(part, count * cols / kColumns, kColumns, best)) {
        by_keys(part, rows - r, states, into);
        return false;
      }
      if (cols == kLineColumns) {
        PutLines<1>(part, count, best, states, into);
      } else if (cols == 2 * kLineColumns) {
        PutLines<2>(part, count, best, states, into);
      } else {
        PutLines<4>(part, count, best, states, into);
      }
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

  // Makes the states of columns whose rows are kLines lines: of the best of
  // those rows that are taken as one, and of the rows that are left over.
  template <int64_t kLines>
  static HWY_INLINE void PutLines(const std::byte* HWY_RESTRICT x, int64_t rows,
                                  const T* HWY_RESTRICT best,
                                  typename M::State* HWY_RESTRICT states,
                                  Into into) {
    if constexpr (kLines * kLineColumns <= kColumns) {
      constexpr int64_t kCols = kLines * kLineColumns;
      constexpr int64_t kSideBySide = kColumns / kCols;
      PutStates<M>(states, kCols, into,
                   [best](int64_t c) { return M::Map(best[c]); });
      for (int64_t r = 1; r < kSideBySide; ++r) {
        JoinRow<kCols>(reinterpret_cast<const std::byte*>(best), r, states);
      }
      for (int64_t r = rows - rows % kSideBySide; r < rows; ++r) {
        JoinRow<kCols>(x, r, states);
      }
    }
  }

  // Row r of kCols columns joins their states.
  template <int64_t kCols>
  static HWY_INLINE void JoinRow(const std::byte* HWY_RESTRICT x, int64_t r,
                                 typename M::State* HWY_RESTRICT states) {
    for (int64_t c = 0; c < kCols; ++c) {
      states[c] = M::Combine(states[c], MapAt<M>(x, r * kCols + c));
    }
  }

  enum class Met { kNumbers, kZeros, kNans };

  // Writes the extremes of kColumns columns, right of zeros if kMindsZeros; and
  // says what it met: kZeros where a result is a zero whose sign may be wrong,
  // and always if kMindsZeros, so that later ones are compared so too.
  template <bool kMindsZeros>
  static HWY_INLINE Met Compare(const std::byte* HWY_RESTRICT x, int64_t rows,
                                int64_t stride, T* HWY_RESTRICT to) {
    const D d;
    constexpr int64_t kVectors = kColumns / kWidth;
    V best[kVectors];
    V sum[kVectors];
    for (int64_t v = 0; v < kVectors; ++v) {
      sum[v] = best[v] = At(x, v * kWidth);
    }
    for (int64_t r = 1; r < rows; ++r) {
      for (int64_t v = 0; v < kVectors; ++v) {
        const V value = At(x, r * stride + v * kWidth);
        best[v] = kMindsZeros ? BetterOfZeros(value, best[v])
                              : Better(value, best[v]);
        sum[v] = hn::Add(sum[v], value);
      }
    }
    V all = hn::Zero(d);
    constexpr bool kLooksForZeros = !kKnowsZeros && !kMindsZeros;
    bool has_zeros = kMindsZeros;
    for (int64_t v = 0; v < kVectors; ++v) {
      all = hn::Add(all, sum[v]);
      if constexpr (kLooksForZeros) {
        has_zeros |= !hn::AllFalse(d, hn::Eq(best[v], hn::Zero(d)));
      }
      hn::StoreU(best[v], d, to + v * kWidth);
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
