// For ReduceLogSumExp: the differences of elements from the largest of their
// row or column, its offset; of integers the exponentials of these, which are
// looked up. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_DIFFERENCES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_DIFFERENCES_INL_H_
#undef REDUCTOR_CORE_KERNELS_DIFFERENCES_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_DIFFERENCES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "core/kernels/elements-inl.h"
#include "core/kernels/vector_states-inl.h"
#include "core/kernels/widening-inl.h"
#include "core/reducers/log_sum_exp.h"
#include "core/reducers/sums.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <HighPrecision T>
class Differences {
  using M = ReduceLogSumExp<T>;

 public:
  // What an iteration takes: a constant, for the compiler to unroll.
  static constexpr int64_t kStep = 8;

  // The offsets of elements side by side, as they are from element i on: one of
  // all of them, or each its own.
  struct SameOffset {
    typename M::Offset offset;
    HWY_INLINE SameOffset From(int64_t /*i*/) const { return *this; }
    HWY_INLINE auto operator[](int64_t /*l*/) const { return offset; }
    template <class D>
    HWY_INLINE auto At(D d, int64_t /*l*/) const {
      return hn::Set(d, offset);
    }
  };
  struct OwnOffsets {
    const typename M::Offset* offsets;
    HWY_INLINE OwnOffsets From(int64_t i) const { return {offsets + i}; }
    HWY_INLINE auto operator[](int64_t l) const { return offsets[l]; }
    template <class D>
    HWY_INLINE auto At(D d, int64_t l) const {
      return hn::LoadU(d, offsets + l);
    }
  };

  // Puts those of elements [from, from + n) of x, which has `end`, and may
  // overwrite what follows up to a whole step.
  template <class Offsets>
  static HWY_INLINE void Put(const std::byte* HWY_RESTRICT x, int64_t from,
                             int64_t n, int64_t end, Offsets offsets,
                             double* HWY_RESTRICT to) {
    const auto subtract = [&](int64_t l) {
      const T element = ElementAt<T>(x, from + l);
      if constexpr (kIsFloat<T>) {
        to[l] = M::Difference(element, offsets[l]);
      } else {
        to[l] = M::Exponential(M::BelowMax(element, offsets[l]));
      }
    };
    const int64_t all = hwy::RoundUpTo(n, kStep);
    const int64_t stepped = from + all <= end ? all : n / kStep * kStep;
    for (int64_t i = 0; i < stepped; i += kStep) {
      if constexpr (kAreWidened) {
        PutWidenedStep(x, from + i, offsets.From(i), to + i);
        continue;
      }
      if constexpr (!kIsFloat<T>) {
        if (PutFarStep(x, from + i, offsets.From(i), to + i)) continue;
      }
#pragma omp simd
      for (int64_t l = i; l < i + kStep; ++l) subtract(l);
    }
#pragma omp simd
    for (int64_t l = stepped; l < n; ++l) subtract(l);
  }

 private:
  // Whether vectors widen the elements.
  static constexpr bool kAreWidened =
      kIsFloat<T> && VectorsWiden<ReduceSum<T>>();

  // Puts the differences of a step of these from x[i] on. g++ would take as
  // many elements at a time as fill a vector before they are widened, in halves
  // (all float16 and rows of 100, in cache, AVX-512: 1.6 and 1.4 GB/s, 2.4 and
  // 2.0 so; of float32 4.4 and 4.0, 4.6 and 4.2).
  template <class Offsets>
  static HWY_INLINE void PutWidenedStep(const std::byte* HWY_RESTRICT x,
                                        int64_t i, Offsets offsets,
                                        double* HWY_RESTRICT to) {
    using D = hn::CappedTag<double, kStep>;
    using States = VectorStates<ReduceSum<T>, D>;
    const D d;
    for (int64_t l = 0; l < kStep; l += hn::MaxLanes(d)) {
      const auto element = States::ValuesAt(x + (i + l) * sizeof(T));
      hn::StoreU(hn::Sub(element, offsets.At(d, l)), d, to + l);
    }
  }

  // Puts the exponentials of a step of integers from x[i] on, if each is the
  // largest or out of its reach, and says whether they are: to ask costs less
  // than to look all up (rows of 18 of any int32 and int64, in cache, Zen 3:
  // 1.2 and 3.9 GB/s, 2.5 and 7.2 so). All are asked before the branch, as
  // the CPU cannot predict where the largest is (rows of 8 and 18 of any int64
  // and int32: 3.2 and 3.4 GB/s, 4.6 and 4.7 so).
  template <class Offsets>
  static HWY_INLINE bool PutFarStep(const std::byte* HWY_RESTRICT x, int64_t i,
                                    Offsets offsets, double* HWY_RESTRICT to) {
    using Below = typename M::Below;
    alignas(64) Below below[kStep];
#pragma GCC unroll 1
    for (int64_t l = 0; l < kStep; ++l) {
      below[l] = M::BelowMax(ElementAt<T>(x, i + l), offsets[l]);
    }
    const hn::CappedTag<Below, kStep> d;
    const auto in_reach = hn::Set(d, static_cast<Below>(M::kOutOfReach - 1));
    const auto is_far = [&](int64_t l) {
      const auto v = hn::Load(d, below + l);
      return hn::Or(hn::Gt(v, in_reach), hn::Eq(v, hn::Zero(d)));
    };
    auto are_far = is_far(0);
    for (int64_t l = hn::Lanes(d); l < kStep; l += hn::Lanes(d)) {
      are_far = hn::And(are_far, is_far(l));
    }
    if (!hn::AllTrue(d, are_far)) return false;
#pragma GCC unroll 1
    for (int64_t l = 0; l < kStep; ++l) {
      to[l] = below[l] == 0 ? 1 : 0;
    }
    return true;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_DIFFERENCES_INL_H_
