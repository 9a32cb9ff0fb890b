// Short names for tests that write down tensors and results by hand.
#ifndef REDUCTOR_TESTS_CORE_VECTORS_H_
#define REDUCTOR_TESTS_CORE_VECTORS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "core/plan.h"

namespace reductor {

inline constexpr float kInf = std::numeric_limits<float>::infinity();
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
// No float64 holds it.
inline constexpr int64_t kBig = (int64_t{1} << 53) + 1;

// The newest ONNX version of the operator.
inline ReduceSpec Onnx(Operator op, std::vector<int64_t> axes) {
  return {.op = op, .axes = std::move(axes)};
}
inline ReduceSpec Onnx(Operator op, int32_t opset, std::vector<int64_t> axes) {
  return {.op = op, .opset = opset, .axes = std::move(axes)};
}
inline ReduceSpec Noop(Operator op, int32_t opset = kNewestOnnxOpset) {
  return {.op = op, .opset = opset, .noop_with_empty_axes = true};
}
inline ReduceSpec Openvino(Operator op, std::vector<int64_t> axes) {
  return {.op = op, .family = Family::kOpenvino, .axes = std::move(axes)};
}

// Values of a type that has no literals, and back.
template <class T>
std::vector<T> Narrowed(const std::vector<double>& values) {
  std::vector<T> narrowed;
  narrowed.reserve(values.size());
  for (const double value : values) narrowed.push_back(Narrow<T>(value));
  return narrowed;
}
template <class T>
std::vector<double> Widened(const std::vector<T>& values) {
  std::vector<double> widened;
  widened.reserve(values.size());
  for (const T value : values) widened.push_back(Widen(value));
  return widened;
}

// Whether all are equal, -0 not to 0, and NaNs to NaNs.
template <class T>
bool AreSame(const std::vector<T>& x, const std::vector<T>& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](T a, T b) {
    if constexpr (kIsFloat<T>) {
      const double wide = Widen(a);
      const double other = Widen(b);
      return std::signbit(wide) == std::signbit(other) &&
             (wide == other || (std::isnan(wide) && std::isnan(other)));
    } else {
      return a == b;
    }
  });
}

}  // namespace reductor

#endif  // REDUCTOR_TESTS_CORE_VECTORS_H_
