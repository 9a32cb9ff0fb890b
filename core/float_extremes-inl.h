// The largest or the smallest floats by the CPU's own comparison. It knows
// neither NaNs nor the sign of a zero: so the elements are added up too, which
// a NaN does not survive, and where there may be one the caller compares keys
// instead (ordered.h). So it does where the result of a row is a zero; columns
// compare zeros in both orders. Two operations an element of a row in place of
// four (the largest of float32 rows of 128 and 2,048, in cache, AVX-512: 122
// and 198 GB/s by keys, 186 and 231 so). Compiled once per instruction set.
#if defined(REDUCTOR_CORE_FLOAT_EXTREMES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_FLOAT_EXTREMES_INL_H_
#undef REDUCTOR_CORE_FLOAT_EXTREMES_INL_H_
#else
#define REDUCTOR_CORE_FLOAT_EXTREMES_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/cpu.h"
#include "core/kernels.h"
#include "core/narrow_of-inl.h"
#include "core/prefetch-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <Monoid M>
inline constexpr bool kHasFloatExtremes =
    std::is_floating_point_v<typename M::Input> &&
    (std::is_same_v<M, ReduceMax<typename M::Input>> ||
     std::is_same_v<M, ReduceMin<typename M::Input>>);

template <Monoid M>
class FloatExtremes {
  using T = typename M::Input;
  static constexpr bool kIsMax = std::is_same_v<M, ReduceMax<T>>;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr int64_t kSize = sizeof(T);
  static constexpr int64_t kWidth = hn::MaxLanes(D());

 public:
  // From here on it takes less time than keys do, many rows at a time (the
  // largest of rows of 8, 12 and 24 float32 and of 8 float64, in cache, Zen 3:
  // 6, 7, 19 and 18 GB/s by keys, 13, 20, 36 and 24 so). By AVX-512, where it
  // was measured row by row only, at two vectors it takes half as many
  // operations.
  static constexpr int64_t kFewest =
      HWY_TARGET <= HWY_AVX3 ? 2 * kWidth
                             : std::max<int64_t>(kWidth, 32 / kSize);

  // states[r] = that of row r, which by_keys(x) finds where keys must: as they
  // must where it is a zero. REQUIRES: n >= kFewest.
  template <class ByKeys>
  static HWY_INLINE void FoldRows(const std::byte* HWY_RESTRICT x, int64_t rows,
                                  int64_t n,
                                  typename M::State* HWY_RESTRICT states,
                                  const ByKeys& by_keys) {
    const int64_t row_bytes = n * kSize;
    int64_t r = 0;
    for (; r + kRows <= rows; r += kRows, x += kRows * row_bytes) {
      T found[kRows];
      const bool are_right = FindInRows(x, n, found);
      for (int64_t i = 0; i < kRows; ++i) {
        states[r + i] =
            are_right ? M::Map(found[i]) : by_keys(x + i * row_bytes);
      }
    }
    for (; r < rows; ++r, x += row_bytes) {
      T found;
      states[r] = FindInRow(x, n, found) ? M::Map(found) : by_keys(x);
    }
  }

  // As many columns as have their extremes and sums in registers, with any
  // instruction set (the largest of two rows of 65,536 float32, in cache,
  // AVX-512: 10.4 us by one vector of columns, 4.6 by four).
  static constexpr int64_t kColumns = 4 * hn::MaxLanes(hn::ScalableTag<T>());

  // Writes the largest or the smallest of each of kColumns columns to `to`, and
  // says whether they are right: else keys must find them. What it meets
  // decides how all later ones are looked at, as they are often alike: after a
  // zero as a result in both orders, after a NaN, or infinities of both signs,
  // by keys.
  HWY_INLINE bool ReduceColumns(const std::byte* HWY_RESTRICT x, int64_t rows,
                                int64_t stride, T* HWY_RESTRICT to) {
    if (met_ == Met::kNumbers) met_ = Compare<false>(x, rows, stride, to);
    if (met_ == Met::kNumbers) return true;
    if (met_ == Met::kZeros) met_ = Compare<true>(x, rows, stride, to);
    return met_ == Met::kZeros;
  }

