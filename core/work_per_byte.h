// How long a reduction takes, without running it: for who decides whether to
// share it among threads, or on which thread to begin.
#ifndef REDUCTOR_CORE_WORK_PER_BYTE_H_
#define REDUCTOR_CORE_WORK_PER_BYTE_H_

#include <cstdint>

#include "core/dtype.h"
#include "core/kernels.h"
#include "core/operators.h"
#include "core/plan.h"

namespace reductor {

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

// In the time that this takes for a byte, a sum of float32 reads so many: at
// least 1; of an identity, which reads none, 0.
inline int64_t WorkPerByte(const Plan& plan) {
  if (plan.is_identity) return 0;
  // It reads each element twice, beside its exponential.
  if (plan.op == Operator::kReduceLogSumExp) {
    return 2 + kExponentialBytes / SizeOf(plan.dtype);
  }
  const bool are_widened_twice =
      SizeOf(plan.dtype) == 2 && !plan.kernel->is_exact;
  return are_widened_twice ? kWidenedBytes : 1;
}

}  // namespace reductor

#endif  // REDUCTOR_CORE_WORK_PER_BYTE_H_
