// What each operator makes of the elements that fold into one output: plainly,
// in long double for floats and in wide integers for the rest.
//
// To add an operator: its function for each kind of type and its row in the
// local_*.cc of its group; a new group also in FindLocalFunction().
#ifndef REDUCTOR_CLIENT_CHECK_LOCAL_OPERATORS_H_
#define REDUCTOR_CLIENT_CHECK_LOCAL_OPERATORS_H_

#include "absl/types/span.h"
#include "core/dtype.h"
#include "core/operators.h"

namespace reductor::check {

// The right answers: all that lie between value - error and value + error once
// these are rounded to the type; only NaN where the value is NaN.
struct Expected {
  long double value = 0;
  long double error = 0;
  // The contract leaves the answer to the order of computation.
  bool is_open = false;
  // A zero has the sign of the value; either sign will do elsewhere.
  bool is_sign_of_zero_fixed = false;
};

// All answers from `low` to `high`.
inline Expected Between(long double low, long double high) {
  return {.value = (low + high) / 2, .error = (high - low) / 2};
}

// What folds into one output: elements in the tensor's order, maybe none.
// Those of a bool tensor are 0 and 1.
struct Slice {
  absl::Span<const long double> elements;
  DType dtype = DType::kUnspecified;
  bool select_last_index = false;
};

using LocalFunction = Expected (*)(const Slice& slice);

// Null where the operator has no such types.
struct LocalOperator {
  Operator op;
  LocalFunction of_floats;
  LocalFunction of_integers;
  LocalFunction of_bools;
};

// The groups.
absl::Span<const LocalOperator> LocalSums();
absl::Span<const LocalOperator> LocalProducts();
absl::Span<const LocalOperator> LocalLogarithms();
absl::Span<const LocalOperator> LocalExtremes();
absl::Span<const LocalOperator> LocalPositions();

// Null for what the local computation does not know.
LocalFunction FindLocalFunction(Operator op, DType dtype);

}  // namespace reductor::check

#endif  // REDUCTOR_CLIENT_CHECK_LOCAL_OPERATORS_H_
