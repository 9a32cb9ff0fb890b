// The reduction operators: the one list that all layers expand.
//
// To add an operator: its name below, at the end, and in the Operator of
// reductor.proto; its struct in core/reducers/ and its name in the kernels/*.cc
// of its group; a row per version and a paragraph for users in schema.cc; and
// whether it leaves a single element as it is, in plan.cc.
#ifndef REDUCTOR_CORE_OPERATORS_H_
#define REDUCTOR_CORE_OPERATORS_H_

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "absl/strings/string_view.h"

namespace reductor {

// By their official names, which ONNX and OpenVINO share. The order is the
// wire's.
#define REDUCTOR_OPERATORS(X) \
  X(ReduceL1)                 \
  X(ReduceProd)               \
  X(ReduceSum)                \
  X(ReduceMean)               \
  X(ReduceMax)                \
  X(ReduceMin)                \
  X(ReduceL2)                 \
  X(ReduceSumSquare)          \
  X(ReduceLogSum)             \
  X(ReduceLogSumExp)          \
  X(ArgMax)                   \
  X(ArgMin)                   \
  X(ReduceLogicalAnd)         \
  X(ReduceLogicalOr)

// The enumerators carry the numbers of the wire's Operator, so an Operator read
// from a stranger may be none of them: IsKnown() says.
enum class Operator : int32_t {
  kUnspecified = 0,
#define X(name) k##name,
  REDUCTOR_OPERATORS(X)
#undef X
};

inline constexpr Operator kOperators[] = {
#define X(name) Operator::k##name,
    REDUCTOR_OPERATORS(X)
#undef X
};

// Its place among all of them, from 0; of one that IsKnown().
constexpr size_t IndexOf(Operator op) { return static_cast<size_t>(op) - 1; }

constexpr bool IsKnown(Operator op) {
  return IndexOf(op) < std::size(kOperators);
}

// The official name, such as "ReduceL1". Empty unless IsKnown(op).
constexpr absl::string_view NameOf(Operator op) {
  switch (op) {
    case Operator::kUnspecified:
      break;
#define X(name)           \
  case Operator::k##name: \
    return #name;
      REDUCTOR_OPERATORS(X)
#undef X
  }
  return "";
}

// Whether the operator answers where a value stands, along exactly one axis.
constexpr bool IsPosition(Operator op) {
  return op == Operator::kArgMax || op == Operator::kArgMin;
}

}  // namespace reductor

#endif  // REDUCTOR_CORE_OPERATORS_H_
