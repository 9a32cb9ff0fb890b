// Which rows, columns and slabs which CPUs fold by AVX2 though they have
// AVX-512 (mixed_kernels.h says why), as measured.
#ifndef REDUCTOR_CORE_KERNELS_AVX2_CHOICES_H_
#define REDUCTOR_CORE_KERNELS_AVX2_CHOICES_H_

#include <cstdint>

#include "core/dtype.h"
#include "core/kernels.h"
#include "core/operators.h"
#include "core/order.h"

namespace reductor {

// Whether the operator folds float32 in a wider type.
constexpr bool WidensFloat32(Operator op) {
  return op == Operator::kReduceSum || op == Operator::kReduceMean ||
         op == Operator::kReduceL1 || op == Operator::kReduceL2 ||
         op == Operator::kReduceSumSquare || op == Operator::kReduceLogSum ||
         op == Operator::kReduceProd;
}

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

}  // namespace reductor

#endif  // REDUCTOR_CORE_KERNELS_AVX2_CHOICES_H_
