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
#include <optional>
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

 public:
  // From here on it takes less time than keys do, many rows at a time (the
  // largest of rows of 20 and 31 float64 and of 64 float32, AMD, AVX2: 12, 21
  // and 20 GB/s by keys, 18, 35 and 38 so).
  static constexpr int64_t kFewest =
      (HWY_TARGET <= HWY_AVX3 ? 384 : 128) / sizeof(T);

  // The state of a row, unless keys must find it: as they must where it is a
  // zero. REQUIRES: n >= kFewest.
  static HWY_INLINE std::optional<typename M::State> FoldRow(
      const std::byte* HWY_RESTRICT x, int64_t n) {
    const D d;
    constexpr int64_t kStep = 4 * kWidth;
    static_assert(kStep <= kFewest);
    const auto at = [x](int64_t i) { return At(x, i); };
    V best0 = at(0);
    V best1 = at(kWidth);
    V best2 = at(2 * kWidth);
    V best3 = at(3 * kWidth);
    V sum0 = best0;
    V sum1 = best1;
    V sum2 = best2;
    V sum3 = best3;
    const auto take = [](V value, V& best, V& sum) {
      best = Better(value, best);
      sum = hn::Add(sum, value);
    };
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
    // The last elements once more, with some of those before them.
    for (; i < n; i += kWidth) take(at(std::min(i, n - kWidth)), best0, sum0);
    const V best = Better(Better(best0, best1), Better(best2, best3));
    const V sum = hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3));
    const T found =
        hn::GetLane(kIsMax ? hn::MaxOfLanes(d, best) : hn::MinOfLanes(d, best));
    if (!hn::AllTrue(d, hn::Eq(sum, sum)) || found == 0) return std::nullopt;
    return M::Map(found);
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

  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr int64_t kSize = sizeof(T);
  static constexpr int64_t kWidth = hn::MaxLanes(D());

  static HWY_INLINE V At(const std::byte* HWY_RESTRICT x, int64_t i) {
    return hn::LoadU(D(), reinterpret_cast<const T*>(x) + i);
  }

  static HWY_INLINE V Better(V a, V b) {
    return kIsMax ? hn::Max(a, b) : hn::Min(a, b);
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
