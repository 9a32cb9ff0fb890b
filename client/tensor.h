// A dense tensor in the client's memory, and its way from and to C++ elements.
#ifndef REDUCTOR_CLIENT_TENSOR_H_
#define REDUCTOR_CLIENT_TENSOR_H_

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "core/dtype.h"

namespace reductor {

// All of a tensor but its elements.
struct TensorType {
  DType dtype = DType::kUnspecified;
  std::vector<int64_t> shape = {};  // Empty: a scalar, one element.

  friend bool operator==(const TensorType&, const TensorType&) = default;
};

// Row-major, little-endian, packed: the bytes that the wire carries.
struct Tensor {
  DType dtype = DType::kUnspecified;
  std::vector<int64_t> shape = {};  // Empty: a scalar, one element.
  std::string data = {};

  friend bool operator==(const Tensor&, const Tensor&) = default;
};

template <class T>
concept Element = kDTypeOf<T>
!= DType::kUnspecified;

// The product of the extents; 0 if any is 0. Absent when one is negative or
// when the elements, of `element_size` bytes each, are more bytes than int64
// counts.
inline std::optional<int64_t> ElementCount(absl::Span<const int64_t> shape,
                                           int64_t element_size) {
  bool is_empty = false;
  for (const int64_t extent : shape) {
    if (extent < 0) return std::nullopt;
    is_empty = is_empty || extent == 0;
  }
  if (is_empty) return 0;
  int64_t bytes = element_size;
  for (const int64_t extent : shape) {
    if (__builtin_mul_overflow(bytes, extent, &bytes)) return std::nullopt;
  }
  return bytes / element_size;
}

// The bytes that the elements take. Absent where ElementCount() is, and for a
// dtype that is none of ours.
inline std::optional<int64_t> ByteCount(const TensorType& type) {
  if (!IsKnown(type.dtype)) return std::nullopt;
  const std::optional<int64_t> count =
      ElementCount(type.shape, SizeOf(type.dtype));
  if (!count.has_value()) return std::nullopt;
  return *count * SizeOf(type.dtype);
}

// A tensor that owns a copy of the elements, which are row-major.
template <Element T>
Tensor MakeTensor(std::vector<int64_t> shape, absl::Span<const T> elements) {
  return {kDTypeOf<T>, std::move(shape),
          std::string(reinterpret_cast<const char*>(elements.data()),
                      elements.size() * sizeof(T))};
}

// The elements, row-major. REQUIRES: tensor.dtype == kDTypeOf<T>.
template <Element T>
std::vector<T> ElementsOf(const Tensor& tensor) {
  std::vector<T> elements(tensor.data.size() / sizeof(T));
  if (elements.empty()) return elements;  // memcpy takes no null pointer.
  std::memcpy(elements.data(), tensor.data.data(), elements.size() * sizeof(T));
  return elements;
}

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_TENSOR_H_
