// exp and log from additions and multiplications in a fixed order.
//
// libm picks variants with fused multiply-adds by CPU, so its last bit differs
// from machine to machine. These give the same bits everywhere, vectorise, and
// stay within one unit in the last place (tested against long double).
#ifndef REDUCTOR_CORE_ELEMENTARY_H_
#define REDUCTOR_CORE_ELEMENTARY_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace reductor {

namespace elementary_internal {

// ln 2 in two parts: the upper one has 32 bits, so that its product with any
// exponent is exact.
inline constexpr double kLn2Upper = 0x1.62e42feep-1;
inline constexpr double kLn2Lower = 0x1.a39ef35793c76p-33;

}  // namespace elementary_internal

// e^x for x <= 0; 0 from about -708 down, where the result is no longer normal;
// and for a NaN.
constexpr double ExpOfNonPositive(double x) {
  using namespace elementary_internal;
  // x = n ln 2 + r with |r| <= ln 2 / 2. Adding 1.5 * 2^52 rounds to an
  // integer, which then stands in the low bits.
  constexpr double kRound = 0x1.8p52;
  constexpr double kInverseLn2 = 0x1.71547652b82fep+0;
  constexpr double kSmallest = -708;
  const bool is_normal = x >= kSmallest;
  const double clamped = is_normal ? x : kSmallest;
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
  // n, from the low bits of `rounded`, is added to its exponent, which stays a
  // normal one.
  const uint64_t exponent = std::bit_cast<uint64_t>(rounded) << 52;
  const auto power =
      std::bit_cast<double>(std::bit_cast<uint64_t>(exp_r) + exponent);
  return is_normal ? power : 0;
}

// The natural logarithm: NaN below 0, -infinity of 0.
inline double Log(double x) {
  using namespace elementary_internal;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  // x = 2^k m with m in [sqrt(1/2), sqrt(2)), by the bits: what they have above
  // those of sqrt(1/2) begins with k, which goes to float64 through the low
  // bits of kRound. Without a branch, so that results are finished by vectors.
  constexpr uint64_t kRootHalf = 0x3fe6a09e667f3bcd;
  constexpr double kRound = 0x1.8p52;
  const bool is_small = x < std::numeric_limits<double>::min();
  const uint64_t bits =
      std::bit_cast<uint64_t>(is_small ? x * 0x1p54 : x) - kRootHalf;
  // k + 2048 is positive: below AVX-512 vectors have no signed shift of 64
  // bits.
  const uint64_t k_plus = (bits + (uint64_t{1} << 63)) >> 52;
  const double m = std::bit_cast<double>((bits & 0xfffffffffffff) + kRootHalf);
  const double k =
      std::bit_cast<double>(std::bit_cast<uint64_t>(kRound) + k_plus) -
      (kRound + 2048 + (is_small ? 54 : 0));
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
  const double of_others = x == 0 ? -kInfinity
                           : x == kInfinity
                               ? kInfinity
                               : std::numeric_limits<double>::quiet_NaN();
  return x > 0 && x < kInfinity ? log : of_others;
}

}  // namespace reductor

#endif  // REDUCTOR_CORE_ELEMENTARY_H_
