// Between the client's types and those of the wire. A server is a stranger too:
// what it says of a tensor is checked before anyone indexes by it.
#ifndef REDUCTOR_CLIENT_CODEC_H_
#define REDUCTOR_CLIENT_CODEC_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/reduction.h"
#include "client/tensor.h"
#include "reductor/v1/reductor.pb.h"

namespace reductor {

v1::ReduceRequest ToWire(Tensor tensor, absl::Span<const Reduction> reductions);

v1::ReduceStreamHeader ToWire(const TensorType& type,
                              absl::Span<const Reduction> reductions);

// The type of a tensor whose bytes int64 counts; any other is INTERNAL.
absl::StatusOr<TensorType> TypeFromWire(const v1::Tensor& wire);

// As many results as were asked for, each with the data that its type says;
// otherwise INTERNAL.
absl::StatusOr<std::vector<Tensor>> FromWire(v1::ReduceResponse response,
                                             size_t expected);

// INTERNAL unless there are as many results as were asked for.
absl::Status CheckResultCount(size_t answered, size_t expected);

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_CODEC_H_
