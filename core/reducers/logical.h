// ReduceLogicalAnd and ReduceLogicalOr. Any byte but 0 is true.
#ifndef REDUCTOR_CORE_REDUCERS_LOGICAL_H_
#define REDUCTOR_CORE_REDUCERS_LOGICAL_H_

#include <concepts>
#include <cstdint>

#include "core/dtype.h"

namespace reductor {

// Whether every element is true. Of nothing: true.
template <std::same_as<Bool> T>
struct ReduceLogicalAnd {
  using Fold = ReduceLogicalAnd;
  using Input = T;
  using State = uint8_t;
  using Output = T;

  static constexpr State Identity() { return 1; }
  static constexpr State Map(T x) { return Widen(x); }
  static constexpr State Combine(State a, State b) { return a & b; }
  static constexpr Output Finish(State all, int64_t /*count*/) { return {all}; }
};

// Whether any element is true. Of nothing: false.
template <std::same_as<Bool> T>
struct ReduceLogicalOr {
  using Fold = ReduceLogicalOr;
  using Input = T;
  using State = uint8_t;
  using Output = T;

  static constexpr State Identity() { return 0; }
  static constexpr State Map(T x) { return Widen(x); }
  static constexpr State Combine(State a, State b) { return a | b; }
  static constexpr Output Finish(State any, int64_t /*count*/) { return {any}; }
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_REDUCERS_LOGICAL_H_
