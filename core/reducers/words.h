// Integers of 128 bits as two words, and what is made of sums of integers and
// of their squares: a mean, a root, a float64.
//
// All of it is additions, products modulo 2^64 and float64 estimates that
// integers correct, without a branch: so that results are finished by vectors.
// The compiler's own 128 bits are divided and converted by calls (rows of 2
// int64, in cache, AVX-512, GB/s by them and so: means 2.5 and 11, L2 0.7 and
// 8); and below AVX-512 no vector converts integers of 64 bits to float64 or
// back, so that numbers change their type by their bits (a mean of int32 and a
// root of int64, AVX2: 4.4 and 11.2 ns by conversions, 1.3 and 3.8 so).
#ifndef REDUCTOR_CORE_REDUCERS_WORDS_H_
#define REDUCTOR_CORE_REDUCERS_WORDS_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

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

constexpr Words<uint64_t> MagnitudeOf(Words<int64_t> x) {
  const auto upper = static_cast<uint64_t>(x.upper);
  const uint64_t carry = x.lower == 0 ? 1 : 0;
  return x.upper < 0 ? Words<uint64_t>{0 - x.lower, ~upper + carry}
                     : Words<uint64_t>{x.lower, upper};
}

namespace words_internal {

// Whose lowest bit counts 1: added to a number from 0 up to it, it leaves the
// nearest integer in the low bits. kSigned does that for those of up to 2^51 of
// either sign.
inline constexpr double kUnsigned = 0x1p52;
inline constexpr double kSigned = 0x1.8p52;

// REQUIRES: x < 2^52.
constexpr double FromBits(uint64_t x) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(kUnsigned) | x) -
         kUnsigned;
}

// REQUIRES: 0 <= x < 2^52.
constexpr uint64_t Nearest(double x) {
  return std::bit_cast<uint64_t>(x + kUnsigned) ^
         std::bit_cast<uint64_t>(kUnsigned);
}

// REQUIRES: |x| < 2^51.
constexpr int64_t NearestSigned(double x) {
  return static_cast<int64_t>(std::bit_cast<uint64_t>(x + kSigned) -
                              std::bit_cast<uint64_t>(kSigned));
}

// REQUIRES: |x| < 2^51.
constexpr double FromSmall(int64_t x) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(kSigned) +
                               static_cast<uint64_t>(x)) -
         kSigned;
}

// x / count toward zero, of an x whose lowest word and sign these are as well.
// REQUIRES: 1 <= count < 2^49; the quotient has 32 bits at most.
inline int64_t DivideNear(double x, uint64_t lower, bool is_negative,
                          int64_t count) {
  const int64_t near = NearestSigned(x * (1 / static_cast<double>(count)));
  const auto rest = static_cast<int64_t>(
      lower - static_cast<uint64_t>(near) * static_cast<uint64_t>(count));
  const int64_t down = rest < 0 ? 1 : 0;
  const int64_t up = rest > 0 ? 1 : 0;
  return is_negative ? near + up : near - down;
}

// The largest float64 below 2^64.
inline constexpr double kBelowWord = 0x1.fffffffffffffp63;

// REQUIRES: 0 <= x <= kBelowWord.
inline uint64_t NearestWord(double x) {
  const double upper = std::floor(x * 0x1p-32);
  return (Nearest(upper) << 32) + Nearest(x - upper * 0x1p32);
}

}  // namespace words_internal

// The nearest float64.
constexpr double ToDouble(uint64_t x) {
  using words_internal::FromBits;
  return FromBits(x >> 32) * 0x1p32 + FromBits(x & 0xffffffff);
}
constexpr double ToDouble(int64_t x) {
  using words_internal::FromBits;
  const auto bits = static_cast<uint64_t>(x);
  const double upper = FromBits((bits ^ (uint64_t{1} << 63)) >> 32) - 0x1p31;
  return upper * 0x1p32 + FromBits(bits & 0xffffffff);
}

// The nearest float64 of the sum of up to 2^41 integers; of others it may be
// the next one. Of such a sum the upper word is exact, the middle 32 bits are
// rounded into it, and what that loses is exact together with the lowest ones.
template <class Upper>
constexpr double ToDouble(Words<Upper> x) {
  using words_internal::FromBits;
  const double upper = ToDouble(x.upper) * 0x1p64;
  const double middle = FromBits(x.lower >> 32) * 0x1p32;
  const double lowest = FromBits(x.lower & 0xffffffff);
  const double sum = upper + middle;
  return sum + (middle - (sum - upper) + lowest);
}

// REQUIRES: 0 <= x < 2^52.
inline uint64_t IntegerPart(double x) {
  return words_internal::Nearest(std::floor(x));
}

// The integer part of x / count, toward zero, where it has 32 bits at most: the
// quotient of float64, to the nearest integer, is that or the next one.
// REQUIRES: 1 <= count < 2^49.
inline int64_t Divide32(Words<int64_t> x, int64_t count) {
  // What the lower word, taken as signed, leaves for the upper one: 0 of all
  // that fits a word, so that nothing cancels.
  const auto lower = static_cast<int64_t>(x.lower);
  const double upper =
      words_internal::FromSmall(x.upper + (lower < 0 ? 1 : 0)) * 0x1p64;
  return words_internal::DivideNear(upper + ToDouble(lower), x.lower,
                                    x.upper < 0, count);
}
inline int64_t Divide32(int64_t x, int64_t count) {
  return words_internal::DivideNear(ToDouble(x), static_cast<uint64_t>(x),
                                    x < 0, count);
}

// The integer part of x / count, where it has 64 bits: the quotient of float64
// errs by less than 2^14, so what it leaves of x fits a word and is divided as
// well. REQUIRES: 1 <= count < 2^49.
inline uint64_t Divide(Words<uint64_t> x, int64_t count) {
  using words_internal::kBelowWord;
  using words_internal::NearestSigned;
  using words_internal::NearestWord;
  const double inverse = 1 / static_cast<double>(count);
  const uint64_t near =
      NearestWord(std::min(ToDouble(x) * inverse, kBelowWord));
  const auto left =
      static_cast<int64_t>(x.lower - near * static_cast<uint64_t>(count));
  const int64_t more = NearestSigned(ToDouble(left) * inverse);
  const int64_t rest = left - more * count;
  return near + static_cast<uint64_t>(more) - (rest < 0 ? 1 : 0);
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
  const uint64_t near = words_internal::Nearest(root);
  return near - (near * near > x ? 1 : 0);
}

// The same: the upper half of r is that of the root in float64, a; then x - a^2
// is known well enough for the lower half, which is (x - a^2) / (root + a).
inline uint64_t IntegerRoot(Words<uint64_t> x) {
  using words_internal::kBelowWord;
  using words_internal::Nearest;
  using words_internal::NearestSigned;
  const double root = std::min(std::sqrt(ToDouble(x)), kBelowWord);
  const double a = std::floor(root * 0x1p-32);
  const uint64_t upper = Nearest(a);
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
