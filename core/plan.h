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

// The bytes of a sum in cache that take as long as an element's exponential,
// 0.7 to 2 ns. LogSumExp of rows of 64 from the socket, one call after the
// other, with one thread and with two, us and us of CPU, Intel:
//   512 KiB of float16    1,294 (767) and 1,083 (933)
//   512 KiB of float32      914 (467) and   880 (700)
//   512 KiB of float64      801 (367) and   749 (500)
//   2 MiB of float32      2,684 (1,367) and 2,322 (1,567)
//   280 KiB of float32      559 (417) and   468 (539)
//   460 KiB of float64      637 (477) and   532 (605)
inline constexpr int64_t kExponentialBytes = 40;

// The same of a byte of float16 or bfloat16, which become float32 and then
// float64: in cache 16 GB/s, where sums of float32 have 50. From the socket two
// threads are sooner than one from half as many bytes on (sums of all float16,
// us and us of CPU, Intel: 1.5 MiB 1,022 (672) and 984 (804), 1.1 MiB 852 (576)
// and 871 (700)).
inline constexpr int64_t kWidenedBytes = 2;

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
  // How many bytes of a sum of float32 take as long as one of these. LogSumExp
  // reads each twice, beside the exponentials.
  int64_t work_per_byte() const {
    if (is_identity) return 1;
    if (kernel->joins_slowly) return 2 + kExponentialBytes / SizeOf(dtype);
    const bool are_widened_twice = SizeOf(dtype) == 2 && !kernel->is_exact;
    return are_widened_twice ? kWidenedBytes : 1;
  }
  // Where the elements most likely are: not so in a stream, whose pieces are
  // folded as they come.
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
