// Integers of 128 bits as two words, and what is made of sums of integers and
// of their squares: a root, a float64.
//
// Both are additions, products modulo 2^64 and float64 estimates that integers
// correct, without a branch: so that results are finished by vectors. The
// compiler's own 128 bits are converted by calls (L2 of rows of 2 int64, in
// cache, AVX-512: 0.7 GB/s by them, 8 so).
#ifndef REDUCTOR_CORE_REDUCERS_WORDS_H_
#define REDUCTOR_CORE_REDUCERS_WORDS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/reducers/small_integers.h"

namespace reductor {

// upper * 2^64 + lower. `Upper` is int64_t, of a number of either sign, or
// uint64_t.
template <class Upper>
struct Words {
  uint64_t lower;
  Upper upper;
};

// The sum, modulo 2^128.
template <class Upper>
constexpr Words<Upper> operator+(Words<Upper> a, Words<Upper> b) {
  const uint64_t lower = a.lower + b.lower;
  const uint64_t carry = lower < a.lower ? 1 : 0;
  return {lower, static_cast<Upper>(static_cast<uint64_t>(a.upper) +
                                    static_cast<uint64_t>(b.upper) + carry)};
}

constexpr Words<int64_t> WordsOf(int64_t x) {
  return {static_cast<uint64_t>(x), x < 0 ? -1 : 0};
}

// The nearest float64.
constexpr double ToDouble(uint64_t x) {
  return SmallToDouble(x >> 32) * 0x1p32 + SmallToDouble(x & 0xffffffff);
}
constexpr double ToDouble(int64_t x) {
  const auto bits = static_cast<uint64_t>(x);
  const double upper =
      SmallToDouble((bits ^ (uint64_t{1} << 63)) >> 32) - 0x1p31;
  return upper * 0x1p32 + SmallToDouble(bits & 0xffffffff);
}

// The nearest float64 of the sum of up to 2^41 integers; of others it may be
// the next one. Of such a sum the upper word is exact, the middle 32 bits are
// rounded into it, and what that loses is exact together with the lowest ones.
template <class Upper>
constexpr double ToDouble(Words<Upper> x) {
  const double upper = ToDouble(x.upper) * 0x1p64;
  const double middle = SmallToDouble(x.lower >> 32) * 0x1p32;
  const double lowest = SmallToDouble(x.lower & 0xffffffff);
  const double sum = upper + middle;
  return sum + (middle - (sum - upper) + lowest);
}

// REQUIRES: 0 <= x < 2^52.
inline uint64_t IntegerPart(double x) { return NearestSmall(std::floor(x)); }

// x / count toward zero, modulo 2^64. A call: of sums of many elements only
// (few_divisor.h). REQUIRES: 1 <= count.
constexpr uint64_t Divide(Words<int64_t> x, int64_t count) {
  using Wide = __int128;
  const Wide wide = (Wide{x.upper} << 64) | x.lower;
  return static_cast<uint64_t>(wide / count);
}

// The largest r with r * r <= x: the root of a float, to the nearest integer,
// is that or the next one.
inline uint32_t IntegerRoot(uint32_t x) {
  const float root = std::min(std::sqrt(static_cast<float>(x)), 0x1p16F - 1);
  // NOLINTNEXTLINE(bugprone-incorrect-roundings): exact, and lround is a call.
  const auto near = static_cast<uint32_t>(static_cast<int32_t>(root + 0.5F));
  return near - (near * near > x ? 1 : 0);
}
inline uint64_t IntegerRoot(uint64_t x) {
  const double root = std::min(std::sqrt(ToDouble(x)), 0x1p32 - 1);
  const uint64_t near = NearestSmall(root);
  return near - (near * near > x ? 1 : 0);
}

// The same: the upper half of r is that of the root in float64, a; then x - a^2
// is known well enough for the lower half, which is (x - a^2) / (root + a).
inline uint64_t IntegerRoot(Words<uint64_t> x) {
  // The largest float64 below 2^64.
  constexpr double kMost = 0x1.fffffffffffffp63;
  const double root = std::min(std::sqrt(ToDouble(x)), kMost);
  const double a = std::floor(root * 0x1p-32);
  const uint64_t upper = NearestSmall(a);
  const auto rest_upper = static_cast<int64_t>(x.upper - upper * upper);
  const double rest = ToDouble(rest_upper) * 0x1p64 + ToDouble(x.lower);
  const double lower = rest / std::max(1.0, root + a * 0x1p32);
  // It errs by less than 2^-18: so from a little above it is right, or one too
  // large, which a remainder below 0 tells of what is that near.
  constexpr double kMargin = 0x1p-16;
  const double floor = std::floor(lower + kMargin);
  const uint64_t near =
      (upper << 32) + static_cast<uint64_t>(NearestSigned(floor));
  const bool is_near = lower - floor < kMargin;
  const bool is_above = static_cast<int64_t>(x.lower - near * near) < 0;
  return near - (is_near && is_above ? 1 : 0);
}

}  // namespace reductor

#endif  // REDUCTOR_CORE_REDUCERS_WORDS_H_
