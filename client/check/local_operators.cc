#include "client/check/local_operators.h"

#include "client/check/values.h"

namespace reductor::check {

LocalFunction FindLocalFunction(Operator op, DType dtype) {
  for (const auto group : {LocalSums(), LocalProducts(), LocalLogarithms(),
                           LocalExtremes(), LocalPositions()}) {
    for (const LocalOperator& row : group) {
      if (row.op != op) continue;
      if (dtype == DType::kBool) return row.of_bools;
      return FormatOf(dtype) ? row.of_floats : row.of_integers;
    }
  }
  return nullptr;
}

}  // namespace reductor::check
