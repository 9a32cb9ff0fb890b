// What the loops ask of a monoid to choose how to fold it: which operator's it
// is, and what that means for registers and for the order.
#ifndef REDUCTOR_CORE_KERNELS_MONOID_TRAITS_H_
#define REDUCTOR_CORE_KERNELS_MONOID_TRAITS_H_

#include <type_traits>

#include "core/reducers.h"

namespace reductor {

// Whether it is that of ReduceLogSumExp.
template <class M>
inline constexpr bool kIsLogSumExp = false;
template <HighPrecision T>
inline constexpr bool kIsLogSumExp<ReduceLogSumExp<T>> = true;

// Whether it is that of ReduceSumSquare.
template <class M>
inline constexpr bool kIsSumSquare = false;
template <HighPrecision T>
inline constexpr bool kIsSumSquare<ReduceSumSquare<T>> = true;

// Whether it is that of ReduceL1.
template <class M>
inline constexpr bool kIsL1 = false;
template <Numeric T>
inline constexpr bool kIsL1<ReduceL1<T>> = true;

// Whether the monoid adds squares in float64 or in integers wider than T: not
// those of integers that wrap around (ReduceSumSquare).
template <Monoid M>
constexpr bool SumsWideSquares() {
  using T = typename M::Input;
  if constexpr (IntegerElement<T>) {
    return std::is_same_v<M, PartialSquares<T>> ||
           (std::is_same_v<M, ReduceL2<T>> && !HasPartial<M>);
  } else if constexpr (FloatElement<T>) {
    return kIsSumSquare<M>;
  } else {
    return false;
  }
}

// Whether the lanes of vectors hold its sums, which stop at a largest one,
// kMost.
template <Monoid M>
constexpr bool Saturates() {
  return SumsWideSquares<M>() && std::is_same_v<typename M::State, uint64_t> &&
         sizeof(typename M::Input) == 4;
}

// Whether it is the partial monoid of exact sums of integers.
template <Monoid M>
inline constexpr bool kAddsIntegers = false;
template <IntegerElement T>
inline constexpr bool kAddsIntegers<PartialSum<T>> = true;
template <IntegerElement T>
requires(sizeof(T) ==
         1) inline constexpr bool kAddsIntegers<PartialSumOfFew<T>> = true;

// Whether it is that of ReduceProd, and multiplies elements as it takes them.
template <Monoid M>
constexpr bool Multiplies() {
  return std::is_same_v<M, ReduceProd<typename M::Input>>;
}

// Whether Combine(Identity(), s) is s, or gives what s gives, so that a fold
// may begin with its first element: not where -0 is added to 0.
template <Monoid M>
constexpr bool HasNeutralIdentity() {
  return kIsExact<M> || Multiplies<M>() || kIsL1<M> || kIsSumSquare<M> ||
         kIsLogSumExp<M>;
}

// Whether Combine has a long latency and never rounds: then a lane's elements
// may be spread over several chains. So it is with sums that may stop at a
// largest one, and with products of integers.
template <Monoid M>
constexpr bool HasLongLatency() {
  return Saturates<M>() || (Multiplies<M>() && kIsExact<M>);
}

// Whether the monoid adds or multiplies elements in a wider number.
template <Monoid M>
constexpr bool WidensElements() {
  using T = typename M::Input;
  constexpr bool kIsNarrow = sizeof(T) < sizeof(double);
  if constexpr (FloatElement<T>) {
    return kIsNarrow && (std::is_base_of_v<ReduceSum<T>, M> || Multiplies<M>());
  } else if constexpr (IntegerElement<T>) {
    return kIsNarrow && (kAddsIntegers<M> || SumsWideSquares<M>());
  } else {
    return false;
  }
}

// Whether the monoid looks for the largest or the smallest element.
template <Monoid M>
constexpr bool IsExtreme() {
  using T = typename M::Input;
  return std::is_same_v<M, ReduceMax<T>> || std::is_same_v<M, ReduceMin<T>>;
}

}  // namespace reductor

#endif  // REDUCTOR_CORE_KERNELS_MONOID_TRAITS_H_
