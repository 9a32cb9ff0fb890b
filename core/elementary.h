// exp and log from additions and multiplications in a fixed order.
//
// libm picks variants with fused multiply-adds by CPU, so its last bit differs
// from machine to machine. These give the same bits everywhere, vectorise, and
// stay within one unit in the last place (tested against long double), or
// within what they say. They are always inlined: a loop that calls a function
// is not vectorised.
#ifndef REDUCTOR_CORE_ELEMENTARY_H_
#define REDUCTOR_CORE_ELEMENTARY_H_

#include <bit>
#include <cstdint>
#include <limits>

#include "absl/base/attributes.h"

namespace reductor {

namespace elementary_internal {

inline constexpr double kInverseLn2 = 0x1.71547652b82fep+0;
inline constexpr double kLn2 = 0x1.62e42fefa39efp-1;
// The same in two parts: the upper one has 32 bits, so that its product with
// any exponent is exact.
inline constexpr double kLn2Upper = 0x1.62e42feep-1;
inline constexpr double kLn2Lower = 0x1.a39ef35793c76p-33;

// 1.5 * 2^52: added to a small number it rounds that to an integer, which then
// stands in the low bits.
inline constexpr double kRound = 0x1.8p52;

// Where an exponential ceases to be a normal number.
inline constexpr double kSmallest = -708;

// x * 2^n, where n + kRound is `rounded`: its low bits are added to the
// exponent, which stays a normal one.
ABSL_ATTRIBUTE_ALWAYS_INLINE constexpr double TimesPower(double x,
                                                         double rounded) {
  const uint64_t exponent = std::bit_cast<uint64_t>(rounded) << 52;
  return std::bit_cast<double>(std::bit_cast<uint64_t>(x) + exponent);
}

}  // namespace elementary_internal

// e^x for x <= 0; 0 from about -708 down, where the result is no longer normal;
// and for a NaN.
ABSL_ATTRIBUTE_ALWAYS_INLINE constexpr double ExpOfNonPositive(double x) {
  using namespace elementary_internal;
  const bool is_normal = x >= kSmallest;
  const double clamped = is_normal ? x : kSmallest;
  // x = n ln 2 + r with |r| <= ln 2 / 2.
  const double rounded = clamped * kInverseLn2 + kRound;
  const double n = rounded - kRound;
  const double r = (clamped - n * kLn2Upper) - n * kLn2Lower;
  // e^r = 1 + r + r^2 p(r), where the polynomial's relative error is at most
  // 2^-64 (found by Remez's exchange; the Taylor series takes two terms more).
  // 1 + r comes last, so that the small terms keep their digits. Summed as a
  // tree, as a chain of 24 dependent operations leaves the CPU waiting.
  const double r2 = r * r;
  const double r4 = r2 * r2;
  const double from2 = (0.5 + r * 0x1.555555555555bp-3) +
                       r2 * (0x1.5555555555503p-5 + r * 0x1.111111110ec5fp-7);
  const double from6 = (0x1.6c16c16c30478p-10 + r * 0x1.a01a01b37d835p-13) +
                       r2 * (0x1.a01a01369374ep-16 + r * 0x1.71ddf0229b006p-19);
  const double from10 = (0x1.27e5b4419951dp-22 + r * 0x1.af6be4b12b20bp-26) +
                        r2 * 0x1.1e3d2f61ec450p-29;
  const double sum = from2 + r4 * (from6 + r4 * from10);
  const double exp_r = 1 + (r + r2 * sum);
  return is_normal ? TimesPower(exp_r, rounded) : 0;
}

// The same for sums that are rounded to the 24 digits of a float32, or to
// fewer: in four fifths of the time, with a relative error of up to 2^-45 and
// of |x| 2^-53. From -708 down, and of a NaN, it is e^-708.
ABSL_ATTRIBUTE_ALWAYS_INLINE constexpr double ExpForFloat32(double x) {
  using namespace elementary_internal;
  const double clamped = x > kSmallest ? x : kSmallest;
  const double rounded = clamped * kInverseLn2 + kRound;
  const double r = clamped - (rounded - kRound) * kLn2;
  const double r2 = r * r;
  const double from2 = (0x1.fffffffff13c7p-2 + r * 0x1.5555555589fadp-3) +
                       r2 * (0x1.5555557df50fbp-5 + r * 0x1.1111108e187a7p-7);
  const double from6 = (0x1.6c163bdba6f8cp-10 + r * 0x1.a01b73aa5fad3p-13) +
                       r2 * (0x1.a16e43f3db2ccp-16 + r * 0x1.710176a3dde7bp-19);
  return TimesPower(1 + (r + r2 * (from2 + r2 * r2 * from6)), rounded);
}

namespace elementary_internal {

// A number as 2^exponent * fraction, with a fraction in [sqrt(1/2), sqrt(2)).
struct Binary {
  double exponent;
  double fraction;
};

// By the bits: what they have above those of sqrt(1/2) begins with the
// exponent, which goes to float64 through the low bits of kRound. Without a
// branch, so that results are finished by vectors. Says nothing of an x that is
// not positive and normal.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline Binary BinaryOf(double x) {
  constexpr uint64_t kRootHalf = 0x3fe6a09e667f3bcd;
  const uint64_t bits = std::bit_cast<uint64_t>(x) - kRootHalf;
  // The exponent + 2048 is positive: below AVX-512 vectors have no signed shift
  // of 64 bits.
  const uint64_t exponent = (bits + (uint64_t{1} << 63)) >> 52;
  return {std::bit_cast<double>(std::bit_cast<uint64_t>(kRound) + exponent) -
              (kRound + 2048),
          std::bit_cast<double>((bits & 0xfffffffffffff) + kRootHalf)};
}

// `log` where x is positive and finite; else what the logarithm of x is, with
// the quiet NaN as the only one.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline double LogOr(double x, double log) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const double of_others = x == kInfinity ? kInfinity : kNan;
  const double or_of_zero = x == 0 ? -kInfinity : of_others;
  return x > 0 && x < kInfinity ? log : or_of_zero;
}

}  // namespace elementary_internal

