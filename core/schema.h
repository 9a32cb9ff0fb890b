// Every operator version of both families, as one table: which element types
// and attributes it allows and what it does when they are absent.
#ifndef REDUCTOR_CORE_SCHEMA_H_
#define REDUCTOR_CORE_SCHEMA_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/dtype.h"
#include "core/operators.h"

namespace reductor {

enum class Family : int32_t { kOnnx = 1, kOpenvino = 2 };

// "ONNX", "OpenVINO".
absl::string_view NameOf(Family family);

inline constexpr int32_t kNewestOnnxOpset = 28;
inline constexpr int32_t kNewestOpenvinoOpset = 16;

// The newest opset of the family that this build knows; opsets count from 1.
constexpr int32_t NewestOpset(Family family) {
  return family == Family::kOnnx ? kNewestOnnxOpset : kNewestOpenvinoOpset;
}

// The flags that some operator versions have and others do not.
enum class Attribute { kKeepDims, kNoopWithEmptyAxes, kSelectLastIndex };

inline constexpr Attribute kAttributes[] = {Attribute::kKeepDims,
                                            Attribute::kNoopWithEmptyAxes,
                                            Attribute::kSelectLastIndex};

// The name of the request's field: "keep_dims".
absl::string_view NameOf(Attribute attribute);

// One version of one operator.
struct Schema {
  Operator op;
  Family family;
  int32_t since_version;
  uint32_t dtypes;      // A bit per DType, by its number.
  uint32_t attributes;  // A bit per Attribute, by its number.

  // REQUIRES: IsKnown(dtype).
  bool Allows(DType dtype) const;
  bool Has(Attribute attribute) const;
  // What the attribute's absence means. REQUIRES: Has(attribute).
  bool DefaultOf(Attribute attribute) const;
  // All that it allows, in the order of the enumerations.
  std::vector<DType> DTypes() const;
  std::vector<Attribute> Attributes() const;
};

// The whole table: by operator, then family, then version.
absl::Span<const Schema> Schemas();

// The version that `opset` selects: the largest not above it. Null where the
// family does not have the operator, or not yet in that opset.
const Schema* FindSchema(Operator op, Family family, int32_t opset);

// What the operator computes and what it does at the edges: plain text for
// users. REQUIRES: the table has a row of the operator.
absl::string_view DocumentationOf(Operator op);

}  // namespace reductor

#endif  // REDUCTOR_CORE_SCHEMA_H_
