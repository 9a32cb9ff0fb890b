// A request for tests: valid, until a test changes what it is about.
#ifndef REDUCTOR_TESTS_CORE_REQUESTS_H_
#define REDUCTOR_TESTS_CORE_REQUESTS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "core/plan.h"
#include "core/request.h"

namespace reductor {

// A request for ONNX ReduceL1 of a float32 tensor whose data has the right
// size; tests change what they are about.
inline RequestSpec RequestOf(std::vector<int64_t> shape,
                             std::vector<int64_t> axes) {
  int64_t bytes = 4;
  for (const int64_t extent : shape) bytes *= extent;
  return {.reductions = {{.op = Operator::kReduceL1, .axes = std::move(axes)}},
          .tensor = TensorSpec{.dtype = DType::kFloat32,
                               .shape = std::move(shape),
                               .data_bytes = bytes}};
}

inline Plan PlanOf(const RequestSpec& request) {
  return MakePlans(request).value().front();
}

inline Plan PlanOf(std::vector<int64_t> shape, std::vector<int64_t> axes) {
  return PlanOf(RequestOf(std::move(shape), std::move(axes)));
}

}  // namespace reductor

#endif  // REDUCTOR_TESTS_CORE_REQUESTS_H_
