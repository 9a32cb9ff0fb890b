// Kernels whose loops are not all of the best instruction set that the CPU has.
#ifndef REDUCTOR_CORE_MIXED_KERNELS_H_
#define REDUCTOR_CORE_MIXED_KERNELS_H_

#include <cstdint>

#include "core/kernels.h"
#include "core/operators.h"

namespace reductor {

// Rows of at least so many float32 Zen 4 folds faster by AVX2, which widens
// them in fewer steps: in cache, GB/s by AVX-512 and by AVX2, sums of all 54
// and 85, of rows of 1,000 56 and 85, of 100 48 and 66, of 32 42 and 45, of 17
// 27 and 21; of all beside a busy thread of the same core 50 and 56. Columns
// and slabs gain nothing.
inline constexpr int64_t kFewestForAvx2 = 64;

// Whether the kernel, of AVX-512, is worth mixing on this CPU. That of ReduceL1
// is not, as a magnitude takes AVX2 a step more (of all 55 and 64 GB/s, but
// beside a busy thread 46 and 39).
bool WantsAvx2Rows(Operator op, const Kernel& kernel);

// The kernel for float32 that folds rows of kFewestForAvx2 and more by AVX2,
// and all else as GetKernel()'s; its answers have the same bits. Valid for the
// life of the process. REQUIRES: the CPU has AVX2.
const Kernel& WithAvx2Rows(Operator op);

}  // namespace reductor

#endif  // REDUCTOR_CORE_MIXED_KERNELS_H_
