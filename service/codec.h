// Names of the wire <-> names of core. Their enumerations carry the same
// numbers, so each side casts; core checks what was asked, unknown numbers
// included.
#ifndef REDUCTOR_SERVICE_CODEC_H_
#define REDUCTOR_SERVICE_CODEC_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "core/plan.h"
#include "reductor/v1/reductor.pb.h"

namespace reductor {

// What `request` asks for, of a tensor whose data has `data_bytes` bytes.
// request.tensor().data() is not looked at: it travels beside the message.
RequestSpec Decode(const v1::ReduceRequest& request, int64_t data_bytes);

// The same for a stream, whose data is yet to come.
RequestSpec DecodeHeader(const v1::ReduceStreamHeader& header);

// The answers to come: one Tensor per plan, in order, without data.
std::vector<v1::Tensor> DescribeResults(absl::Span<const Plan> plans);

// The schema table as the wire has it.
v1::ListOperatorsResponse ListOperators();

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_CODEC_H_
