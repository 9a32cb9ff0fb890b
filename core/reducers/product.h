// ReduceProd: the product.
#ifndef REDUCTOR_CORE_REDUCERS_PRODUCT_H_
#define REDUCTOR_CORE_REDUCERS_PRODUCT_H_

#include <cstdint>

#include "core/dtype.h"
#include "core/reducers/wide.h"

namespace reductor {

// Of nothing: 1. A zero beside an infinity, or a NaN, makes it NaN.
template <Numeric T>
struct ReduceProd {
  using Fold = ReduceProd<Unsigned<T>>;
  using Input = T;
  using State = WideState<T>;
  using Output = T;

  static constexpr State Identity() { return 1; }
  static constexpr State Map(T x) { return static_cast<State>(Widen(x)); }
  static constexpr State Combine(State a, State b) { return Multiply(a, b); }
  static constexpr Output Finish(State product, int64_t /*count*/) {
    return Narrow<T>(product);
  }
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_REDUCERS_PRODUCT_H_
