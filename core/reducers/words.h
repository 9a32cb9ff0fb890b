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
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

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
  return SmallToDouble<32>(x >> 32) + SmallToDouble(x & 0xffffffff);
}
constexpr double ToDouble(int64_t x) {
  const auto bits = static_cast<uint64_t>(x);
  const double upper =
      SmallToDouble<32>((bits ^ (uint64_t{1} << 63)) >> 32) - 0x1p63;
  return upper + SmallToDouble(bits & 0xffffffff);
}

// The nearest float64 of the sum of up to 2^41 integers; of others it may be
// the next one. Of such a sum the upper word is exact, the middle 32 bits are
// rounded into it, and what that loses is exact together with the lowest ones.
template <class Upper>
constexpr double ToDouble(Words<Upper> x) {
  const double upper = ToDouble(x.upper) * 0x1p64;
  const double middle = SmallToDouble<32>(x.lower >> 32);
  const double lowest = SmallToDouble(x.lower & 0xffffffff);
  const double sum = upper + middle;
  return sum + (middle - (sum - upper) + lowest);
}

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

// at0 + at32 * 2^32 + at64 * 2^64 + at96 * 2^96, where each may be a sum of
// numbers of 32 bits.
struct Digits {
  uint64_t at0;
  uint64_t at32;
  uint64_t at64;
  uint64_t at96;
};

constexpr Digits DigitsOf(Words<uint64_t> x) {
  constexpr uint64_t kLower = 0xffffffff;
  return {x.lower & kLower, x.lower >> 32, x.upper & kLower, x.upper >> 32};
}

// The largest r with r * r <= x, or the largest T, of 64 bits, if that is less:
// a float64 root gives the upper 26 bits of r, a, whose square is exact; so is
// x - a^2, but for what is rounded off its lowest digits, and the rest of r is
// (x - a^2) / (root + a). REQUIRES: each digit < 2^52.
template <class T>
inline T IntegerRoot(Digits x) {
  const double at96 = SmallToDouble<96>(x.at96);
  const double at64 = SmallToDouble<64>(x.at64);
  const double below = SmallToDouble<32>(x.at32) + SmallToDouble(x.at0);
  const double root = std::sqrt(at96 + at64 + below);
  // Whose lowest bit counts 2^38, so that it rounds to a multiple of that.
  constexpr double kUnit = 0x1p90;
  const double rounded = root + kUnit;
  const double a = rounded - kUnit;
  const double left = at96 - a * a + at64 + below;
  // Of nothing the root is 0, and nothing is left; of others at least 1.
  constexpr double kNotZero = 0x1p-60;
  const double rest = left / (root + a + kNotZero);
  // It errs by less than 2^-11, so that `near`, the integer part of what is a
  // little larger, is right or one too large; too large only where that is next
  // to an integer. There x - near^2 fits 64 bits with its sign, which tells;
  // elsewhere the sign of its lowest 64 bits means nothing.
  constexpr double kMargin = 0x1p-8;
  const double middle = rest + (kMargin - 0.5);
  const double nearest = middle + kSignedUnit - kSignedUnit;
  const bool is_near = middle - nearest < 2 * kMargin - 0.5;
  // Modulo 2^64, as is all that follows.
  const uint64_t near = (std::bit_cast<uint64_t>(rounded) << 38) +
                        static_cast<uint64_t>(NearestSigned(middle));
  const uint64_t lowest = x.at0 + (x.at32 << 32);
  const bool is_above = static_cast<int64_t>(lowest - near * near) < 0;
  const uint64_t exact = near - (is_near && is_above ? 1 : 0);
  // Of a root that may be the one or the other its highest bit tells.
  constexpr T kMost = std::numeric_limits<T>::max();
  constexpr auto kLimit = static_cast<double>(kMost);
  const bool has_highest = static_cast<int64_t>(exact) < 0;
  const bool leaves =
      std::is_signed_v<T> ? has_highest : root > 0.75 * kLimit && !has_highest;
  return root > 1.25 * kLimit || leaves ? kMost : static_cast<T>(exact);
}

}  // namespace reductor

#endif  // REDUCTOR_CORE_REDUCERS_WORDS_H_
