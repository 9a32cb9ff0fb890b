// Elements of a tensor, and the states of each. They lie at any address: these
// load them by memcpy, vectors by LoadU(), and neither takes an instruction
// more for it.
// Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_ELEMENTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_ELEMENTS_INL_H_
#undef REDUCTOR_CORE_KERNELS_ELEMENTS_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_ELEMENTS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

template <class T>
HWY_INLINE T ElementAt(const std::byte* x, int64_t i) {
  T element;
  std::memcpy(&element, x + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return element;
}

template <Monoid M>
HWY_INLINE typename M::State MapAt(const std::byte* x, int64_t i) {
  return M::Map(ElementAt<typename M::Input>(x, i));
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_ELEMENTS_INL_H_
