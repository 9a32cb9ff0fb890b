// Elements of a tensor, and the states of each. They lie at any address, so
// that a pointer to bytes stands for them: memcpy() and LoadU() take no
// instruction more for it. Compiled once per instruction set.
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

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
HWY_INLINE T ElementAt(const std::byte* x, int64_t i) {
  T element;
  std::memcpy(&element, x + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return element;
}

// A vector of those from i on.
template <class D>
HWY_INLINE hn::Vec<D> LoadElements(D d, const std::byte* HWY_RESTRICT x,
                                   int64_t i) {
  using T = hn::TFromD<D>;
  constexpr auto kSize = static_cast<int64_t>(sizeof(T));
  return hn::LoadU(d, reinterpret_cast<const T*>(x + i * kSize));
}

// The same by one load, whatever is made of it: g++ 12 would make it one for
// each use, each of which may cross a line (L1 of rows of 2,001 float32, in
// cache, Intel, AVX-512: 39 GB/s by two, 49 so).
template <class D>
HWY_INLINE hn::Vec<D> LoadElementsOnce(D d, const std::byte* HWY_RESTRICT x,
                                       int64_t i) {
  auto elements = LoadElements(d, x, i);
#if HWY_ARCH_X86
  asm("" : "+v"(elements.raw));
#endif
  return elements;
}

template <Monoid M>
HWY_INLINE typename M::State MapAt(const std::byte* x, int64_t i) {
  return M::Map(ElementAt<typename M::Input>(x, i));
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_ELEMENTS_INL_H_
