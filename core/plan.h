// Turns any (shape, axes, flags) into one loop nest over the tensor in memory
// order. Kernels never see a shape; of a request that was checked (checks.h),
// only plan.cc knows the axes.
//
//   shape [2,3,4,5,6] axes {1,2,4}: K2 R3 R4 K5 R6 -> K2 R12 K5 R6
//                                   loops K2 R12 K5, tile 6 x 1
//   shape [64,512,512] axes {1}:    K64 R512 K512 -> loops K64, tile 512 x 512
//   all axes:                       one run of everything: tile N x 1
//   nothing reduced:                tile 1 x N: the elementwise step alone
#ifndef REDUCTOR_CORE_PLAN_H_
#define REDUCTOR_CORE_PLAN_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "core/dtype.h"
#include "core/kernels.h"
#include "core/operators.h"
#include "core/request.h"

namespace reductor {

// One loop of the nest: `extent` steps that are all kept or all reduced.
struct Loop {
  int64_t extent;
  bool reduced;

  friend bool operator==(const Loop&, const Loop&) = default;
};

// Tensors of up to so many bytes lie in the L2 cache, as what has just come
// does.
inline constexpr int64_t kNearBytes = 512 * 1024;

// Tensors of so many bytes come from memory. Of 8 and 256 MiB, GB/s
// unprefetched and prefetched:
//   the largest of rows of 64 float32, Zen 3          27  22   13  18
//   the largest of 4,096 columns of float32, Zen 4    67  56   19  21
inline constexpr int64_t kFarBytes = 16 * 1024 * 1024;

// A checked reduction. Where there is work to do (input_count > 0):
//   - the kept loops times `inner` give output_count;
//   - the reduced loops times `reduced` give reduced_count;
//   - neighbours in loops + tile differ in kind, and every element of the
//     tensor is visited once, in memory order.
struct Plan {
  Operator op;
  DType dtype;
  // Looked up once: a reduction of few elements takes not much longer.
  const Kernel* kernel = nullptr;
  DType output_dtype;
  std::vector<int64_t> output_shape;
  std::vector<Loop> loops;  // Slowest first.
  int64_t reduced = 1;      // The tile: `reduced` rows of `inner` elements.
  int64_t inner = 1;
  int64_t input_count = 0;
  int64_t output_count = 0;
  int64_t reduced_count = 0;  // Elements folded into each result.
  // The answer is the tensor itself, bit for bit: without axes OpenVINO's, and
  // ONNX's noop where nothing is done beside the reduction.
  bool is_identity = false;

  int64_t input_bytes() const { return input_count * SizeOf(dtype); }
  // Where the elements most likely are, by the size of all of the tensor: a
  // hint for speed alone. The pieces of a stream are nearer than it says.
  Source source() const {
    const int64_t bytes = input_bytes();
    return bytes >= kFarBytes    ? Source::kMemory
           : bytes <= kNearBytes ? Source::kOwnCache
                                 : Source::kSharedCache;
  }
  int64_t output_bytes() const { return output_count * SizeOf(output_dtype); }
};

// One plan per reduction, in order, or INVALID_ARGUMENT with every violation
// of the request (Violations::FromStatus): the tensor's first, then those of
// each reduction in order. The counts and byte counts of each plan fit int64;
// how much is too much is for the caller to say.
absl::StatusOr<std::vector<Plan>> MakePlans(const RequestSpec& request);

}  // namespace reductor

#endif  // REDUCTOR_CORE_PLAN_H_
