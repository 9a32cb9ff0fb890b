// Tensors as text for people: nested brackets, columns aligned to the right,
// large ones abridged.
#ifndef REDUCTOR_CLIENT_FORMAT_H_
#define REDUCTOR_CLIENT_FORMAT_H_

#include <string>

#include "absl/types/span.h"
#include "client/tensor.h"

namespace reductor {

// The elements, as numpy lays them out: from 1,001 elements on, only the first
// and the last three along each axis. A scalar is its value alone. Floats have
// the fewest digits that read back as the same value; the others are nan, inf,
// -inf. Without elements it is "[]" and the signature.
// REQUIRES: the data has the size that the type and the shape say.
std::string Format(const Tensor& tensor);

// The element type and the shape: "float32[2,3]".
std::string Signature(DType dtype, absl::Span<const int64_t> shape);

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_FORMAT_H_
