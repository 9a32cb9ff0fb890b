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
  // From here on it takes less time than keys do, many rows at a time.
  static constexpr int64_t kFewest = 384 / sizeof(T);

  // The state of a row, unless keys must find it: as they must where it is a
  // zero. REQUIRES: n >= kFewest.
  static HWY_INLINE std::optional<typename M::State> FoldRow(
      const std::byte* HWY_RESTRICT x, int64_t n) {
    const D d;
    constexpr int64_t kStep = 4 * kWidth;
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

  // So many columns at a time need few turns of the loop over few rows (the
  // largest of two rows of 65,536 float32, in cache, AVX-512: 10.4 us by a line
  // of memory, 4.6 by four).
  static constexpr int64_t kColumns = 256 / sizeof(T);

  // Writes the largest or the smallest of each of kColumns columns to `to`, and
  // says whether keys need not find them.
  static HWY_INLINE bool ReduceColumns(const std::byte* HWY_RESTRICT x,
                                       int64_t rows, int64_t stride,
                                       T* HWY_RESTRICT to) {
    constexpr int64_t kParts = kColumns / kWidth;
    V best[kParts];
    V sum[kParts];
    for (int64_t p = 0; p < kParts; ++p) {
      sum[p] = best[p] = At(x, p * kWidth);
    }
    for (int64_t r = 1; r < rows; ++r) {
      for (int64_t p = 0; p < kParts; ++p) {
        const V value = At(x, r * stride + p * kWidth);
        best[p] = BetterOfZeros(value, best[p]);
        sum[p] = hn::Add(sum[p], value);
      }
    }
    V all = sum[0];
    for (int64_t p = 0; p < kParts; ++p) {
      if (p > 0) all = hn::Add(all, sum[p]);
      hn::StoreU(best[p], D(), to + p * kWidth);
    }
    return hn::AllTrue(D(), hn::Eq(all, all));
  }

 private:
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
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_FLOAT_EXTREMES_INL_H_
