// The NaN that results are. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_ONE_NAN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_ONE_NAN_INL_H_
#undef REDUCTOR_CORE_KERNELS_ONE_NAN_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_ONE_NAN_INL_H_
#endif

#include <limits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// `v` with the one NaN that Narrow() makes in place of any other.
template <class D>
HWY_INLINE hn::Vec<D> OneNan(D d, hn::Vec<D> v) {
  const auto nan = hn::Set(d, std::numeric_limits<hn::TFromD<D>>::quiet_NaN());
  return hn::IfThenElse(hn::IsNaN(v), nan, v);
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_ONE_NAN_INL_H_
