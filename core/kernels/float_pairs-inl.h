// Results of two float32 each, by the CPU's own float32 (L1, sums, products and
// means of two rows of 65,536 and of rows of two, in cache, Intel, AVX-512: 28
// to 33 and 19 to 30 GB/s in float64, 58 to 62 so). Compiled once per
// instruction set.
//
// What float64 makes of two float32, rounded to float32, is what float32 makes
// of them: where the first of two roundings leaves 2 * 24 + 2 digits or more,
// the second one does as if it were alone (S. A. Figueroa, When is double
// rounding innocuous?, 1995), and float64 has 53; a product is exact there, and
// of means MeanOfTwo() says why. Of three elements that is not so, as float32
// would round in between.
#if defined(REDUCTOR_CORE_KERNELS_FLOAT_PAIRS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_FLOAT_PAIRS_INL_H_
#undef REDUCTOR_CORE_KERNELS_FLOAT_PAIRS_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_FLOAT_PAIRS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/kernels/elements-inl.h"
#include "core/kernels/join_rows-inl.h"
#include "core/kernels/one_nan-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Results of R, where it is one of these.
template <Reducer R>
class FloatPairs {
  static constexpr bool kIsSum = std::is_same_v<R, ReduceSum<float>>;
  static constexpr bool kIsL1 = std::is_same_v<R, ReduceL1<float>>;
  static constexpr bool kIsProduct = std::is_same_v<R, ReduceProd<float>>;
  static constexpr bool kIsMean = std::is_same_v<R, ReduceMean<float>>;

 public:
  static constexpr bool kAreThere = kIsSum || kIsL1 || kIsProduct || kIsMean;

  // Puts the results of kWidth columns of two rows, `a` and `b`.
  template <int64_t kWidth>
  static HWY_INLINE void ReduceColumns(const std::byte* HWY_RESTRICT a,
                                       const std::byte* HWY_RESTRICT b,
                                       float* HWY_RESTRICT out) {
    static_assert(kWidth % kLanes == 0);
    for (int64_t c = 0; c < kWidth; c += kLanes) {
      hn::StoreU(ResultOfTwo(At(a, c), At(b, c)), D(), out + c);
    }
  }

  // Puts the results of as many of these rows of two as fill vectors; says how
  // many these are.
  static HWY_INLINE int64_t ReduceRows(const std::byte* HWY_RESTRICT x,
                                       int64_t rows, float* HWY_RESTRICT out) {
    const D d;
    int64_t r = 0;
    for (; r + kLanes <= rows; r += kLanes) {
      const int64_t i = 2 * r;
      const auto results = JoinTwos(d, At(x, i), At(x, i + kLanes),
                                    [](V a, V b) { return ResultOfTwo(a, b); });
      hn::StoreU(results, d, out + r);
    }
    return r;
  }

 private:
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  static constexpr int64_t kLanes = hn::MaxLanes(D());

  static HWY_INLINE V At(const std::byte* HWY_RESTRICT x, int64_t i) {
    return LoadElements(D(), x, i);
  }

  static HWY_INLINE V ResultOfTwo(V a, V b) {
    if constexpr (kIsProduct) {
      return OneNan(D(), hn::Mul(a, b));
    } else if constexpr (kIsL1) {
      return OneNan(D(), hn::Add(hn::Abs(a), hn::Abs(b)));
    } else {
      // A sum of -0 alone is 0.
      const V sum = hn::Add(hn::Add(a, b), hn::Zero(D()));
      if constexpr (kIsSum) return OneNan(D(), sum);
      return MeanOfTwo(a, b, sum);
    }
  }

  // Half of their sum is exact or, below the normal numbers, where the sum is
  // exact, rounded once.
  static HWY_INLINE V MeanOfTwo(V a, V b, V sum) {
    const D d;
    const V half = hn::Set(d, 0.5F);
    const V mean = hn::Mul(sum, half);
    const auto are_finite = hn::Eq(hn::Sub(mean, mean), hn::Zero(d));
    if (HWY_LIKELY(hn::AllTrue(d, are_finite))) return mean;
    // Of a sum that leaves float32 each half is exact.
    const V halves = hn::Add(hn::Mul(a, half), hn::Mul(b, half));
    return OneNan(d, hn::IfThenElse(are_finite, mean, halves));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_FLOAT_PAIRS_INL_H_
