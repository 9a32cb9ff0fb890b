// Whether the local computation takes an answer for the right one, where a
// vector is reduced to one element of its type.
#ifndef REDUCTOR_TESTS_CLIENT_CHECK_IS_RIGHT_H_
#define REDUCTOR_TESTS_CLIENT_CHECK_IS_RIGHT_H_

#include <type_traits>
#include <vector>

#include "client/check/reference.h"

namespace reductor::check {

template <Element T>
bool IsRight(Operator op, const std::vector<std::type_identity_t<T>>& elements,
             T answer) {
  const auto count = static_cast<int64_t>(elements.size());
  const ExpectedTensor expected =
      ExpectedResult(MakeTensor<T>({count}, elements),
                     {.op = op, .axes = {0}, .keep_dims = false});
  return !FindMismatch(expected, MakeTensor<T>({}, {answer})).has_value();
}

// The same, and the neighbours of the integer are wrong.
template <Element T>
bool IsOnlyRight(Operator op,
                 const std::vector<std::type_identity_t<T>>& elements,
                 T answer) {
  return IsRight<T>(op, elements, answer) &&
         !IsRight<T>(op, elements, static_cast<T>(answer + 1)) &&
         !IsRight<T>(op, elements, static_cast<T>(answer - 1));
}

}  // namespace reductor::check

#endif  // REDUCTOR_TESTS_CLIENT_CHECK_IS_RIGHT_H_
