// Checks what a stranger asks for against the limits and the schema table, and
// finds all that is wrong with it at once.
#ifndef REDUCTOR_CORE_CHECKS_H_
#define REDUCTOR_CORE_CHECKS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "core/request.h"
#include "core/schema.h"
#include "core/violations.h"

namespace reductor {

// What is known of a tensor once it has been checked; a reduction is checked as
// far as these allow.
struct CheckedTensor {
  std::optional<DType> dtype;
  std::optional<int64_t> rank;
  // Known if rank and extents are valid, and its bytes fit int64.
  std::optional<int64_t> count;
};

// A reduction that may be computed.
struct CheckedReduction {
  const Schema* schema;
  // For each axis of the tensor, whether it is named; of ArgMax and ArgMin the
  // default one is, too.
  std::vector<bool> named_axes;
  // As asked for, or the version's default; false where it has none.
  bool keep_dims;
  bool noop_with_empty_axes;
  bool select_last_index;
};

// Adds to `violations` what is wrong with the tensor, its absence included.
CheckedTensor CheckTensor(const std::optional<TensorSpec>& tensor,
                          Violations& violations);

// Adds what is wrong with the number of reductions.
void CheckReductionCount(int64_t count, Violations& violations);

// Adds what is wrong with request.reductions[index]. Nullopt where that, or
// what is wrong with the tensor, keeps it from being computed. REQUIRES: 0 <=
// index < request.reductions.size(), and `tensor` is what CheckTensor() has
// answered for request.tensor.
std::optional<CheckedReduction> CheckReduction(const RequestSpec& request,
                                               const CheckedTensor& tensor,
                                               int64_t index,
                                               Violations& violations);

}  // namespace reductor

#endif  // REDUCTOR_CORE_CHECKS_H_
