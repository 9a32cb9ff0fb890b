// Reduces a small tensor that lies together, without what larger ones need: it
// is one range, so nothing is cut, handed to threads, or joined.
//
// 24 float32 from plan to result: 240 to 300 ns by way of PiecewiseReduce, some
// 50 so. Beside that the largest of 512 KiB of float32 takes 4 us.
#ifndef REDUCTOR_CORE_SMALL_TENSOR_H_
#define REDUCTOR_CORE_SMALL_TENSOR_H_

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "core/plan.h"

namespace reductor {

// Whether ReduceSmall() takes the plan: then its elements are one range
// (nest.h), and it is no identity.
bool IsSmall(const Plan& plan);

// Writes all results, plan.output_bytes() bytes, with the bits that
// PiecewiseReduce gives.
// REQUIRES: IsSmall(plan), and `bytes` are the tensor's.
void ReduceSmall(const Plan& plan, absl::string_view bytes, std::byte* out);

}  // namespace reductor

#endif  // REDUCTOR_CORE_SMALL_TENSOR_H_
