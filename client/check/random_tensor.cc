#include "client/check/random_tensor.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "client/check/values.h"

namespace reductor::check {
namespace {

constexpr int64_t kMaxRank = 6;
constexpr int64_t kUsualElements = 1 << 12;
// Above the 1 MiB from which the server uses threads, for types of 4 bytes.
constexpr int64_t kManyElements = 1 << 19;

// What the elements of one tensor look like.
enum class Kind {
  kModerate,  // Floats of magnitude 0.5 to 2; any integer; false.
  kUnits,     // 1 and -1, with a few moderate ones: long products stay small.
  kSmall,     // Integers, as floats too: many are equal, and sums are exact.
  kNegative,  // Small ones at most 0, where truncation goes up.
  kAnyBits,   // NaNs, infinities and huge exponents as they come.
  kSpecial,   // Moderate, with zeros, infinities, NaNs and extremes.
};
constexpr int64_t kKinds = 6;

std::vector<int64_t> RandomShape(Random& random) {
  const int64_t rank = random.Below(kMaxRank + 1);
  const bool is_large = rank > 0 && random.OneIn(100);
  int64_t room = is_large ? kManyElements : kUsualElements;
  const int max_bits =
      rank == 0 ? 0 : 2 + std::bit_width<uint64_t>(room) / rank;
  std::vector<int64_t> shape;
  for (int64_t i = 0; i < rank; ++i) {
    if (random.OneIn(20)) {
      shape.push_back(0);
      continue;
    }
    const int64_t extent =
        1 + random.Below(int64_t{1} << random.Below(max_bits));
    shape.push_back(std::min(extent, room));
    room /= shape.back();
  }
  if (is_large) shape[random.Below(rank)] *= room;
  random.Shuffle(shape);
  return shape;
}

// The bits of a float of magnitude 0.5 to 2; of any integer; of false, as one
// true among many is what the logical operators have to find.
uint64_t ModerateBits(DType dtype, Random& random) {
  if (dtype == DType::kBool) return 0;
  const std::optional<FloatFormat> format = FormatOf(dtype);
  uint64_t bits = random.Bits();
  if (!format) return bits;
  const uint64_t mantissa = bits & ((uint64_t{1} << format->mantissa_bits) - 1);
  const uint64_t exponent = format->bias() - random.Below(2);
  const uint64_t sign = random.Below(2);
  return ((sign << format->exponent_bits | exponent) << format->mantissa_bits) |
         mantissa;
}

// The bits of 1 or -1; of 1 for types without a sign.
uint64_t UnitBits(DType dtype, Random& random) {
  const std::optional<FloatFormat> format = FormatOf(dtype);
  const bool is_negative = IsSigned(dtype) && random.OneIn(2);
  if (!format) return is_negative ? ~uint64_t{0} : 1;
  const uint64_t sign = is_negative ? 1 : 0;
  return (sign << format->exponent_bits | format->bias())
         << format->mantissa_bits;
}

// The bits of an integer of magnitude at most 8, a float's zero with the sign
// too; positive for types without one.
uint64_t SmallBits(DType dtype, bool is_negative, Random& random) {
  const auto magnitude = static_cast<uint64_t>(random.Below(9));
  is_negative = is_negative && IsSigned(dtype);
  const std::optional<FloatFormat> format = FormatOf(dtype);
  if (!format) return is_negative ? -magnitude : magnitude;
  uint64_t bits = is_negative ? 1 : 0;
  bits <<= format->exponent_bits + format->mantissa_bits;
  if (magnitude == 0) return bits;
  // The highest bit of the magnitude moves to where the hidden one is.
  const int exponent = std::bit_width(magnitude) - 1;
  const uint64_t mantissa = magnitude << (format->mantissa_bits - exponent);
  const auto below_hidden = static_cast<uint64_t>(exponent + format->bias() - 1)
                            << format->mantissa_bits;
  return bits | (below_hidden + mantissa);
}

// The bits of a value where arithmetic has its edges: for floats 0, the
// smallest subnormal, the largest number, infinity and NaN with either sign;
// for integers 0, 1, -1 and both ends.
uint64_t SpecialBits(DType dtype, Random& random) {
  const std::optional<FloatFormat> format = FormatOf(dtype);
  const uint64_t sign_bit = uint64_t{1} << (8 * SizeOf(dtype) - 1);
  if (!format) {
    const uint64_t edges[] = {0, 1, ~uint64_t{0}, sign_bit, sign_bit - 1};
    return edges[random.Below(std::ssize(edges))];
  }
  const uint64_t infinity = ((uint64_t{1} << format->exponent_bits) - 1)
                            << format->mantissa_bits;
  const uint64_t edges[] = {0, 1, infinity - 1, infinity, infinity + 1};
  return edges[random.Below(std::ssize(edges))] |
         (random.OneIn(2) ? sign_bit : 0);
}

// `special_odds`: one special value in so many.
uint64_t ElementBits(DType dtype, Kind kind, int64_t special_odds,
                     Random& random) {
  switch (kind) {
    case Kind::kModerate:
      break;
    case Kind::kUnits:
      if (!random.OneIn(16)) return UnitBits(dtype, random);
      break;
    case Kind::kSmall:
      return SmallBits(dtype, random.OneIn(2), random);
    case Kind::kNegative:
      return SmallBits(dtype, true, random);
    case Kind::kAnyBits:
      return random.Bits();
    case Kind::kSpecial:
      if (random.OneIn(special_odds)) return SpecialBits(dtype, random);
      break;
  }
  return ModerateBits(dtype, random);
}

}  // namespace

Tensor RandomTensor(DType dtype, Random& random) {
  Tensor tensor = {.dtype = dtype, .shape = RandomShape(random)};
  const int64_t size = SizeOf(dtype);
  const int64_t count = ElementCount(tensor.shape, size).value();
  const auto kind = static_cast<Kind>(random.Below(kKinds));
  const int64_t special_odds = 1 + random.Below(100);
  tensor.data.reserve(count * size);
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t bits = ElementBits(dtype, kind, special_odds, random);
    tensor.data.append(reinterpret_cast<const char*>(&bits), size);
  }
  return tensor;
}

}  // namespace reductor::check
