#include "core/kernels/mixed_kernels.h"

#include <cstddef>
#include <cstdint>

#include "core/cpu.h"
#include "core/kernels/avx2_choices.h"
#include "core/kernels/tables.h"
#include "core/order.h"
#include "hwy/highway.h"

namespace reductor {

#if REDUCTOR_MIXES_KERNELS

namespace {

// kFor(0), but that its loops over rows are those of kFor(n), where rows have n
// elements.
template <const Kernel& (*kFor)(int64_t n)>
Kernel MixRows() {
  Kernel kernel = kFor(0);
  kernel.fold_rows = [](const std::byte* x, int64_t rows, int64_t n,
                        std::byte* states, Into into, Source source) {
    kFor(n).fold_rows(x, rows, n, states, into, source);
  };
  if (kernel.reduce_rows != nullptr) {
    kernel.reduce_rows = [](const std::byte* x, int64_t rows, int64_t n,
                            std::byte* out, Source source) {
      kFor(n).reduce_rows(x, rows, n, out, source);
    };
  }
  return kernel;
}

// Kernel kType of operator kOp, of these tables, on such a CPU.
template <class On, Operator kOp, KernelTable kBest, KernelTable kAvx2,
          Source kSource, DType kType>
struct Mixed {
  static const Kernel& Choose(bool by_avx2) {
    return (by_avx2 ? kAvx2() : kBest())[IndexOf(kType)];
  }
  // For rows of `n` elements; and its trial.
  static const Kernel& ForRows(int64_t n) {
    return Choose(On::AreRowsForAvx2(kOp, kType, kSource, n));
  }
  static const Kernel& TrialForRows(int64_t n) { return *ForRows(n).trial; }

  static Kernel Make() {
    Kernel kernel = kBest()[IndexOf(kType)];
    if (kernel.fold_rows == nullptr) return kernel;
    if constexpr (On::AreRowsForAvx2(kOp, kType, kSource, kEndless)) {
      kernel = MixRows<ForRows>();
      if (kernel.trial != nullptr) {
        static const Kernel kTrial = MixRows<TrialForRows>();
        kernel.trial = &kTrial;
      }
    }
    if constexpr (On::WantsAvx2Columns(kOp, kType)) {
      kernel.fold_columns = [](const std::byte* x, int64_t rows, int64_t stride,
                               int64_t cols, std::byte* states, Into into,
                               Source source) {
        Choose(On::AreColumnsForAvx2(rows, cols, kSource))
            .fold_columns(x, rows, stride, cols, states, into, source);
      };
    }
    if constexpr (On::WantsAvx2NarrowSlabs(kOp, kType, kSource)) {
      kernel.fold_slabs = [](const std::byte* x, int64_t slabs, int64_t rows,
                             int64_t cols, std::byte* states, Into into,
                             Source source) {
        Choose(IsNarrowSlab(rows, cols))
            .fold_slabs(x, slabs, rows, cols, states, into, source);
      };
    }
    if constexpr (On::WantsAvx2Slabs(kOp, kType, kSource)) {
      kernel.reduce_slabs = [](const std::byte* x, int64_t slabs, int64_t rows,
                               int64_t stride, int64_t cols, std::byte* out,
                               Source source) {
        Choose(On::AreSlabsForAvx2(kOp, rows))
            .reduce_slabs(x, slabs, rows, stride, cols, out, source);
      };
    }
    return kernel;
  }
};

// Those of every type.
template <class On, Operator kOp, KernelTable kBest, KernelTable kAvx2,
          Source kSource>
const Kernel* MixedKernels() {
  static const Kernel kKernels[] = {
#define X(enumerator, type, name) \
  Mixed<On, kOp, kBest, kAvx2, kSource, DType::enumerator>::Make(),
      REDUCTOR_DTYPES(X)
#undef X
  };
  return kKernels;
}

// The operators of the tables, by these names.
using enum Operator;
constexpr Operator kArgMaxLast = kArgMax;
constexpr Operator kArgMinLast = kArgMin;

template <class On, Source kSource>
constexpr KernelTable kMixedTables[] = {
#define X(name) \
  MixedKernels<On, k##name, name##Kernels, name##Avx2Kernels, kSource>,
    REDUCTOR_KERNEL_TABLES(X)
#undef X
};

}  // namespace

bool WantsAvx2(CpuKind cpu) {
  return cpu == CpuKind::kZen4 || cpu == CpuKind::kGoldenCove;
}

const Kernel& WithAvx2(CpuKind cpu, Operator op, DType dtype,
                       bool select_last_index, Source source) {
  const bool is_zen4 = cpu == CpuKind::kZen4;
  // What comes from either cache is alike.
  const KernelTable* const tables =
      source == Source::kMemory
          ? (is_zen4 ? kMixedTables<OnZen4, Source::kMemory>
                     : kMixedTables<OnGoldenCove, Source::kMemory>)
          : (is_zen4 ? kMixedTables<OnZen4, Source::kSharedCache>
                     : kMixedTables<OnGoldenCove, Source::kSharedCache>);
  return tables[IndexOfTable(op, select_last_index)]()[IndexOf(dtype)];
}

#endif  // REDUCTOR_MIXES_KERNELS

}  // namespace reductor
