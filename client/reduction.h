// What to compute of a tensor.
#ifndef REDUCTOR_CLIENT_REDUCTION_H_
#define REDUCTOR_CLIENT_REDUCTION_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "core/operators.h"

namespace reductor {

// One reduction to ask for. What is absent, the server decides, by the rules of
// the operator's version (see reductor.proto).
struct Reduction {
  Operator op = Operator::kUnspecified;
  // At most one of the two. Neither: the newest ONNX opset.
  std::optional<int32_t> onnx_opset = std::nullopt;
  std::optional<int32_t> openvino_opset = std::nullopt;
  std::vector<int64_t> axes = {};
  std::optional<bool> keep_dims = std::nullopt;
  std::optional<bool> noop_with_empty_axes = std::nullopt;
  std::optional<bool> select_last_index = std::nullopt;
};

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_REDUCTION_H_
