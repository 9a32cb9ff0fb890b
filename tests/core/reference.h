// The definition of every reduction, as slowly and plainly as possible: the
// elements of each output are gathered by coordinates and folded one by one, in
// 113-bit floats and 128-bit integers. Shares nothing with core but the names
// of types and operators.
#ifndef REDUCTOR_TESTS_CORE_REFERENCE_H_
#define REDUCTOR_TESTS_CORE_REFERENCE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/dtype.h"
#include "core/operators.h"

namespace reductor {

__extension__ using Float128 = __float128;
__extension__ using Signed128 = __int128;
__extension__ using Unsigned128 = unsigned __int128;

// What an output may be: within `error` of `value`, before it is rounded to its
// type. Integers have no error.
template <class Value>
struct Expected {
  Value value;
  long double error = 0;
};

// The elements that fold into each output, outputs and elements in row-major
// order. `reduced` says of each dim whether it is.
template <class T>
std::vector<std::vector<T>> ElementsByOutput(const std::vector<T>& x,
                                             const std::vector<int64_t>& shape,
                                             const std::vector<bool>& reduced) {
  int64_t outputs = 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (!reduced[d]) outputs *= shape[d];
  }
  std::vector<std::vector<T>> elements(outputs);
  std::vector<int64_t> at(shape.size(), 0);
  for (const T element : x) {
    int64_t output = 0;
    for (size_t d = 0; d < shape.size(); ++d) {
      if (!reduced[d]) output = output * shape[d] + at[d];
    }
    elements[output].push_back(element);
    for (size_t d = shape.size(); d-- > 0 && ++at[d] == shape[d];) at[d] = 0;
  }
  return elements;
}

// The position of the first largest (or smallest) element.
template <class T>
int64_t FirstPosition(const std::vector<T>& x, bool largest) {
  const auto less = [](T a, T b) { return Widen(a) < Widen(b); };
  return (largest ? std::max_element(x.begin(), x.end(), less)
                  : std::min_element(x.begin(), x.end(), less)) -
         x.begin();
}

// Of finite floats without -0, for every operator that answers a float. The
// error bounds are the contract's: 2^-48 of
// the sum of the absolute steps, N units for a product, and two units more for
// a logarithm.
template <class T>
Expected<Float128> ExpectedFloat(Operator op, const std::vector<T>& x) {
  constexpr long double kUnit = 0x1p-53L;
  constexpr long double kSumError = 0x1p-48L;
  const auto n = static_cast<long double>(x.size());
  Float128 sum = 0;
  Float128 absolute = 0;
  Float128 squares = 0;
  Float128 product = 1;
  Float128 largest = -std::numeric_limits<long double>::infinity();
  Float128 smallest = std::numeric_limits<long double>::infinity();
  for (const T element : x) {
    const Float128 v = Widen(element);
    sum += v;
    absolute += v < 0 ? -v : v;
    squares += v * v;
    product *= v;
    largest = std::max(largest, v);
    smallest = std::min(smallest, v);
  }
  const auto abs_sum = static_cast<long double>(absolute);
  const auto square_sum = static_cast<long double>(squares);
  switch (op) {
    case Operator::kReduceSum:
      return {sum, abs_sum * kSumError};
    case Operator::kReduceL1:
      return {absolute, abs_sum * kSumError};
    case Operator::kReduceSumSquare:
      return {squares, square_sum * kSumError};
    case Operator::kReduceL2:
      return {std::sqrt(square_sum), std::sqrt(square_sum) * kSumError};
    case Operator::kReduceMean:
      return {sum / n, abs_sum / n * kSumError};
    case Operator::kReduceProd:
      return {product,
              std::fabs(static_cast<long double>(product)) * n * kUnit};
    case Operator::kReduceMax:
      return {largest};
    case Operator::kReduceMin:
      return {smallest};
    case Operator::kReduceLogSum: {
      const long double log = std::log(static_cast<long double>(sum));
      const long double relative =
          std::fabs(abs_sum / static_cast<long double>(sum));
      return {log, relative * kSumError +
                       2 * kUnit * std::max(1.0L, std::fabs(log))};
    }
    case Operator::kReduceLogSumExp: {
      const auto shift = static_cast<long double>(largest);
      long double exps = 0;
      for (const T element : x) {
        exps += std::exp(static_cast<long double>(Widen(element)) - shift);
      }
      const long double result = shift + std::log(exps);
      return {x.empty() ? shift : result,
              kSumError + 2 * kUnit * std::max(1.0L, std::fabs(result))};
    }
    case Operator::kArgMax:
    case Operator::kArgMin:
    case Operator::kUnspecified:
    case Operator::kReduceLogicalAnd:
    case Operator::kReduceLogicalOr:
      break;
  }
  return {0};
}

// Toward zero; the smallest value for what is no number.
template <class T>
Signed128 Truncated(long double x) {
  if (std::isnan(x) || std::isinf(x)) return std::numeric_limits<T>::lowest();
  return static_cast<Signed128>(x);
}

// For every operator that answers an integer of the type. Modulo 2^64 where the
// contract wraps: the caller keeps the low bits.
template <class T>
Expected<Signed128> ExpectedInteger(Operator op, const std::vector<T>& x) {
  const auto n = static_cast<Signed128>(x.size());
  constexpr Signed128 kLargest = std::numeric_limits<T>::max();
  Signed128 sum = 0;
  uint64_t absolute = 0;
  uint64_t product = 1;
  Unsigned128 squares = 0;  // The sum of wide ones wraps.
  Signed128 largest = std::numeric_limits<T>::lowest();
  Signed128 smallest = kLargest;
  for (const T element : x) {
    const Signed128 v = element;
    sum += v;
    absolute += static_cast<uint64_t>(v < 0 ? -v : v);
    product *= static_cast<uint64_t>(v);
    squares += static_cast<Unsigned128>(v) * static_cast<Unsigned128>(v);
    largest = std::max(largest, v);
    smallest = std::min(smallest, v);
  }
  switch (op) {
    case Operator::kReduceSum:
      return {sum};
    case Operator::kReduceL1:
      return {static_cast<Signed128>(absolute)};
    case Operator::kReduceSumSquare:
      return {static_cast<Signed128>(squares)};
    case Operator::kReduceProd:
      return {static_cast<Signed128>(product)};
    case Operator::kReduceMean:
      return {n == 0 ? 0 : sum / n};
    case Operator::kReduceMax:
      return {largest};
    case Operator::kReduceMin:
      return {smallest};
    case Operator::kReduceL2: {
      auto root = static_cast<Unsigned128>(
          std::sqrt(static_cast<long double>(squares)));
      while (root * root > squares) --root;
      while ((root + 1) * (root + 1) <= squares) ++root;
      return {std::min(static_cast<Signed128>(root), kLargest)};
    }
    case Operator::kReduceLogSum:
      return {Truncated<T>(std::log(static_cast<long double>(sum)))};
    case Operator::kReduceLogSumExp: {
      const auto shift = static_cast<long double>(largest);
      long double exps = 0;
      for (const T element : x) exps += std::exp(element - shift);
      if (n == 0) return {largest};
      return {std::min(Truncated<T>(shift + std::log(exps)), kLargest)};
    }
    case Operator::kArgMax:
    case Operator::kArgMin:
    case Operator::kUnspecified:
    case Operator::kReduceLogicalAnd:
    case Operator::kReduceLogicalOr:
      break;
  }
  return {0};
}

}  // namespace reductor

#endif  // REDUCTOR_TESTS_CORE_REFERENCE_H_
