// The plain local computation that answers are compared with: coordinate by
// coordinate, sharing no code with core.
#ifndef REDUCTOR_CLIENT_CHECK_REFERENCE_H_
#define REDUCTOR_CLIENT_CHECK_REFERENCE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client/check/local_operators.h"
#include "client/client.h"
#include "client/tensor.h"

namespace reductor::check {

struct ExpectedTensor {
  DType dtype = DType::kUnspecified;
  std::vector<int64_t> shape = {};
  std::vector<Expected> elements = {};
  // Present where the answer is the tensor itself, bit for bit, but for bools,
  // which are 0 and 1.
  std::optional<std::string> data = std::nullopt;
};

// The right answer to a reduction.
// REQUIRES: a valid request, and FindLocalFunction() knows its operator for the
// tensor's type.
ExpectedTensor ExpectedResult(const Tensor& tensor, const Reduction& reduction);

// What is wrong with an answer, with both values; absent when it is right.
std::optional<std::string> FindMismatch(const ExpectedTensor& expected,
                                        const Tensor& actual);

}  // namespace reductor::check

#endif  // REDUCTOR_CLIENT_CHECK_REFERENCE_H_
