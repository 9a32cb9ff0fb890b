// Short names for tests of ArgMax and ArgMin.
#ifndef REDUCTOR_TESTS_CORE_POSITIONS_H_
#define REDUCTOR_TESTS_CORE_POSITIONS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "core/plan.h"
#include "tests/core/tensors.h"

namespace reductor {

template <class T>
std::vector<int64_t> Positions(const std::vector<T>& x,
                               std::vector<int64_t> shape,
                               const ReduceSpec& spec) {
  return Reduced<T, int64_t>(x, std::move(shape), spec);
}

inline ReduceSpec ArgMax(std::vector<int64_t> axes, bool last = false) {
  return {.op = Operator::kArgMax,
          .axes = std::move(axes),
          .select_last_index = last};
}
inline ReduceSpec ArgMin(std::vector<int64_t> axes, bool last = false) {
  return {.op = Operator::kArgMin,
          .axes = std::move(axes),
          .select_last_index = last};
}

}  // namespace reductor

#endif  // REDUCTOR_TESTS_CORE_POSITIONS_H_
