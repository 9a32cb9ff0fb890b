#include "core/kernels/mixed_kernels.h"

#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/cpu.h"
#include "core/kernels/tables.h"
#include "core/order.h"
#include "hwy/highway.h"

namespace reductor {

#if REDUCTOR_MIXES_KERNELS

namespace {

// Whether the operator folds float32 in a wider type.
constexpr bool WidensFloat32(Operator op) {
  return op == Operator::kReduceSum || op == Operator::kReduceMean ||
         op == Operator::kReduceL1 || op == Operator::kReduceL2 ||
         op == Operator::kReduceSumSquare || op == Operator::kReduceLogSum ||
         op == Operator::kReduceProd;
}

// Of any row that is long.
constexpr int64_t kEndless = std::numeric_limits<int64_t>::max();

// What Zen 4 folds by AVX2.
struct OnZen4 {
  // Whether rows of n elements are.
  static constexpr bool AreRowsForAvx2(Operator op, DType dtype, Source source,
                                       int64_t n) {
    if (dtype == DType::kFloat16 || dtype == DType::kBFloat16 ||
        op == Operator::kReduceLogSumExp) {
      return false;
    }
    if (dtype == DType::kFloat32 && WidensFloat32(op)) {
      return AreWidenedRowsForAvx2(op, source, n);
    }
    // Places in rows of more than 8 bits are found by one pass, which AVX2 has
    // not (row_leader-inl.h).
    if (IsPosition(op) && SizeOf(dtype) > 1) return false;
    const bool adds = op == Operator::kReduceSum || op == Operator::kReduceL1;
    const bool adds_more =
        op == Operator::kReduceMean || op == Operator::kReduceL2 ||
        op == Operator::kReduceSumSquare || op == Operator::kReduceLogSum;
    // What these add of integers takes AVX2 up to half as long again.
    if (adds_more && dtype != DType::kFloat64) return false;
    // It takes several steps for the larger of two 64-bit integers and for
    // their products (the largest of all in the L2 cache 106 and 93).
    const bool has_64_bits = dtype == DType::kInt64 || dtype == DType::kUint64;
    const bool gains_in_cache = !adds_more && (adds || !has_64_bits);
    if (source != Source::kMemory && !gains_in_cache) return false;
    // In cache, the places in rows of 600 and 3,000 int8 37 and 70, 42 and 75;
    // sums of rows of 256 and 1,000 int8 58 and 75, 59 and 80.
    return n >= 512;
  }

  // The same of float32 that are widened. Sums in cache, GB/s by AVX-512 and by
  // AVX2: of all 54 and 85, of rows of 1,000 56 and 85, of 100 48 and 66; of
  // all beside a busy thread of the same core 50 and 56. L1 of all, of rows of
  // 1,000 and 64: 55 and 67, 50 and 64, 46 and 58; beside a busy thread by both
  // 48, 46 and 37; from memory 22 and 22, 24 and 23, 24 and 23. Of fewer than
  // 64 elements AVX-512 takes longer for a row's last ones (sums of 10, 13, 20
  // and 28 22 and 31, 27 and 39, 33 and 45, 39 and 57), but less for what fills
  // its vectors (of 16 and 32 34 and 36, 42 and 38; beside a busy thread 24 and
  // 21, 27 and 20), unless that is L1 (of 32 and 48 33 and 46, 34 and 45). From
  // memory they are alike.
  static constexpr bool AreWidenedRowsForAvx2(Operator op, Source source,
                                              int64_t n) {
    const bool is_l1 = op == Operator::kReduceL1;
    if (source == Source::kMemory) return n >= 64 && !is_l1;
    const bool are_short = n > 8 && n < (is_l1 ? 64 : 32) && n != 16;
    return are_short || n >= 64;
  }

