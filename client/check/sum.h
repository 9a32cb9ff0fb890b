// Sums as the local computation forms them: far more exact than any answer, and
// with the bound that the contract sets to an answer's error.
#ifndef REDUCTOR_CLIENT_CHECK_SUM_H_
#define REDUCTOR_CLIENT_CHECK_SUM_H_

#include <cstdint>

#include "absl/numeric/int128.h"
#include "absl/types/span.h"
#include "core/dtype.h"

namespace reductor::check {

// The relative error of one rounding to float64, in which floats are folded.
inline constexpr long double kUnit = 0x1p-53L;

// The contract's bound on a sum of that many steps, relative to the sum of
// their absolute values; 0 for a single step.
long double RelativeSumBound(DType dtype, int64_t count);

// A sum of floats.
class Sum {
 public:
  // `dtype`: of the tensor, whose elements give the steps.
  explicit Sum(DType dtype) : dtype_(dtype) {}

  void Add(long double step);

  // NaN and infinite as IEEE 754 says.
  long double value() const;

  // How far from it an answer may lie, for sums whose value is finite. 0 where
  // no order of additions in float64 rounds at all.
  long double error() const;

  // True where a partial sum may be beyond float64 though the sum is not, or
  // with the other sign: then the order of additions decides.
  bool may_overflow() const;

 private:
  DType dtype_;
  int64_t count_ = 0;
  long double sum_ = 0;
  long double lost_ = 0;      // What the roundings of sum_ lost.
  long double positive_ = 0;  // Of the finite steps with that sign,
  long double negative_ = 0;  // and of the others, negated.
  bool has_positive_ = false;
  bool has_negative_ = false;
  // Every step is a multiple of 2^unit_exponent_; meaningless without steps.
  int unit_exponent_ = 1 << 16;
};

// The exact sum of at most 2^32 integers.
absl::int128 SumOfIntegers(absl::Span<const long double> elements);

}  // namespace reductor::check

#endif  // REDUCTOR_CLIENT_CHECK_SUM_H_
