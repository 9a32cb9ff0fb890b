// Which rows, columns and slabs which CPUs fold by AVX2 though they have
// AVX-512 (mixed_kernels.h says why), as measured.
#ifndef REDUCTOR_CORE_KERNELS_AVX2_CHOICES_H_
#define REDUCTOR_CORE_KERNELS_AVX2_CHOICES_H_

#include <cstdint>
#include <initializer_list>

#include "core/dtype.h"
#include "core/kernels.h"
#include "core/kernels/slab.h"
#include "core/operators.h"
#include "core/order.h"

namespace reductor {

constexpr bool IsOneOf(Operator op, std::initializer_list<Operator> some) {
  for (const Operator each : some) {
    if (each == op) return true;
  }
  return false;
}

// Whether its result is a sum of elements or of their magnitudes;
constexpr bool Adds(Operator op) {
  return IsOneOf(op, {Operator::kReduceSum, Operator::kReduceL1});
}

// or what is made of one, or a sum of squares.
constexpr bool AddsAndMore(Operator op) {
  return IsOneOf(op, {Operator::kReduceMean, Operator::kReduceL2,
                      Operator::kReduceSumSquare, Operator::kReduceLogSum});
}

// Whether it folds float32 in a wider type.
constexpr bool WidensFloat32(Operator op) {
  return Adds(op) || AddsAndMore(op) || op == Operator::kReduceProd;
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
    // Means, squares and the like of integers AVX2 adds in up to half as long
    // again.
    if (AddsAndMore(op) && dtype != DType::kFloat64) return false;
    // Of the rest only places gain in cache. Of int8, GB/s by AVX-512 and by
    // AVX2:
    //   places in rows of 600      37  42
    //   places in rows of 3,000    70  75
    return n >= 512 && (source == Source::kMemory || IsPosition(op));
  }

  // The same of float32 that are widened. GB/s by AVX-512 and by AVX2, in
  // cache, and beside a busy thread of the same core:
  //   sums of all             54  85   50  56
  //   sums of rows of 1,000   56  85
  //   sums of rows of 100     48  66
  //   L1 of all               55  67   48  48
  //   L1 of rows of 1,000     50  64   46  46
  //   L1 of rows of 64        46  58   37  37
  // Of fewer elements AVX-512 takes longer for a row's last ones, but less for
  // what fills its vectors, unless that is L1:
  //   sums of rows of 10      22  31
  //   sums of rows of 28      39  57
  //   sums of rows of 16      34  36   24  21
  //   sums of rows of 32      42  38   27  20
  //   L1 of rows of 32        33  46
  // From memory L1 is as fast by both, and sums are by AVX2, which loads halves
  // of lines (mixed_kernels.h).
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
  // From memory so many at most, in cache those of more rows than one pass
  // takes. GB/s by AVX-512 and by AVX2:
  //   L2 of 16 columns, from memory          24  25
  //   products of 900 columns, from memory   23  24
  //   L1 of 900 columns, from memory         23  24
  //   sums of 300 columns, walked down       47  61
  //   sums of 4,096 columns, passed over     44  44
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

  // Whether slabs are reduced by AVX2: the same, but for roots and logarithms
  // of few rows, as AVX-512 takes more of these at once, and for L1 of many. In
  // cache and from the L3 cache, GB/s by AVX-512 and by AVX2:
  //   sums of 3 x 300                 43  48   41  45
  //   sums of 12 x 2,000              53  76   52  68
  //   sums of squares of 5 x 20,000   49  68   49  66
  //   L2 of 4 x 1,000                 28  25   27  24
  //   logarithms of 8 x 300           23  19   19  13
  //   means of 24 x 300               63  64   45  42
  //   sums of 48 x 300                55  74
  //   L1 of 34 x 512                  51  54   35  31
  static constexpr bool WantsAvx2Slabs(Operator op, DType dtype,
                                       Source source) {
    return WantsAvx2NarrowSlabs(op, dtype, source);
  }
  static constexpr bool AreSlabsForAvx2(Operator op, int64_t rows) {
    return rows > kChainRows
               ? op != Operator::kReduceL1
               : !IsOneOf(op, {Operator::kReduceL2, Operator::kReduceLogSum});
  }
};

// What Intel's CPUs since Golden Cove, which have adders of their own, fold by
// AVX2: sums of float32 in cache, of whose elements they add four faster than
// eight (added_lanes-inl.h).
struct OnGoldenCove {
  static constexpr bool IsAdded(Operator op, DType dtype, Source source) {
    return source != Source::kMemory && dtype == DType::kFloat32 &&
           IsOneOf(op, {Operator::kReduceSum, Operator::kReduceMean,
                        Operator::kReduceLogSum});
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
