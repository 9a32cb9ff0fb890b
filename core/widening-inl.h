// Which monoids fold elements in numbers wider than these, and which by named
// vectors. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_WIDENING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_WIDENING_INL_H_
#undef REDUCTOR_CORE_WIDENING_INL_H_
#else
#define REDUCTOR_CORE_WIDENING_INL_H_
#endif

#include <type_traits>

#include "core/prefetch-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// Where the CPU cannot, Highway widens float16 without its infinities.
template <class T>
inline constexpr bool kHighwayWidens =
    !std::is_same_v<T, Float16> || !HWY_ARCH_X86 || HWY_TARGET <= HWY_AVX2;

// Whether the monoid adds squares.
template <Monoid M>
constexpr bool SumsSquares() {
  using T = typename M::Input;
  if constexpr (IntegerElement<T>) {
    return std::is_same_v<M, NarrowSquares<T>> ||
           (std::is_same_v<M, ReduceL2<T>> && !HasNarrow<M>);
  } else if constexpr (FloatElement<T>) {
    return std::is_same_v<M, ReduceSumSquare<T>>;
  } else {
    return false;
  }
}

// Whether its sums stop at a largest one, kMost.
template <Monoid M>
constexpr bool Saturates() {
  return SumsSquares<M>() && std::is_same_v<typename M::State, uint64_t> &&
         sizeof(typename M::Input) == 4;
}

// Whether the monoid adds integers as they are.
template <Monoid M>
inline constexpr bool kAddsIntegers = false;
template <IntegerElement T>
inline constexpr bool kAddsIntegers<NarrowSum<T>> = true;
template <IntegerElement T>
requires(sizeof(T) == 1) inline constexpr bool kAddsIntegers<FewSum<T>> = true;

// Whether the monoid multiplies elements.
template <Monoid M>
constexpr bool Multiplies() {
  return std::is_same_v<M, ReduceProd<typename M::Input>>;
}

// Whether the monoid adds or multiplies elements in a wider number.
template <Monoid M>
constexpr bool HasWideStates() {
  using T = typename M::Input;
  constexpr bool kIsNarrow = sizeof(T) < sizeof(double);
  if constexpr (FloatElement<T>) {
    return kIsNarrow && (std::is_base_of_v<ReduceSum<T>, M> || Multiplies<M>());
  } else if constexpr (IntegerElement<T>) {
    return kIsNarrow && (kAddsIntegers<M> || SumsSquares<M>());
  } else {
    return false;
  }
}

// Whether it does so in the lanes below, with these instructions.
template <Monoid M>
constexpr bool IsWidening() {
  return HasWideStates<M>() && kHighwayWidens<typename M::Input>;
}

// Whether it looks for the largest or the smallest element.
template <Monoid M>
constexpr bool IsExtreme() {
  using T = typename M::Input;
  return std::is_same_v<M, ReduceMax<T>> || std::is_same_v<M, ReduceMin<T>>;
}

// Whether the states of lanes are vectors by name: in wider numbers, in
// float64, and the extremes of 64 bits.
template <Monoid M>
constexpr bool HasVectors() {
  using T = typename M::Input;
  if constexpr (sizeof(T) == 8 && IsExtreme<M>()) {
    return true;
  } else if constexpr (std::is_same_v<T, double>) {
    return std::is_base_of_v<ReduceSum<T>, M> || Multiplies<M>();
  } else {
    return IsWidening<M>();
  }
}

// Where the loops of M bring memory.
template <Monoid M>
inline constexpr Cache kCacheFor = IsWidening<M>() ? Cache::kL2 : Cache::kL1;

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_WIDENING_INL_H_
