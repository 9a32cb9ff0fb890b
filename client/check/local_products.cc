// ReduceProd.
#include <cmath>
#include <cstdint>

#include "client/check/local_operators.h"
#include "client/check/sum.h"
#include "client/check/values.h"

namespace reductor::check {
namespace {

// The relative error of one rounding to the long double that stands for the
// exact value here.
constexpr long double kOwnUnit = 0x1p-64L;

// A partial product that leaves float64's normal range loses digits or becomes
// 0 or infinite, and which partial products there are is for the order to say.
bool MayLeaveRange(absl::Span<const long double> elements) {
  long double growth = 0;
  long double shrinkage = 0;
  for (const long double x : elements) {
    if (x == 0 || !std::isfinite(x)) continue;
    const long double log = std::log2(std::fabs(x));
    (log > 0 ? growth : shrinkage) += log;
  }
  return growth >= 1023 || shrinkage <= -1021;
}

// True where every order gives NaN.
bool HasNanProduct(absl::Span<const long double> elements) {
  bool has_zero = false;
  bool has_infinity = false;
  for (const long double x : elements) {
    if (std::isnan(x)) return true;
    has_zero = has_zero || x == 0;
    has_infinity = has_infinity || std::isinf(x);
  }
  return has_zero && has_infinity;
}

Expected ProdOfFloats(const Slice& slice) {
  if (HasNanProduct(slice.elements)) return {.value = NAN};
  const auto count = static_cast<long double>(slice.elements.size());
  // One factor is rounded to nothing but its own type.
  if (count > 1 && MayLeaveRange(slice.elements)) return {.is_open = true};
  long double product = 1;
  for (const long double x : slice.elements) product *= x;
  const long double error = count < 2 ? 0 : count * (kUnit + kOwnUnit);
  return {.value = product, .error = std::fabs(product) * error};
}

Expected ProdOfIntegers(const Slice& slice) {
  uint64_t product = 1;
  for (const long double x : slice.elements) product *= ToBits(x);
  return {.value = Wrap(slice.dtype, product)};
}

constexpr LocalOperator kProducts[] = {
    {Operator::kReduceProd, ProdOfFloats, ProdOfIntegers, nullptr},
};

}  // namespace

absl::Span<const LocalOperator> LocalProducts() { return kProducts; }

}  // namespace reductor::check
