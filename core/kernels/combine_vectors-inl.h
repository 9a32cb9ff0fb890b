// How two vectors of states combine. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_COMBINE_VECTORS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_COMBINE_VECTORS_INL_H_
#undef REDUCTOR_CORE_KERNELS_COMBINE_VECTORS_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_COMBINE_VECTORS_INL_H_
#endif

#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/kernels/isa-inl.h"
#include "core/kernels/monoid_traits.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// What M makes of each lane of two vectors of states, or of elements where
// these are compared as they are. REQUIRES: M multiplies, compares or adds.
template <Monoid M, class V>
HWY_INLINE V CombineVectors(V a, V b) {
  using T = typename M::Input;
  if constexpr (Multiplies<M>()) {
    return hn::Mul(a, b);
  } else if constexpr (std::is_same_v<M, ReduceMax<T>>) {
    return hn::Max(a, b);
  } else if constexpr (std::is_same_v<M, ReduceMin<T>>) {
    return hn::Min(a, b);
  } else {
    const hn::DFromV<V> d;
    const V sum = hn::Add(a, b);
    if constexpr (!Saturates<M>()) {
      return sum;
    } else if constexpr (std::is_signed_v<T>) {
      // A sum of up to 2^63 - 1 and another, or the squares of two neighbours,
      // 2^63 at most, are less than 2^64: what passes the largest int64 has its
      // sign bit set.
      static_assert(M::kMost == std::numeric_limits<int64_t>::max());
      // Where vectors have a smaller one of 64 bits (L2 of all int32 and of
      // slabs of 12 x 2,748, in cache, Zen 4: 58 and 26 GB/s by the sign, 72
      // and 30 so).
      if constexpr (kHasAvx512) return hn::Min(sum, hn::Set(d, M::kMost));
      const hn::RebindToSigned<decltype(d)> with_sign;
      const auto most = hn::Set(with_sign, std::numeric_limits<int64_t>::max());
      const auto each = hn::BitCast(with_sign, sum);
      return hn::BitCast(d, hn::IfNegativeThenElse(each, most, each));
    } else {
      return hn::IfThenElse(hn::Lt(sum, b), hn::Set(d, M::kMost), sum);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_COMBINE_VECTORS_INL_H_