  // Whether columns are folded by AVX2 too, some of them: of float32 that are
  // widened.
  static constexpr bool WantsAvx2Columns(Operator op, DType dtype) {
    return dtype == DType::kFloat32 && WidensFloat32(op);
  }
  // From memory so many at most (of 16 and 900 columns, one row a pass, GB/s by
  // AVX-512 and by AVX2: L2 24 and 23, 25 and 24; products 23 and 23, 24 and
  // 24; L1 25 and 23, 25 and 24); in cache those of more rows than one pass
  // takes (sums of 300 and 1,000, walked down, 47 and 48, 61 and 60; of 1,024
  // and 4,096, passed over, 46 and 44, 47 and 44).
  static constexpr bool AreColumnsForAvx2(int64_t rows, int64_t cols,
                                          Source source) {
    return source == Source::kMemory ? cols < 1024 : rows > kMaxPassRows;
  }

  // Whether narrow slabs are folded by AVX2: of float32 in cache that are
  // widened (sums and L1 of 16 columns, sums of slabs of 129 x 32: 52, 51 and
  // 43 GB/s by AVX-512, 73, 58 and 57 by AVX2).
  static constexpr bool WantsAvx2NarrowSlabs(Operator op, DType dtype,
                                             Source source) {
    return source != Source::kMemory && dtype == DType::kFloat32 &&
           WidensFloat32(op);
  }

  // Whether slabs are reduced by AVX2: the same, of so many rows (sums of 5,
  // 16, 24 and 48 rows of 300, GB/s by AVX-512 and by AVX2: 54, 70, 53 and 55,
  // 57, 75, 71 and 74, from the L3 cache of 34 of 512 49 and 43; of 3 42 by
  // both; means of 16, 24 and 48 49, 51 and 54, 49, 53 and 56; but L1 of 24 of
  // 1,000 and, from the L3 cache, of 34 of 512 53 and 42 by AVX-512, 54 and 37
  // by AVX2).
  static constexpr bool WantsAvx2Slabs(Operator op, DType dtype,
                                       Source source) {
    return WantsAvx2NarrowSlabs(op, dtype, source);
  }
  static constexpr bool AreSlabsForAvx2(Operator op, int64_t rows) {
    const bool are_few = rows <= kChainRows;
    const bool is_result =
        op == Operator::kReduceSum || op == Operator::kReduceL1 ||
        op == Operator::kReduceSumSquare || op == Operator::kReduceProd;
    return are_few ? is_result && rows >= 4 : op != Operator::kReduceL1;
  }
};

// What Intel's CPUs with adders of their own fold by AVX2: sums of float32 in
// cache, of whose elements they add four faster than eight (added_lanes-inl.h).
struct OnIntel {
  static constexpr bool IsAdded(Operator op, DType dtype, Source source) {
    return source != Source::kMemory && dtype == DType::kFloat32 &&
           (op == Operator::kReduceSum || op == Operator::kReduceMean ||
            op == Operator::kReduceLogSum);
  }

  // Of 400 elements 50 GB/s by AVX-512 and 40 by AVX2, of 600 50 and 53.
  static constexpr bool AreRowsForAvx2(Operator op, DType dtype, Source source,
                                       int64_t n) {
    return IsAdded(op, dtype, source) && n >= 512;
  }

  static constexpr bool WantsAvx2Columns(Operator /*op*/, DType /*dtype*/) {
    return false;
  }

