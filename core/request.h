// A request as strangers make it: nothing in it is checked yet.
#ifndef REDUCTOR_CORE_REQUEST_H_
#define REDUCTOR_CORE_REQUEST_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "core/dtype.h"
#include "core/operators.h"
#include "core/schema.h"

namespace reductor {

inline constexpr int64_t kMaxRank = 64;
inline constexpr int64_t kMaxReductions = 64;

struct TensorSpec {
  DType dtype = DType::kUnspecified;
  std::vector<int64_t> shape;
  std::optional<int64_t> data_bytes = 0;  // Absent: the data is yet to come.
};

struct ReduceSpec {
  Operator op = Operator::kUnspecified;
  Family family = Family::kOnnx;
  std::optional<int32_t> opset;  // Absent: the family's newest.
  std::vector<int64_t> axes;
  std::optional<bool> keep_dims;
  std::optional<bool> noop_with_empty_axes;
  std::optional<bool> select_last_index;
};

struct RequestSpec {
  std::vector<ReduceSpec> reductions;
  std::optional<TensorSpec> tensor;
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_REQUEST_H_