// The natural logarithm: NaN below 0, -infinity of 0.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline double Log(double x) {
  using namespace elementary_internal;
  const bool is_small = x < std::numeric_limits<double>::min();
  const auto [exponent, m] = BinaryOf(is_small ? x * 0x1p54 : x);
  const double k = exponent - (is_small ? 54 : 0);
  // With f = m - 1 and s = f / (2 + f):
  //   log(1 + f) = 2 atanh(s) = 2s + 2s^3/3 + 2s^5/5 + ...
  //              = f - (f^2/2 - s (f^2/2 + R)),  R = 2s^2/3 + 2s^4/5 + ...
  // which keeps the digits of f. R's polynomial errs by 2^-59 of the logarithm
  // at most (found as that of the exponential).
  const double f = m - 1;
  const double s = f / (2 + f);
  const double z = s * s;
  const double z2 = z * z;
  const double from1 = (0x1.5555555555593p-1 + z * 0x1.999999997fc74p-2) +
                       z2 * (0x1.249249420470bp-2 + z * 0x1.c71c51f89cc6fp-3);
  const double from5 = (0x1.7466428d7217ap-3 + z * 0x1.39a1578e1790dp-3) +
                       z2 * 0x1.2f097c3ce5c34p-3;
  const double r = z * (from1 + z2 * z2 * from5);
  const double half_square = 0.5 * f * f;
  const double log =
      k * kLn2Upper -
      ((half_square - (s * (half_square + r) + k * kLn2Lower)) - f);
  return LogOr(x, log);
}

// The same for a result that is rounded to the 24 digits of a float32, or to
// fewer: half the time for a relative error of up to 2^-44.
// REQUIRES: x is not subnormal.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline double LogForFloat32(double x) {
  using namespace elementary_internal;
  const auto [k, m] = BinaryOf(x);
  // log m = 2 atanh(s) = s (2 + 2s^2/3 + 2s^4/5 + ...)
  const double s = (m - 1) / (m + 1);
  const double z = s * s;
  const double z2 = z * z;
  const double from1 = (0x1.555555561eafap-1 + z * 0x1.999996a80507ap-2) +
                       z2 * ((0x1.249412827be35p-2 + z * 0x1.c62ae02d1f94dp-3) +
                             z2 * 0x1.9118b86668776p-3);
  return LogOr(x, k * kLn2 + s * (2 + z * from1));
}

}  // namespace reductor

#endif  // REDUCTOR_CORE_ELEMENTARY_H_
