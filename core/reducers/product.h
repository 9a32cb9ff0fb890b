// ReduceProd: the product.
#ifndef REDUCTOR_CORE_REDUCERS_PRODUCT_H_
#define REDUCTOR_CORE_REDUCERS_PRODUCT_H_

#include <cstdint>

#include "core/dtype.h"
#include "core/reducers/wide.h"

namespace reductor {

// Of nothing: 1. A zero beside an infinity, or a NaN, makes it NaN.
template <Numeric T>
struct Product {
  using Input = T;
  using State = WideState<T>;
  using Output = T;

  static constexpr State Identity() { return 1; }
  static constexpr State Map(T x) { return static_cast<State>(Widen(x)); }
  static constexpr State Combine(State a, State b) { return Multiply(a, b); }
  static constexpr Output Finish(State product, int64_t /*count*/) {
    return Narrow<T>(product);
  }
  // A zero, or even elements enough.
  static constexpr int64_t kAskedAfter = 256;
  static constexpr bool IsAbsorbing(State product) requires IntegerElement<T> {
    return product == 0;
  }
};

template <Numeric T>
struct ReduceProd : Product<T> {
  using Fold = ReduceProd<Unsigned<T>>;
};

// Of bytes: their lower byte is that of their product as words, which are what
// vectors multiply (1,000 columns of uint8, in cache, AVX-512: 22 GB/s by
// bytes, 49 so).
template <IntegerElement T>
requires(sizeof(T) == 1) struct ReduceProd<T> : Product<T> {
  using Fold = ReduceProd<Unsigned<T>>;
  struct Partial {
    using Input = T;
    using State = uint16_t;
    // Of any number: what they lose is no part of the lower byte.
    static constexpr int64_t kMostElements = int64_t{1} << 62;
    static constexpr State Identity() { return 1; }
    static constexpr State Map(T x) { return static_cast<uint8_t>(x); }
    static constexpr State Combine(State a, State b) { return Multiply(a, b); }
  };
  static constexpr uint8_t FromPartial(uint16_t product) {
    return static_cast<uint8_t>(product);
  }
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_REDUCERS_PRODUCT_H_
