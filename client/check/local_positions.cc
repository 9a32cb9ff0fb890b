// ArgMax and ArgMin.
#include <cmath>

#include "client/check/local_operators.h"

namespace reductor::check {
namespace {

// True where a wins over b, whatever their places. A NaN wins over all else.
bool IsLarger(long double a, long double b) {
  return std::isnan(a) ? !std::isnan(b) : a > b;
}

bool IsSmaller(long double a, long double b) {
  return std::isnan(a) ? !std::isnan(b) : a < b;
}

// The first or last element over which none wins. REQUIRES: there is one.
template <bool (*Wins)(long double, long double)>
Expected PositionOf(const Slice& slice) {
  size_t best = 0;
  for (size_t i = 1; i < slice.elements.size(); ++i) {
    const long double x = slice.elements[i];
    const long double y = slice.elements[best];
    if (slice.select_last_index ? !Wins(y, x) : Wins(x, y)) best = i;
  }
  return {.value = static_cast<long double>(best)};
}

constexpr LocalOperator kPositions[] = {
    {Operator::kArgMax, PositionOf<IsLarger>, PositionOf<IsLarger>, nullptr},
    {Operator::kArgMin, PositionOf<IsSmaller>, PositionOf<IsSmaller>, nullptr},
};

}  // namespace

absl::Span<const LocalOperator> LocalPositions() { return kPositions; }

}  // namespace reductor::check