  // Whether it takes less time than keys do: by AVX-512, not AMD's, of so many
  // rows, as a pass over them makes one key a column, which joins the state
  // (the smallest of slabs of 64 x 256 and of 16 columns of float32, in cache,
  // Intel: 81 and 84 GB/s by keys, 107 and 108 so). Elsewhere keys take as
  // long, and to walk fewer rows at a time costs less (the largest of 1,024
  // columns of float32, in cache and from memory, AMD: by AVX2 30 and 8 GB/s by
  // comparisons, 45 and 9 by keys; by AVX-512 88 and 23, 97 and 29).
  static bool FoldsColumns(int64_t rows, int64_t cols) {
    return HWY_TARGET <= HWY_AVX3 && kCpuKind == CpuKind::kOther && rows >= 8 &&
           cols >= kColumns;
  }

  // states[c] = Combine(states[c], x[r * stride + c]) for every row;
  // by_keys(x, rows, stride, cols, states, into) does so where keys must.
  // REQUIRES: cols >= kColumns.
  template <class ByKeys>
  static HWY_NOINLINE void FoldColumns(const std::byte* HWY_RESTRICT x,
                                       int64_t rows, int64_t stride,
                                       int64_t cols,
                                       typename M::State* HWY_RESTRICT states,
                                       Into into, const ByKeys& by_keys) {
    FloatExtremes extremes;
    for (int64_t passes = (rows + kMostRows - 1) / kMostRows; passes > 0;
         --passes, into = Into::kHeld) {
      // All passes alike: a last one of few rows would cost as much.
      const int64_t count = rows / passes;
      for (int64_t c = 0; c < cols; c += kColumns) {
        // The last columns once more, with some of those before them.
        const int64_t first = std::min(c, cols - kColumns);
        const std::byte* const at = x + first * kSize;
        T best[kColumns];
        if (extremes.ReduceColumns(at, count, stride, best)) {
          PutStates<M>(states + first, kColumns, into,
                       [&best](int64_t l) { return M::Map(best[l]); });
        } else {
          by_keys(at, count, stride, kColumns, states + first, into);
        }
      }
      x += count * stride * kSize;
      rows -= count;
    }
  }

 private:
  static HWY_INLINE V At(const std::byte* HWY_RESTRICT x, int64_t i) {
    return hn::LoadU(D(), reinterpret_cast<const T*>(x) + i);
  }

  template <class Vec>
  static HWY_INLINE Vec Better(Vec a, Vec b) {
    return kIsMax ? hn::Max(a, b) : hn::Min(a, b);
  }

  // As many rows as fill a block of 128 bits are joined to that by shuffles and
  // looked at together (the largest of rows of 32, 80 and 200 float32, in
  // cache, Zen 3: 17, 32 and 50 GB/s row by row, PLACE so).
  static constexpr int64_t kRows = 16 / kSize;

  // Of a row, by lanes.
  struct Found {
    V best;
    V sum;
  };

