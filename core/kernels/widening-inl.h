// Which monoids these instructions fold in numbers wider than the elements, and
// which by named vectors. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_WIDENING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_WIDENING_INL_H_
#undef REDUCTOR_CORE_KERNELS_WIDENING_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_WIDENING_INL_H_
#endif

#include <type_traits>

#include "core/kernels/isa-inl.h"
#include "core/kernels/monoid_traits.h"
#include "core/kernels/prefetch-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// Where the CPU cannot, Highway widens float16 without its infinities.
template <class T>
inline constexpr bool kHighwayWidens = !std::is_same_v<T, Float16> || !kIsSse4;

// Whether these instructions fold M's elements so. WidensElements() is the
// operator's, and the order may depend on it; on this nothing but time may.
template <Monoid M>
constexpr bool VectorsWiden() {
  return WidensElements<M>() && kHighwayWidens<typename M::Input>;
}

// Whether vectors add or multiply integers, as they are.
template <Monoid M>
requires IntegerElement<typename M::Input>
constexpr bool VectorsCombine() {
  using T = typename M::Input;
  // Only AVX-512 has absolute values and products of 64 bits; nothing
  // multiplies bytes.
  constexpr bool kFits = sizeof(T) < 8 || kHasAvx512;
  if constexpr (std::is_same_v<M, ReduceSum<T>>) {
    return true;
  } else if constexpr (kIsL1<M>) {
    return kFits;
  } else {
    return kFits && sizeof(T) > 1 && (kIsSumSquare<M> || Multiplies<M>());
  }
}

// Whether vectors hold M's states and join them: in wider numbers, in float64,
// and what vectors join as it is.
template <Monoid M>
constexpr bool FitsVectors() {
  using T = typename M::Input;
  if constexpr (IsExtreme<M>()) {
    return true;
  } else if constexpr (std::is_same_v<T, double>) {
    return std::is_base_of_v<ReduceSum<T>, M> || Multiplies<M>();
  } else if constexpr (IntegerElement<T>) {
    return VectorsWiden<M>() || VectorsCombine<M>();
  } else {
    return VectorsWiden<M>();
  }
}

// Whether the states of lanes are vectors by name. Not by SSE4 for integers
// that are not widened, nor for extremes below 64 bits: it has too few
// registers for the lanes of a long row (the largest of all int8, in cache, Zen
// 4: 51 GB/s by named vectors, 87 so).
template <Monoid M>
constexpr bool HasNamedVectors() {
  using T = typename M::Input;
  constexpr bool kIsWide = VectorsWiden<M>() || std::is_same_v<T, double> ||
                           (IsExtreme<M>() && sizeof(T) == 8);
  return FitsVectors<M>() && (!kIsSse4 || kIsWide);
}

// The cache to which the loops of M prefetch.
template <Monoid M>
inline constexpr Cache kCacheFor = VectorsWiden<M>() ? Cache::kL2 : Cache::kL1;

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_WIDENING_INL_H_
