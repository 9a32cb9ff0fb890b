// Integers of 128 bits as two words, and what is made of sums of integers and
// of their squares: a mean, a root, a float64.
//
// All of it is additions, products modulo 2^64 and float64 estimates that
// integers correct, without a branch: so that results are finished by vectors.
// The compiler's own 128 bits are divided and converted by calls (rows of 2
// int64, in cache, AVX-512, GB/s by them and so: means 2.5 and 11, L2 0.7 and
// 8).
#ifndef REDUCTOR_CORE_REDUCERS_WORDS_H_
#define REDUCTOR_CORE_REDUCERS_WORDS_H_

#include <algorithm>
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

constexpr bool IsNegative(int64_t x) { return x < 0; }
constexpr bool IsNegative(Words<int64_t> x) { return x.upper < 0; }

constexpr uint64_t MagnitudeOf(int64_t x) {
  return x < 0 ? 0 - static_cast<uint64_t>(x) : static_cast<uint64_t>(x);
}
constexpr Words<uint64_t> MagnitudeOf(Words<int64_t> x) {
  const auto upper = static_cast<uint64_t>(x.upper);
  const uint64_t carry = x.lower == 0 ? 1 : 0;
  return x.upper < 0 ? Words<uint64_t>{0 - x.lower, ~upper + carry}
                     : Words<uint64_t>{x.lower, upper};
}

// The nearest float64 of the sum of up to 2^41 integers; of others it may be
// the next one. Of such a sum the upper word is exact, the middle 32 bits are
// rounded into it, and what that loses is exact together with the lowest ones.
template <class Upper>
constexpr double ToDouble(Words<Upper> x) {
  const double upper = static_cast<double>(x.upper) * 0x1p64;
  const double middle = static_cast<double>(x.lower >> 32) * 0x1p32;
  const auto lowest = static_cast<double>(x.lower & 0xffffffff);
  const double sum = upper + middle;
  return sum + (middle - (sum - upper) + lowest);
}
constexpr double ToDouble(int64_t x) { return static_cast<double>(x); }

namespace words_internal {

// The largest float64 below 2^64.
inline constexpr double kBelowWord = 0x1.fffffffffffffp63;

}  // namespace words_internal

// The integer part of x / count, where it has 32 bits at most: the quotient of
// float64 errs by one. REQUIRES: 1 <= count, x < 2^63.
inline uint64_t Divide(uint64_t x, int64_t count) {
  const double inverse = 1 / static_cast<double>(count);
  const auto total = static_cast<double>(static_cast<int64_t>(x));
  const auto near =
      static_cast<uint64_t>(static_cast<int64_t>(total * inverse));
  const auto rest =
      static_cast<int64_t>(x - near * static_cast<uint64_t>(count));
  return near + (rest >= count ? 1 : 0) - (rest < 0 ? 1 : 0);
}

// The same, where it has 64: the quotient of float64 errs by less than 2^14, so
// what it leaves of x fits a word and is divided as well, which errs by one.
// REQUIRES: 1 <= count < 2^49.
inline uint64_t Divide(Words<uint64_t> x, int64_t count) {
  const double inverse = 1 / static_cast<double>(count);
  const auto near = static_cast<uint64_t>(
      std::min(ToDouble(x) * inverse, words_internal::kBelowWord));
  const auto divisor = static_cast<uint64_t>(count);
  const auto left = static_cast<int64_t>(x.lower - near * divisor);
  // Rounded down, in a way that g++ vectorises.
  const auto more = static_cast<int64_t>(static_cast<double>(left) * inverse) -
                    (left < 0 ? 1 : 0);
  const int64_t rest = left - more * count;
  return near + static_cast<uint64_t>(more) + (rest >= count ? 1 : 0) -
         (rest < 0 ? 1 : 0);
}

// The largest r with r * r <= x. The upper half of r is that of the root in
// float64, a: then x - a^2 is known well enough for the lower half, which is
// (x - a^2) / (root + a).
inline uint64_t IntegerRoot(Words<uint64_t> x) {
  const double root =
      std::min(std::sqrt(ToDouble(x)), words_internal::kBelowWord);
  const uint64_t upper = static_cast<uint64_t>(root) >> 32;
  const auto rest_upper = static_cast<int64_t>(x.upper - upper * upper);
  const double rest =
      static_cast<double>(rest_upper) * 0x1p64 + static_cast<double>(x.lower);
  const double lower =
      rest / std::max(1.0, root + static_cast<double>(upper) * 0x1p32);
  // It errs by less than 2^-18: so from a little above it is right, or one too
  // large, which a remainder below 0 tells of what is that near.
  constexpr double kMargin = 0x1p-16;
  const double floor = std::floor(lower + kMargin);
  const uint64_t near =
      (upper << 32) + static_cast<uint64_t>(static_cast<int64_t>(floor));
  const bool is_near = lower - floor < kMargin;
  const bool is_above = static_cast<int64_t>(x.lower - near * near) < 0;
  return near - (is_near && is_above ? 1 : 0);
}

}  // namespace reductor

#endif  // REDUCTOR_CORE_REDUCERS_WORDS_H_