  static HWY_INLINE Found FoldRow(const std::byte* HWY_RESTRICT x, int64_t n) {
    constexpr int64_t kStep = 4 * kWidth;
    const auto at = [x](int64_t i) { return At(x, i); };
    const auto take = [](V value, V& best, V& sum) {
      best = Better(value, best);
      sum = hn::Add(sum, value);
    };
    V best0 = at(0);
    V sum0 = best0;
    // The last elements once more, with some of those before them.
    const auto take_last = [&](int64_t i) {
      for (; i < n; i += kWidth) take(at(std::min(i, n - kWidth)), best0, sum0);
    };
    if (n < kStep) {
      take_last(kWidth);
      return {best0, sum0};
    }
    V best1 = at(kWidth);
    V best2 = at(2 * kWidth);
    V best3 = at(3 * kWidth);
    V sum1 = best1;
    V sum2 = best2;
    V sum3 = best3;
    int64_t i = kStep;
    for (; i + kStep <= n; i += kStep) {
      const std::byte* HWY_RESTRICT turn = x + i * kSize;
      constexpr int64_t kBytes = kWidth * kSize;
      take(at(i), best0, sum0);
      PrefetchPart<Cache::kL1, 0, kBytes>(turn);
      take(at(i + kWidth), best1, sum1);
      PrefetchPart<Cache::kL1, kBytes, 2 * kBytes>(turn);
      take(at(i + 2 * kWidth), best2, sum2);
      PrefetchPart<Cache::kL1, 2 * kBytes, 3 * kBytes>(turn);
      take(at(i + 3 * kWidth), best3, sum3);
      PrefetchPart<Cache::kL1, 3 * kBytes, 4 * kBytes>(turn);
    }
    take_last(i);
    return {Better(Better(best0, best1), Better(best2, best3)),
            hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3))};
  }

  // Makes `to` the largest or the smallest of a row, and says whether it is
  // right.
  static HWY_INLINE bool FindInRow(const std::byte* HWY_RESTRICT x, int64_t n,
                                   T& to) {
    const D d;
    const auto [best, sum] = FoldRow(x, n);
    to =
        hn::GetLane(kIsMax ? hn::MaxOfLanes(d, best) : hn::MinOfLanes(d, best));
    return hn::AllTrue(d, hn::Eq(sum, sum)) && to != 0;
  }

  // The same of each of kRows rows, and whether all are.
  static HWY_INLINE bool FindInRows(const std::byte* HWY_RESTRICT x, int64_t n,
                                    T* HWY_RESTRICT to) {
    V best[kRows];
    V sum = hn::Zero(D());
#pragma GCC unroll 1
    for (int64_t r = 0; r < kRows; ++r) {
      const Found row = FoldRow(x + r * n * kSize, n);
      best[r] = row.best;
      sum = hn::Add(sum, row.sum);
    }
    const hn::Full128<T> block;
    const auto found = JoinBlocks(D(), JoinRows(best));
    hn::StoreU(found, block, to);
    return hn::AllTrue(D(), hn::Eq(sum, sum)) &&
           hn::AllFalse(block, hn::Eq(found, hn::Zero(block)));
  }

  // Each block of 128 bits becomes what its lanes hold of each of the rows.
  static HWY_INLINE V JoinRows(const V* rows) {
    if constexpr (kRows == 2) {
      return JoinPairs(D(), rows[0], rows[1]);
    } else {
      const hn::Repartition<double, D> pairs;
      const auto first = hn::BitCast(pairs, JoinPairs(D(), rows[0], rows[1]));
      const auto second = hn::BitCast(pairs, JoinPairs(D(), rows[2], rows[3]));
      return Better(
          hn::BitCast(D(), hn::InterleaveLower(pairs, first, second)),
          hn::BitCast(D(), hn::InterleaveUpper(pairs, first, second)));
    }
  }

  // Lanes of a and of b in turn, each joined with that half a block away.
  static HWY_INLINE V JoinPairs(D d, V a, V b) {
    return Better(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
  }

  template <class Tag, class Blocks>
  static HWY_INLINE auto JoinBlocks(Tag d, Blocks blocks) {
    if constexpr (hn::MaxLanes(d) == kRows) {
      return blocks;
    } else {
      const hn::Half<Tag> half;
      return JoinBlocks(half, Better(hn::LowerHalf(half, blocks),
                                     hn::UpperHalf(half, blocks)));
    }
  }

  // Rows of a pass over the states: each is a stream that the CPU follows.
  static constexpr int64_t kMostRows = 16;

  enum class Met { kNumbers, kZeros, kNans };

  // Writes the extremes of kColumns columns, right of zeros if kMindsZeros; and
  // says what it met: zeros as results, unless it minds them anyway.
  template <bool kMindsZeros>
  static HWY_INLINE Met Compare(const std::byte* HWY_RESTRICT x, int64_t rows,
                                int64_t stride, T* HWY_RESTRICT to) {
    const D d;
    constexpr int64_t kParts = kColumns / kWidth;
    V best[kParts];
    V sum[kParts];
    for (int64_t p = 0; p < kParts; ++p) {
      sum[p] = best[p] = At(x, p * kWidth);
    }
    for (int64_t r = 1; r < rows; ++r) {
      for (int64_t p = 0; p < kParts; ++p) {
        const V value = At(x, r * stride + p * kWidth);
        best[p] = kMindsZeros ? BetterOfZeros(value, best[p])
                              : Better(value, best[p]);
        sum[p] = hn::Add(sum[p], value);
      }
    }
    V all = hn::Zero(d);
    bool has_zeros = false;
    for (int64_t p = 0; p < kParts; ++p) {
      all = hn::Add(all, sum[p]);
      has_zeros |= !hn::AllFalse(d, hn::Eq(best[p], hn::Zero(d)));
      hn::StoreU(best[p], d, to + p * kWidth);
    }
    if (!hn::AllTrue(d, hn::Eq(all, all))) return Met::kNans;
    return kMindsZeros || has_zeros ? Met::kZeros : Met::kNumbers;
  }

  // The same, of 0 and -0 too, of which the CPU takes whichever comes second.
  static HWY_INLINE V BetterOfZeros(V a, V b) {
    const V one = Better(a, b);
    const V other = Better(b, a);
    return kIsMax ? hn::And(one, other) : hn::Or(one, other);
  }

  Met met_ = Met::kNumbers;
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_FLOAT_EXTREMES_INL_H_
