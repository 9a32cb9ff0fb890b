// The arithmetic behind the sums and products: wide states for floats, wrapping
// ones for integers, and the way back to an element.
#ifndef REDUCTOR_CORE_REDUCERS_WIDE_H_
#define REDUCTOR_CORE_REDUCERS_WIDE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "core/dtype.h"

namespace reductor {

template <class T>
concept FloatElement = Numeric<T> && kIsFloat<T>;

template <class T>
concept IntegerElement = Numeric<T> && std::is_integral_v<T>;

// What ONNX calls high-precision numeric types: ReduceSumSquare, ReduceLogSum
// and ReduceLogSumExp take no others.
template <class T>
concept HighPrecision = Numeric<T> &&(kIsFloat<T> || sizeof(T) >= 4);
template <class T>
concept HighPrecisionInteger = HighPrecision<T> && IntegerElement<T>;

namespace wide_internal {

template <class T>
struct WideState {
  using type = std::make_unsigned_t<T>;
};
template <FloatElement T>
struct WideState<T> {
  using type = double;
};

}  // namespace wide_internal

// Where the elements of a type are summed and multiplied: float64 for floats,
// so that a result is rounded once (or as if there, float_pairs-inl.h); for
// integers the unsigned type of their own width, where overflow wraps and the
// order never matters.
template <Numeric T>
using WideState = typename wide_internal::WideState<T>::type;

// The type whose wrapping sums and products have the bits of those of T, signed
// or not: so that one fold serves both.
template <Numeric T>
using Unsigned = std::conditional_t<kIsFloat<T>, T, WideState<T>>;

// The product in an unsigned or a float type.
template <class S>
constexpr S Multiply(S a, S b) {
  if constexpr (std::is_integral_v<S>) {
    // 16-bit factors would be promoted to int, whose overflow is undefined.
    using Product = std::common_type_t<S, uint32_t>;
    return static_cast<S>(static_cast<Product>(a) * static_cast<Product>(b));
  } else {
    return a * b;
  }
}

// |x| in the state; the absolute value of the smallest integer wraps to itself.
template <Numeric T>
constexpr WideState<T> AbsoluteOf(T x) {
  using State = WideState<T>;
  if constexpr (kIsFloat<T>) {
    return std::fabs(static_cast<State>(Widen(x)));
  } else if constexpr (std::is_unsigned_v<T>) {
    return x;
  } else {
    const auto minus = static_cast<State>(State{0} - static_cast<State>(x));
    // Not all vectors have a maximum of 64 bits. Of fewer it takes one
    // operation less (L1 of int8 and int32 columns, in cache, AVX-512: 61 and
    // 64 GB/s by the sign, 75 and 69 so).
    if constexpr (sizeof(T) == 8) {
      return x < 0 ? minus : static_cast<State>(x);
    } else {
      return static_cast<State>(std::max(x, static_cast<T>(minus)));
    }
  }
}

}  // namespace reductor

#endif  // REDUCTOR_CORE_REDUCERS_WIDE_H_