  // Of 16 and 3 columns 50 and 46 GB/s by AVX-512, 53 and 52 by AVX2.
  static constexpr bool WantsAvx2NarrowSlabs(Operator op, DType dtype,
                                             Source source) {
    return IsAdded(op, dtype, source);
  }
  static constexpr bool WantsAvx2Slabs(Operator /*op*/, DType /*dtype*/,
                                       Source /*source*/) {
    return false;
  }
};

// Kernel kType of these tables.
template <KernelTable kBest, KernelTable kAvx2, DType kType>
const Kernel& Choose(bool by_avx2) {
  return (by_avx2 ? kAvx2() : kBest())[IndexOf(kType)];
}

// The one for rows of `n` elements.
template <class On, Operator kOp, KernelTable kBest, KernelTable kAvx2,
          Source kSource, DType kType>
const Kernel& KernelFor(int64_t n) {
  return Choose<kBest, kAvx2, kType>(
      On::AreRowsForAvx2(kOp, kType, kSource, n));
}

// The same of their trials.
template <class On, Operator kOp, KernelTable kBest, KernelTable kAvx2,
          Source kSource, DType kType>
const Kernel& TrialFor(int64_t n) {
  return *KernelFor<On, kOp, kBest, kAvx2, kSource, kType>(n).trial;
}

// The kernel for rows of no elements, which folds others as theirs do.
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

// Kernel kType of operator kOp, of these tables.
template <class On, Operator kOp, KernelTable kBest, KernelTable kAvx2,
          Source kSource, DType kType>
Kernel Mix() {
  Kernel kernel = kBest()[IndexOf(kType)];
  if (kernel.fold_rows == nullptr) return kernel;
  if constexpr (On::AreRowsForAvx2(kOp, kType, kSource, kEndless)) {
    kernel = MixRows<KernelFor<On, kOp, kBest, kAvx2, kSource, kType>>();
    if (kernel.trial != nullptr) {
      static const Kernel kTrial =
          MixRows<TrialFor<On, kOp, kBest, kAvx2, kSource, kType>>();
      kernel.trial = &kTrial;
    }
  }
  if constexpr (On::WantsAvx2Columns(kOp, kType)) {
    kernel.fold_columns = [](const std::byte* x, int64_t rows, int64_t stride,
                             int64_t cols, std::byte* states, Into into,
                             Source source) {
      Choose<kBest, kAvx2, kType>(On::AreColumnsForAvx2(rows, cols, kSource))
          .fold_columns(x, rows, stride, cols, states, into, source);
    };
  }
  if constexpr (On::WantsAvx2NarrowSlabs(kOp, kType, kSource)) {
    kernel.fold_slabs = [](const std::byte* x, int64_t slabs, int64_t rows,
                           int64_t cols, std::byte* states, Into into,
                           Source source) {
      Choose<kBest, kAvx2, kType>(IsNarrowSlab(rows, cols))
          .fold_slabs(x, slabs, rows, cols, states, into, source);
    };
  }
  if constexpr (On::WantsAvx2Slabs(kOp, kType, kSource)) {
    kernel.reduce_slabs = [](const std::byte* x, int64_t slabs, int64_t rows,
                             int64_t stride, int64_t cols, std::byte* out,
                             Source source) {
      Choose<kBest, kAvx2, kType>(On::AreSlabsForAvx2(kOp, rows))
          .reduce_slabs(x, slabs, rows, stride, cols, out, source);
    };
  }
  return kernel;
}

// Those of every type.
template <class On, Operator kOp, KernelTable kBest, KernelTable kAvx2,
          Source kSource>
const Kernel* MixedKernels() {
  static const Kernel kKernels[] = {
#define X(enumerator, type, name) \
  Mix<On, kOp, kBest, kAvx2, kSource, DType::enumerator>(),
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
  return cpu == CpuKind::kZen4 || cpu == CpuKind::kOther;
}

const Kernel& WithAvx2(CpuKind cpu, Operator op, DType dtype,
                       bool select_last_index, Source source) {
  const bool is_zen4 = cpu == CpuKind::kZen4;
  const KernelTable* const tables =
      source == Source::kMemory
          ? (is_zen4 ? kMixedTables<OnZen4, Source::kMemory>
                     : kMixedTables<OnIntel, Source::kMemory>)
          : (is_zen4 ? kMixedTables<OnZen4, Source::kCache>
                     : kMixedTables<OnIntel, Source::kCache>);
  return tables[IndexOfTable(op, select_last_index)]()[IndexOf(dtype)];
}

#endif  // REDUCTOR_MIXES_KERNELS

}  // namespace reductor
