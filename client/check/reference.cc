#include "client/check/reference.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/check/values.h"
#include "client/format.h"

namespace reductor::check {
namespace {

// Says for each axis whether it is reduced.
std::vector<bool> ReducedAxes(int64_t rank, const Reduction& reduction) {
  std::vector<bool> is_reduced(rank, false);
  for (const int64_t axis : reduction.axes) {
    is_reduced[axis < 0 ? axis + rank : axis] = true;
  }
  if (!reduction.axes.empty() || rank == 0) return is_reduced;
  if (IsPosition(reduction.op)) {
    is_reduced[0] = true;
  } else if (!reduction.noop_with_empty_axes.value_or(false)) {
    is_reduced.assign(rank, true);
  }
  return is_reduced;
}

// The tensor as an identity answers it: of a bool's bytes all but 0 are 1.
std::string IdentityOf(const Tensor& tensor) {
  std::string data = tensor.data;
  if (tensor.dtype != DType::kBool) return data;
  for (char& byte : data) byte = byte == 0 ? 0 : 1;
  return data;
}

// The elements that fold into each output, outputs and elements in order.
std::vector<std::vector<long double>> ElementsByOutput(
    const Tensor& tensor, const std::vector<bool>& is_reduced) {
  const std::vector<int64_t>& shape = tensor.shape;
  int64_t output_count = 1;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (!is_reduced[axis]) output_count *= shape[axis];
  }
  std::vector<std::vector<long double>> elements(output_count);
  const std::vector<long double> values =
      ValuesOf({tensor.dtype, shape, IdentityOf(tensor)});
  for (size_t i = 0; i < values.size(); ++i) {
    int64_t rest = static_cast<int64_t>(i);
    int64_t output = 0;
    int64_t output_stride = 1;
    for (size_t axis = shape.size(); axis-- > 0;) {
      const int64_t coordinate = rest % shape[axis];
      rest /= shape[axis];
      if (is_reduced[axis]) continue;
      output += coordinate * output_stride;
      output_stride *= shape[axis];
    }
    elements[output].push_back(values[i]);
  }
  return elements;
}

std::vector<int64_t> OutputShape(const std::vector<int64_t>& shape,
                                 const std::vector<bool>& is_reduced,
                                 bool keep_dims) {
  std::vector<int64_t> output_shape;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (!is_reduced[axis]) {
      output_shape.push_back(shape[axis]);
    } else if (keep_dims) {
      output_shape.push_back(1);
    }
  }
  return output_shape;
}

long double RoundedTo(DType dtype, long double x) {
  const std::optional<FloatFormat> format = FormatOf(dtype);
  return format ? Round(*format, x) : x;
}

bool Allows(const Expected& expected, DType dtype, long double actual) {
  if (expected.is_open) return true;
  if (std::isnan(expected.value)) return std::isnan(actual);
  // An error is finite: it turns no finite value into an infinite one.
  if (std::isinf(expected.value) || std::isinf(actual)) {
    return actual == RoundedTo(dtype, expected.value);
  }
  if (actual == 0 && expected.value == 0 && expected.is_sign_of_zero_fixed) {
    return std::signbit(actual) == std::signbit(expected.value);
  }
  return actual >= RoundedTo(dtype, expected.value - expected.error) &&
         actual <= RoundedTo(dtype, expected.value + expected.error);
}

}  // namespace

ExpectedTensor ExpectedResult(const Tensor& tensor,
                              const Reduction& reduction) {
  const bool is_openvino = reduction.openvino_opset.has_value();
  if (is_openvino && reduction.axes.empty()) {
    return {tensor.dtype, tensor.shape, {}, IdentityOf(tensor)};
  }
  const std::vector<bool> is_reduced =
      ReducedAxes(std::ssize(tensor.shape), reduction);
  const LocalFunction function = FindLocalFunction(reduction.op, tensor.dtype);
  ExpectedTensor expected = {
      .dtype = IsPosition(reduction.op) ? DType::kInt64 : tensor.dtype,
      .shape = OutputShape(tensor.shape, is_reduced,
                           reduction.keep_dims.value_or(!is_openvino))};
  for (const auto& elements : ElementsByOutput(tensor, is_reduced)) {
    expected.elements.push_back(function(
        {elements, tensor.dtype, reduction.select_last_index.value_or(false)}));
  }
  return expected;
}

std::optional<std::string> FindMismatch(const ExpectedTensor& expected,
                                        const Tensor& actual) {
  if (actual.dtype != expected.dtype || actual.shape != expected.shape) {
    return absl::StrCat("expected ", Signature(expected.dtype, expected.shape),
                        ", got ", Signature(actual.dtype, actual.shape));
  }
  if (expected.data.has_value()) {
    if (actual.data == *expected.data) return std::nullopt;
    return "expected the tensor itself, got other bytes";
  }
  const std::vector<long double> values = ValuesOf(actual);
  for (size_t i = 0; i < values.size(); ++i) {
    const Expected& element = expected.elements[i];
    if (Allows(element, expected.dtype, values[i])) continue;
    return absl::StrFormat(
        "element %d of the result: expected %.21g within %.2g, got %.21g", i,
        RoundedTo(expected.dtype, element.value), element.error, values[i]);
  }
  return std::nullopt;
}

}  // namespace reductor::check
