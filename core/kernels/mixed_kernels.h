// Kernels whose loops are not all of the best instruction set that the CPU has:
// many rows, and some columns and slabs, Zen 4 folds faster by AVX2, and those
// of Intel's CPUs that have adders of their own some sums.
//
// What comes from beyond the L2 cache Zen 4 loads faster in halves of a line
// than in whole ones. And it widens float32 in fewer steps; why Intel's CPUs
// add four at a time, added_lanes-inl.h says. All of 256 MiB, Zen 4, GB/s by
// AVX-512 and by AVX2:
//   sums of int8             20  23
//   sums of float64          20  23
//   the largest of float32   21  24
//   a loop of additions      20  23
#ifndef REDUCTOR_CORE_KERNELS_MIXED_KERNELS_H_
#define REDUCTOR_CORE_KERNELS_MIXED_KERNELS_H_

#include "core/cpu.h"
#include "core/dtype.h"
#include "core/kernels.h"
#include "core/operators.h"
#include "hwy/detect_targets.h"

// Where both are compiled.
#define REDUCTOR_MIXES_KERNELS \
  ((HWY_TARGETS & HWY_AVX3) != 0 && (HWY_TARGETS & HWY_AVX2) != 0)

#if REDUCTOR_MIXES_KERNELS
namespace reductor {

// Whether kernels of AVX-512 are worth mixing on such a CPU.
bool WantsAvx2(CpuKind cpu);

// The kernel that folds by AVX2 what such a CPU folds faster so, and all else
// by the instruction set in use; its answers have the same bits. Valid for the
// life of the process. REQUIRES: as GetKernel(), and this CPU has AVX2.
const Kernel& WithAvx2(CpuKind cpu, Operator op, DType dtype,
                       bool select_last_index, Source source);

}  // namespace reductor
#endif  // REDUCTOR_MIXES_KERNELS

#endif  // REDUCTOR_CORE_KERNELS_MIXED_KERNELS_H_
