#include "client/check/values.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace reductor::check {
namespace {

constexpr long double kInfinity = std::numeric_limits<long double>::infinity();

long double FloatValue(const FloatFormat& format, uint64_t bits) {
  const uint64_t mantissa = bits & ((uint64_t{1} << format.mantissa_bits) - 1);
  const int max_exponent = (1 << format.exponent_bits) - 1;
  const int exponent =
      static_cast<int>(bits >> format.mantissa_bits) & max_exponent;
  const bool is_negative =
      bits >> (format.mantissa_bits + format.exponent_bits) & 1;
  if (exponent == max_exponent && mantissa != 0) {
    return std::numeric_limits<long double>::quiet_NaN();
  }
  long double magnitude = kInfinity;
  if (exponent != max_exponent) {
    // Exponent 0 means subnormal: the scale of exponent 1, no hidden bit.
    const uint64_t hidden =
        exponent == 0 ? 0 : uint64_t{1} << format.mantissa_bits;
    magnitude = std::ldexp(
        static_cast<long double>(hidden | mantissa),
        std::max(exponent, 1) - format.bias() - format.mantissa_bits);
  }
  return is_negative ? -magnitude : magnitude;
}

int BitsOf(DType dtype) { return 8 * static_cast<int>(SizeOf(dtype)); }

}  // namespace

std::optional<FloatFormat> FormatOf(DType dtype) {
  switch (dtype) {
    case DType::kFloat16:
      return FloatFormat{.exponent_bits = 5, .mantissa_bits = 10};
    case DType::kBFloat16:
      return FloatFormat{.exponent_bits = 8, .mantissa_bits = 7};
    case DType::kFloat32:
      return FloatFormat{.exponent_bits = 8, .mantissa_bits = 23};
    case DType::kFloat64:
      return FloatFormat{.exponent_bits = 11, .mantissa_bits = 52};
    case DType::kUnspecified:
    case DType::kInt8:
    case DType::kInt16:
    case DType::kInt32:
    case DType::kInt64:
    case DType::kUint8:
    case DType::kUint16:
    case DType::kUint32:
    case DType::kUint64:
    case DType::kBool:
      break;
  }
  return std::nullopt;
}

bool IsSigned(DType dtype) {
  return FormatOf(dtype).has_value() || dtype == DType::kInt8 ||
         dtype == DType::kInt16 || dtype == DType::kInt32 ||
         dtype == DType::kInt64;
}

long double Wrap(DType dtype, uint64_t x) {
  const int bits = BitsOf(dtype);
  if (bits < 64) x &= (uint64_t{1} << bits) - 1;
  const bool is_negative = IsSigned(dtype) && (x >> (bits - 1) & 1);
  const long double modulus = std::ldexp(1.0L, bits);
  return static_cast<long double>(x) - (is_negative ? modulus : 0);
}

long double ValueOf(DType dtype, uint64_t bits) {
  const std::optional<FloatFormat> format = FormatOf(dtype);
  return format ? FloatValue(*format, bits) : Wrap(dtype, bits);
}

uint64_t ToBits(long double x) {
  return x < 0 ? static_cast<uint64_t>(static_cast<int64_t>(x))
               : static_cast<uint64_t>(x);
}

long double SmallestInteger(DType dtype) {
  return IsSigned(dtype) ? -std::ldexp(1.0L, BitsOf(dtype) - 1) : 0;
}

long double LargestInteger(DType dtype) {
  return std::ldexp(1.0L, BitsOf(dtype) - (IsSigned(dtype) ? 1 : 0)) - 1;
}

long double Round(const FloatFormat& format, long double x) {
  if (!std::isfinite(x) || x == 0) return x;
  int exponent = 0;  // |x| is in [2^(exponent-1), 2^exponent).
  std::frexp(x, &exponent);
  const int unit =
      std::max(exponent - 1, 1 - format.bias()) - format.mantissa_bits;
  // Rounds as the environment does: to nearest, ties to even.
  const long double rounded =
      std::ldexp(std::nearbyint(std::ldexp(x, -unit)), unit);
  const long double limit = std::ldexp(1.0L, format.bias() + 1);
  return std::fabs(rounded) < limit ? rounded : std::copysign(kInfinity, x);
}

std::vector<long double> ValuesOf(const Tensor& tensor) {
  const size_t size = SizeOf(tensor.dtype);
  std::vector<long double> values;
  values.reserve(tensor.data.size() / size);
  for (size_t i = 0; i < tensor.data.size(); i += size) {
    uint64_t bits = 0;  // Little-endian, like the elements.
    std::memcpy(&bits, tensor.data.data() + i, size);
    values.push_back(ValueOf(tensor.dtype, bits));
  }
  return values;
}

}  // namespace reductor::check
