#include "core/mixed_kernels.h"

#include <cstddef>

#include "core/cpu.h"
#include "core/dtype.h"
#include "hwy/highway.h"

namespace reductor {

#if HWY_TARGETS & HWY_AVX2

// From the kernels_*.cc.
#define X(name)                  \
  const Kernel* name##Kernels(); \
  const Kernel* name##Avx2Kernels();
REDUCTOR_OPERATORS(X)
#undef X

namespace {

template <const Kernel* (*kBest)(), const Kernel* (*kAvx2)()>
Kernel Mix() {
  static constexpr auto kKernelFor = [](int64_t n) -> const Kernel& {
    return (n < kFewestForAvx2 ? kBest() : kAvx2())[IndexOf(DType::kFloat32)];
  };
  Kernel kernel = kKernelFor(0);
  kernel.fold_rows = [](const std::byte* x, int64_t rows, int64_t n,
                        std::byte* states, Into into) {
    kKernelFor(n).fold_rows(x, rows, n, states, into);
  };
  if (kernel.reduce_rows != nullptr) {
    kernel.reduce_rows = [](const std::byte* x, int64_t rows, int64_t n,
                            std::byte* out) {
      kKernelFor(n).reduce_rows(x, rows, n, out);
    };
  }
  return kernel;
}

}  // namespace

bool WantsAvx2Rows(Operator op, const Kernel& kernel) {
  return kCpuKind == CpuKind::kZen4 && kernel.widens_float32 &&
         op != Operator::kReduceL1;
}

const Kernel& WithAvx2Rows(Operator op) {
  // Of every operator, though few are asked for.
  static const Kernel kKernels[] = {
#define X(name) Mix<name##Kernels, name##Avx2Kernels>(),
      REDUCTOR_OPERATORS(X)
#undef X
  };
  return kKernels[IndexOf(op)];
}

#else

bool WantsAvx2Rows(Operator /*op*/, const Kernel& /*kernel*/) { return false; }

const Kernel& WithAvx2Rows(Operator op) {
  return GetKernel(op, DType::kFloat32);
}

#endif

}  // namespace reductor
