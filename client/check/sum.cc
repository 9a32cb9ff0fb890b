#include "client/check/sum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace reductor::check {
namespace {

// More than what a compensated sum in long double loses, and the rounding of
// the steps themselves to long double.
constexpr long double kOwnError = 0x1p-62L;

// The exponent of the lowest bit of x. REQUIRES: x is finite and not 0.
int LowestBit(long double x) {
  int exponent = 0;
  const long double fraction = std::frexp(std::fabs(x), &exponent);
  const auto mantissa = static_cast<uint64_t>(std::ldexp(fraction, 64));
  return exponent - 64 + std::countr_zero(mantissa);
}

}  // namespace

long double RelativeSumBound(DType dtype, int64_t count) {
  if (count < 2) return 0;
  // Narrower types are far below their own rounding.
  if (dtype != DType::kFloat64) return 0x1p-48L;
  // Chains of at most 128 additions, joined pairwise.
  const auto n = static_cast<long double>(count);
  return std::min(n, 127 + std::log2(n)) * kUnit;
}

void Sum::Add(long double step) {
  ++count_;
  has_positive_ = has_positive_ || step > 0;
  has_negative_ = has_negative_ || step < 0;
  const long double sum = sum_ + step;
  if (std::isfinite(sum)) {
    // What the larger of the two leaves of the smaller is exact.
    lost_ += std::fabs(sum_) >= std::fabs(step) ? (sum_ - sum) + step
                                                : (step - sum) + sum_;
  }
  sum_ = sum;
  if (!std::isfinite(step) || step == 0) return;
  (step > 0 ? positive_ : negative_) += std::fabs(step);
  unit_exponent_ = std::min(unit_exponent_, LowestBit(step));
}

long double Sum::value() const {
  return std::isfinite(sum_) ? sum_ + lost_ : sum_;
}

long double Sum::error() const {
  const long double steps = positive_ + negative_;
  const bool is_exact = steps <= std::ldexp(1.0L, unit_exponent_ + 53);
  if (is_exact) return 0;
  return steps * (RelativeSumBound(dtype_, count_) + kOwnError);
}

bool Sum::may_overflow() const {
  return dtype_ == DType::kFloat64 && has_positive_ && has_negative_ &&
         std::max(positive_, negative_) > std::numeric_limits<double>::max();
}

absl::int128 SumOfIntegers(absl::Span<const long double> elements) {
  absl::int128 sum = 0;
  for (const long double x : elements) sum += absl::int128(x);
  return sum;
}

}  // namespace reductor::check
