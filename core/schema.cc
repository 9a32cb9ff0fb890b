#include "core/schema.h"

#include <algorithm>
#include <iterator>

namespace reductor {
namespace {

constexpr uint32_t Bit(DType dtype) { return 1u << static_cast<int>(dtype); }
constexpr uint32_t Bit(Attribute a) { return 1u << static_cast<int>(a); }

// The type sets that the ONNX operators grew through, oldest first.
constexpr uint32_t kF7 = Bit(DType::kUint32) | Bit(DType::kUint64) |
                         Bit(DType::kInt32) | Bit(DType::kInt64) |
                         Bit(DType::kFloat16) | Bit(DType::kFloat32) |
                         Bit(DType::kFloat64);
constexpr uint32_t kF8 = kF7 | Bit(DType::kBFloat16);
constexpr uint32_t k8Bit = Bit(DType::kInt8) | Bit(DType::kUint8);
constexpr uint32_t kN9 = kF7 | k8Bit;
constexpr uint32_t kN10 = kF8 | k8Bit;
constexpr uint32_t kN11 = kN10 | Bit(DType::kBool);
constexpr uint32_t kA11 = kN9 | Bit(DType::kInt16) | Bit(DType::kUint16);
constexpr uint32_t kA12 = kA11 | Bit(DType::kBFloat16);
constexpr uint32_t kFloats = Bit(DType::kFloat16) | Bit(DType::kBFloat16) |
                             Bit(DType::kFloat32) | Bit(DType::kFloat64);

// OpenVINO: "any supported numeric type", or boolean.
constexpr uint32_t kNumeric = kA12;
constexpr uint32_t kBoolean = Bit(DType::kBool);

constexpr uint32_t kKeep = Bit(Attribute::kKeepDims);
constexpr uint32_t kKeepNoop = kKeep | Bit(Attribute::kNoopWithEmptyAxes);
constexpr uint32_t kKeepLast = kKeep | Bit(Attribute::kSelectLastIndex);

using enum Operator;
using enum Family;

//  operator  family  since  types  attributes
constexpr Schema kSchemas[] = {
    {kReduceL1, kOnnx, 1, kF7, kKeep},
    {kReduceL1, kOnnx, 11, kF7, kKeep},
    {kReduceL1, kOnnx, 13, kF8, kKeep},
    {kReduceL1, kOnnx, 18, kF8, kKeepNoop},
    {kReduceL1, kOpenvino, 4, kNumeric, kKeep},
    {kReduceProd, kOnnx, 1, kF7, kKeep},
    {kReduceProd, kOnnx, 11, kF7, kKeep},
    {kReduceProd, kOnnx, 13, kF8, kKeep},
    {kReduceProd, kOnnx, 18, kF8, kKeepNoop},
    {kReduceProd, kOpenvino, 1, kNumeric, kKeep},
    {kReduceSum, kOnnx, 1, kF7, kKeep},
    {kReduceSum, kOnnx, 11, kF7, kKeep},
    {kReduceSum, kOnnx, 13, kF8, kKeepNoop},
    {kReduceSum, kOpenvino, 1, kNumeric, kKeep},
    {kReduceMean, kOnnx, 1, kF7, kKeep},
    {kReduceMean, kOnnx, 11, kF7, kKeep},
    {kReduceMean, kOnnx, 13, kF8, kKeep},
    {kReduceMean, kOnnx, 18, kF8, kKeepNoop},
    {kReduceMean, kOpenvino, 1, kNumeric, kKeep},
    {kReduceMax, kOnnx, 1, kF7, kKeep},
    {kReduceMax, kOnnx, 11, kF7, kKeep},
    {kReduceMax, kOnnx, 12, kN9, kKeep},
    {kReduceMax, kOnnx, 13, kN10, kKeep},
    {kReduceMax, kOnnx, 18, kN10, kKeepNoop},
    {kReduceMax, kOnnx, 20, kN11, kKeepNoop},
    {kReduceMax, kOpenvino, 1, kNumeric, kKeep},
    {kReduceMin, kOnnx, 1, kF7, kKeep},
    {kReduceMin, kOnnx, 11, kF7, kKeep},
    {kReduceMin, kOnnx, 12, kN9, kKeep},
    {kReduceMin, kOnnx, 13, kN10, kKeep},
    {kReduceMin, kOnnx, 18, kN10, kKeepNoop},
    {kReduceMin, kOnnx, 20, kN11, kKeepNoop},
    {kReduceMin, kOpenvino, 1, kNumeric, kKeep},
    {kReduceL2, kOnnx, 1, kF7, kKeep},
    {kReduceL2, kOnnx, 11, kF7, kKeep},
    {kReduceL2, kOnnx, 13, kF8, kKeep},
    {kReduceL2, kOnnx, 18, kF8, kKeepNoop},
    {kReduceL2, kOpenvino, 4, kNumeric, kKeep},
    {kReduceSumSquare, kOnnx, 1, kF7, kKeep},
    {kReduceSumSquare, kOnnx, 11, kF7, kKeep},
    {kReduceSumSquare, kOnnx, 13, kF8, kKeep},
    {kReduceSumSquare, kOnnx, 18, kF8, kKeepNoop},
    {kReduceLogSum, kOnnx, 1, kF7, kKeep},
    {kReduceLogSum, kOnnx, 11, kF7, kKeep},
    {kReduceLogSum, kOnnx, 13, kF8, kKeep},
    {kReduceLogSum, kOnnx, 18, kF8, kKeepNoop},
    {kReduceLogSum, kOnnx, 28, kFloats, kKeepNoop},
    {kReduceLogSumExp, kOnnx, 1, kF7, kKeep},
    {kReduceLogSumExp, kOnnx, 11, kF7, kKeep},
    {kReduceLogSumExp, kOnnx, 13, kF8, kKeep},
    {kReduceLogSumExp, kOnnx, 18, kF8, kKeepNoop},
    {kReduceLogSumExp, kOnnx, 28, kFloats, kKeepNoop},
    {kArgMax, kOnnx, 1, kA11, kKeep},
    {kArgMax, kOnnx, 11, kA11, kKeep},
    {kArgMax, kOnnx, 12, kA11, kKeepLast},
    {kArgMax, kOnnx, 13, kA12, kKeepLast},
    {kArgMin, kOnnx, 1, kA11, kKeep},
    {kArgMin, kOnnx, 11, kA11, kKeep},
    {kArgMin, kOnnx, 12, kA11, kKeepLast},
    {kArgMin, kOnnx, 13, kA12, kKeepLast},
    {kReduceLogicalAnd, kOpenvino, 1, kBoolean, kKeep},
    {kReduceLogicalOr, kOpenvino, 1, kBoolean, kKeep},
};

}  // namespace

absl::string_view NameOf(Family family) {
  switch (family) {
    case kOnnx:
      return "ONNX";
    case kOpenvino:
      return "OpenVINO";
  }
  return "";
}

absl::string_view NameOf(Attribute attribute) {
  switch (attribute) {
    case Attribute::kKeepDims:
      return "keep_dims";
    case Attribute::kNoopWithEmptyAxes:
      return "noop_with_empty_axes";
    case Attribute::kSelectLastIndex:
      return "select_last_index";
  }
  return "";
}

bool Schema::Allows(DType dtype) const { return (dtypes & Bit(dtype)) != 0; }

bool Schema::Has(Attribute attribute) const {
  return (attributes & Bit(attribute)) != 0;
}

bool Schema::DefaultOf(Attribute attribute) const {
  return attribute == Attribute::kKeepDims && family == kOnnx;
}

std::vector<DType> Schema::DTypes() const {
  std::vector<DType> allowed;
  std::copy_if(std::begin(kDTypes), std::end(kDTypes),
               std::back_inserter(allowed),
               [this](DType d) { return Allows(d); });
  return allowed;
}

std::vector<Attribute> Schema::Attributes() const {
  std::vector<Attribute> present;
  std::copy_if(std::begin(kAttributes), std::end(kAttributes),
               std::back_inserter(present),
               [this](Attribute a) { return Has(a); });
  return present;
}

absl::Span<const Schema> Schemas() { return kSchemas; }

const Schema* FindSchema(Operator op, Family family, int32_t opset) {
  const Schema* found = nullptr;
  for (const Schema& schema : kSchemas) {
    if (schema.op == op && schema.family == family &&
        schema.since_version <= opset) {
      found = &schema;  // Versions ascend, so the last one wins.
    }
  }
  return found;
}

absl::string_view DocumentationOf(Operator op) {
  switch (op) {
    case kUnspecified:
      break;
    case kReduceL1:
      return "The sum of absolute values. Floats are summed in float64, "
             "narrower results rounded once; integers wrap modulo 2^bits, so "
             "that the absolute value of the smallest integer is itself. "
             "Nothing to sum gives 0. With noop_with_empty_axes and no axes "
             "each element becomes its absolute value; OpenVINO without axes "
             "answers the tensor unchanged, negative values included.";
    case kReduceProd:
      return "The product. Floats are multiplied in float64, narrower results "
             "rounded once; integers wrap modulo 2^bits. Nothing to multiply "
             "gives 1. Without axes, noop_with_empty_axes and OpenVINO leave "
             "the tensor unchanged.";
    case kReduceSum:
      return "The sum. Floats are summed in float64, narrower results rounded "
             "once; integers wrap modulo 2^bits. Nothing to sum gives 0. "
             "Without axes, noop_with_empty_axes and OpenVINO leave the tensor "
             "unchanged.";
    case kReduceMean:
      return "The arithmetic mean. Floats are summed in float64, without "
             "overflow where the mean is representable, narrower results "
             "rounded once; integers are summed exactly and the quotient is "
             "truncated toward zero. The mean of nothing is NaN, 0 for "
             "integers. Without axes, noop_with_empty_axes and OpenVINO leave "
             "the tensor unchanged.";
    case kReduceMax:
      return "The largest value. Any NaN gives NaN, +0 is larger than -0, true "
             "than false. Nothing gives -infinity, or the smallest value of a "
             "type that has none. Without axes, noop_with_empty_axes and "
             "OpenVINO leave the tensor unchanged.";
    case kReduceMin:
      return "The smallest value. Any NaN gives NaN, -0 is smaller than +0, "
             "false than true. Nothing gives +infinity, or the largest value "
             "of a type that has none. Without axes, noop_with_empty_axes and "
             "OpenVINO leave the tensor unchanged.";
    case kReduceL2:
      return "The square root of the sum of squares. No intermediate of floats "
             "overflows or vanishes where the result is representable; "
             "integers give the integer part of the exact root, at most their "
             "largest value. Nothing gives 0. With noop_with_empty_axes and no "
             "axes each element becomes its absolute value; OpenVINO without "
             "axes answers the tensor unchanged, negative values included.";
    case kReduceSumSquare:
      return "The sum of squares. Floats are summed in float64, narrower "
             "results rounded once; integers wrap modulo 2^bits. Nothing to "
             "sum gives 0. With noop_with_empty_axes and no axes each element "
             "is squared.";
    case kReduceLogSum:
      return "The natural logarithm of the sum. A sum of 0 gives -infinity, a "
             "negative one NaN. Integers, up to opset 27, are summed exactly "
             "and the logarithm is truncated toward zero; a sum of 0 or less "
             "gives their smallest value. Nothing gives what a sum of 0 gives. "
             "With noop_with_empty_axes and no axes each element becomes its "
             "logarithm.";
    case kReduceLogSumExp:
      return "The natural logarithm of the sum of exponentials, relative to "
             "the largest element, so that none overflows. Any NaN gives NaN, "
             "otherwise +infinity gives +infinity; -infinity alone, or "
             "nothing, gives -infinity. Integers, up to opset 27, are "
             "truncated toward zero and stay within their type; of them "
             "nothing gives the smallest value. With noop_with_empty_axes and "
             "no axes the tensor is unchanged.";
    case kArgMax:
      return "The index of the largest value along one axis (axis 0 unless "
             "named), as int64. Of equal values the first, or the last with "
             "select_last_index; 0 and -0 are equal, a NaN beats every value. "
             "An axis without elements is refused.";
    case kArgMin:
      return "The index of the smallest value along one axis (axis 0 unless "
             "named), as int64. Of equal values the first, or the last with "
             "select_last_index; 0 and -0 are equal, a NaN beats every value. "
             "An axis without elements is refused.";
    case kReduceLogicalAnd:
      return "Whether all are true; any byte but 0 is. Of nothing: true. "
             "Without axes each element becomes 0 or 1.";
    case kReduceLogicalOr:
      return "Whether any is true; any byte but 0 is. Of nothing: false. "
             "Without axes each element becomes 0 or 1.";
  }
  return "";
}

}  // namespace reductor
