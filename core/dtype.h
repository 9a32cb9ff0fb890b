// The element types a tensor may hold, and the values of the 16-bit floats.
//
// To add one: a row in REDUCTOR_DTYPES, at the end, and in the DataType of
// reductor.proto; its place in what schema.cc allows; and, if it has no
// arithmetic of its own, Widen/Narrow below and KeyType (ordered.h).
#ifndef REDUCTOR_CORE_DTYPE_H_
#define REDUCTOR_CORE_DTYPE_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <type_traits>

#include "absl/strings/string_view.h"

namespace reductor {

static_assert(std::endian::native == std::endian::little,
              "tensors are folded where they lie, and they are little-endian");

// Stored in 16 bits; arithmetic happens on Widen()ed values.
struct Float16 {
  uint16_t bits;
};
struct BFloat16 {
  uint16_t bits;
};

// One byte; any value but 0 is true.
struct Bool {
  uint8_t byte;
};

//  enumerator  C++ type  name
#define REDUCTOR_DTYPES(X)           \
  X(kFloat32, float, "float32")      \
  X(kFloat64, double, "float64")     \
  X(kFloat16, Float16, "float16")    \
  X(kBFloat16, BFloat16, "bfloat16") \
  X(kInt8, int8_t, "int8")           \
  X(kInt16, int16_t, "int16")        \
  X(kInt32, int32_t, "int32")        \
  X(kInt64, int64_t, "int64")        \
  X(kUint8, uint8_t, "uint8")        \
  X(kUint16, uint16_t, "uint16")     \
  X(kUint32, uint32_t, "uint32")     \
  X(kUint64, uint64_t, "uint64")     \
  X(kBool, Bool, "bool")

// The enumerators carry the numbers of the wire's DataType, so a DType read
// from a stranger may be none of them: IsKnown() says.
enum class DType : int32_t {
  kUnspecified = 0,
#define X(enumerator, type, name) enumerator,
  REDUCTOR_DTYPES(X)
#undef X
};

inline constexpr DType kDTypes[] = {
#define X(enumerator, type, name) DType::enumerator,
    REDUCTOR_DTYPES(X)
#undef X
};

// The DType of a C++ element type; kUnspecified for a type that is none.
template <class T>
inline constexpr DType kDTypeOf = DType::kUnspecified;
#define X(enumerator, type, name) \
  template <>                     \
  inline constexpr DType kDTypeOf<type> = DType::enumerator;
REDUCTOR_DTYPES(X)
#undef X

// The largest SizeOf() of any type.
inline constexpr int64_t kMaxElementSize = std::max({
#define X(enumerator, type, name) int64_t{sizeof(type)},
    REDUCTOR_DTYPES(X)
#undef X
});

// Its place among all of them, from 0; of one that IsKnown().
constexpr size_t IndexOf(DType dtype) { return static_cast<size_t>(dtype) - 1; }

constexpr bool IsKnown(DType dtype) {
  return IndexOf(dtype) < std::size(kDTypes);
}

// The size of one element in bytes. REQUIRES: IsKnown(dtype).
constexpr int64_t SizeOf(DType dtype) {
  switch (dtype) {
    case DType::kUnspecified:
      break;
#define X(enumerator, type, name) \
  case DType::enumerator:         \
    return sizeof(type);
      REDUCTOR_DTYPES(X)
#undef X
  }
  return 0;
}

// The name users know: "float32". Empty unless IsKnown(dtype).
constexpr absl::string_view NameOf(DType dtype) {
  switch (dtype) {
    case DType::kUnspecified:
      break;
#define X(enumerator, type, name) \
  case DType::enumerator:         \
    return name;
      REDUCTOR_DTYPES(X)
#undef X
  }
  return "";
}

// The value of an element in a type that has arithmetic. Exact.
template <class T>
requires std::is_arithmetic_v<T>
constexpr T Widen(T x) { return x; }

constexpr float Widen(BFloat16 x) {
  return std::bit_cast<float>(static_cast<uint32_t>(x.bits) << 16);
}

// Bit arithmetic, because g++ 12 converts _Float16 one element at a time (0.4
// GB/s where this loop, vectorised, runs at 9 and more).
constexpr float Widen(Float16 x) {
  const uint32_t sign = static_cast<uint32_t>(x.bits & 0x8000) << 16;
  const uint32_t magnitude = static_cast<uint32_t>(x.bits & 0x7fff) << 13;
  // Rebased from exponent bias 15 to 127: right for normal numbers. To a
  // subnormal it gives the leading 1 that it does not have; with an exponent
  // one higher, at which its digits count what they should, that 1 is 2^-14,
  // which is taken off again. Of the two the smaller is right for either kind.
  // One multiplication would do for all, but takes Intel's CPUs a hundred
  // cycles of a subnormal, which is one of float32 too (sums of rows of 3, in
  // cache, GB/s of normal numbers and of subnormals: 4.9 and 0.5 by a
  // multiplication, 4.2 and 4.1 so).
  const auto rebased = std::bit_cast<float>(magnitude + (112u << 23));
  const auto twice = std::bit_cast<float>(magnitude + (113u << 23));
  const float subnormal = twice - 0x1p-14f;
  const float scaled = subnormal < rebased ? subnormal : rebased;
  const bool finite = magnitude < 0x7c00u << 13;
  const uint32_t bits =
      finite ? std::bit_cast<uint32_t>(scaled) : magnitude | 0x7f800000u;
  return std::bit_cast<float>(sign | bits);
}

constexpr bool Widen(Bool x) { return x.byte != 0; }

template <class T>
using Wide = decltype(Widen(T{}));

template <class T>
inline constexpr bool kIsFloat = std::is_floating_point_v<Wide<T>>;

// The types that have arithmetic: all but bool.
template <class T>
concept Numeric = !std::is_same_v<Wide<T>, bool>;

namespace dtype_internal {

// Rounds to a 16-bit float with `kMantissa` stored bits once, to nearest, ties
// to even. Rounding through float32 first would round twice. Without a branch,
// so that results are finished by vectors (maxima of two float16 at 1 GB/s
// with).
template <int kMantissa>
constexpr uint16_t RoundToBits(double x) {
  constexpr int kBias = (1 << (14 - kMantissa)) - 1;
  constexpr int kDropped = 52 - kMantissa;
  constexpr uint64_t kSign = uint64_t{1} << 63;
  constexpr int64_t kExponentField = int64_t{0x7ff} << 52;
  // Float64s, as integers in the same order: the smallest normal number, whose
  // unit subnormals have too, and where the exponent of infinity begins.
  constexpr int64_t kSmallestNormal = int64_t{1024 - kBias} << 52;
  constexpr int64_t kInfinity = int64_t{1024 + kBias} << 52;
  const auto bits = std::bit_cast<uint64_t>(x);
  const int64_t magnitude =
      std::min(static_cast<int64_t>(bits & ~kSign), kInfinity);
  const auto exponent = static_cast<uint64_t>(
      std::max(magnitude, kSmallestNormal) & kExponentField);
  // A power of two whose unit in float64 is that of the result: a sum with it
  // is rounded to such units, and counts them.
  const uint64_t same_unit = exponent + (uint64_t{kDropped} << 52);
  const uint64_t units =
      std::bit_cast<uint64_t>(std::bit_cast<double>(magnitude) +
                              std::bit_cast<double>(same_unit)) -
      same_unit;
  // Those of a normal number bring its leading one, which carries into the
  // exponent field.
  const uint64_t result = units + (exponent >> kDropped) -
                          static_cast<uint64_t>(kSmallestNormal >> kDropped);
  constexpr uint64_t kNan = ((1 << (16 - kMantissa)) - 1) << (kMantissa - 1);
  return static_cast<uint16_t>(x != x ? kNan : result | (bits & kSign) >> 48);
}

}  // namespace dtype_internal

// The element nearest to a wide result: rounded once, to nearest, ties to even.
// Any NaN becomes the one positive quiet NaN without payload: which of two NaNs
// an addition hands on depends on the instruction set. Integers convert modulo
// 2^bits.
template <class T, class From>
constexpr T Narrow(From x) {
  if constexpr (std::is_same_v<T, Float16>) {
    return {dtype_internal::RoundToBits<10>(static_cast<double>(x))};
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    return {dtype_internal::RoundToBits<7>(static_cast<double>(x))};
  } else if constexpr (std::is_same_v<T, Bool>) {
    return {static_cast<uint8_t>(x != 0)};
  } else if constexpr (std::is_floating_point_v<T>) {
    // Asked of the result, which may fill half as many registers.
    const T rounded = static_cast<T>(x);
    return rounded != rounded ? std::numeric_limits<T>::quiet_NaN() : rounded;
  } else {
    return static_cast<T>(x);
  }
}

}  // namespace reductor

#endif  // REDUCTOR_CORE_DTYPE_H_
