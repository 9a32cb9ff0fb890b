// Two vectors of float64 that are stored lane by lane in turn. Compiled once
// per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_STORE_PAIR_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_STORE_PAIR_INL_H_
#undef REDUCTOR_CORE_KERNELS_STORE_PAIR_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_STORE_PAIR_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// By AVX-512 two permutations of both, where Highway 1.0 takes six shuffles (L1
// of 4,096 and of 8,192 columns of float32, 512 KiB, Intel: 46 and 44 GB/s by
// those, 48 and 47 so).
template <class V>
HWY_INLINE void StorePair(V even, V odd, double* HWY_RESTRICT to) {
  const hn::DFromV<V> d;
#if HWY_TARGET <= HWY_AVX3
  if constexpr (hn::MaxLanes(d) == 8) {
    const auto lower = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const auto upper = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    hn::StoreU(V{_mm512_permutex2var_pd(even.raw, lower, odd.raw)}, d, to);
    hn::StoreU(V{_mm512_permutex2var_pd(even.raw, upper, odd.raw)}, d, to + 8);
    return;
  }
#endif
  hn::StoreInterleaved2(even, odd, d, to);
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_STORE_PAIR_INL_H_
