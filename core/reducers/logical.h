// ReduceLogicalAnd and ReduceLogicalOr. Any byte but 0 is true.
#ifndef REDUCTOR_CORE_REDUCERS_LOGICAL_H_
#define REDUCTOR_CORE_REDUCERS_LOGICAL_H_

#include <concepts>

#include "core/dtype.h"
#include "core/reducers/extremes.h"

namespace reductor {

// Whether every element is true. Of nothing: true.
template <std::same_as<Bool> T>
struct ReduceLogicalAnd : ReduceMin<T> {};

// Whether any element is true. Of nothing: false.
template <std::same_as<Bool> T>
struct ReduceLogicalOr : ReduceMax<T> {};

}  // namespace reductor

#endif  // REDUCTOR_CORE_REDUCERS_LOGICAL_H_
