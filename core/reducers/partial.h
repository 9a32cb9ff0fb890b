// Partial monoids (reducers.h): exact sums of the integers of one row, or of
// their squares, in the smallest lanes that hold them, without 128-bit
// additions, which no vector register has: in int16 and int32 lanes, in 64-bit
// ones, or in several of these. A row has kMostElements at most.
#ifndef REDUCTOR_CORE_REDUCERS_PARTIAL_H_
#define REDUCTOR_CORE_REDUCERS_PARTIAL_H_

#include <cstdint>
#include <type_traits>

#include "core/reducers/small_integers.h"
#include "core/reducers/wide.h"
#include "core/reducers/words.h"

namespace reductor {

// The sum of elements.
template <IntegerElement T>
struct PartialSum {
  using Input = T;
  using State = std::conditional_t<(sizeof(T) > 2), int64_t, int32_t>;
  static constexpr int64_t kMostElements =
      sizeof(T) > 2 ? kMostOf32Bits
                    : int64_t{1} << (8 * (sizeof(State) - sizeof(T)) - 1);

  static constexpr State Identity() { return 0; }
  static constexpr State Map(T x) { return x; }
  static constexpr State Combine(State a, State b) { return a + b; }
  static constexpr auto ValueOf(State s) {
    if constexpr (sizeof(T) > 2) {
      return WordsOf(s);
    } else {
      return int64_t{s};
    }
  }
  // The nearest float64.
  static constexpr double ToDouble(State s) {
    return SmallToDouble(int64_t{s});
  }
};

template <IntegerElement T>
requires(sizeof(T) == 8) struct PartialSum<T> {
  using Input = T;
  // What the elements add up to, modulo 2^64, and their upper 32 bits, which
  // have the sign: so what the lower ones add up to need not be kept (means of
  // rows of 1,000 int64 and uint64, in cache, Zen 3, AVX2: 43 and 45 GB/s by
  // both halves, 53 and 57 so).
  struct State {
    uint64_t all;
    uint64_t upper;

    constexpr uint64_t lower() const { return all - (upper << 32); }
  };
  // Of both halves.
  static constexpr int64_t kMostElements = kMostOf32Bits;

  static constexpr State Identity() { return {0, 0}; }
  static constexpr State Map(T x) {
    return {static_cast<uint64_t>(x), static_cast<uint64_t>(x >> 32)};
  }
  static constexpr State Combine(State a, State b) {
    return {a.all + b.all, a.upper + b.upper};
  }
  static constexpr Words<int64_t> ValueOf(State s) {
    const auto above = static_cast<int64_t>(s.upper) >> 32;
    return Words<int64_t>{s.lower(), 0} + Words<int64_t>{s.upper << 32, above};
  }
  // The nearest float64.
  static constexpr double ToDouble(State s) {
    return SmallToDouble<32>(static_cast<int64_t>(s.upper)) +
           SmallToDouble(s.lower());
  }
};

// The sum of up to kMostElements integers of 8 bits.
template <IntegerElement T>
requires(sizeof(T) == 1) struct PartialSumOfFew {
  using Input = T;
  using State = int16_t;
  static constexpr int64_t kMostElements = 128;

  static constexpr State Identity() { return 0; }
  static constexpr State Map(T x) { return x; }
  static constexpr State Combine(State a, State b) {
    return static_cast<State>(a + b);
  }
};

// The sum of squares of 8 and 16 bits; of 32 no word holds it (SquaresInWord).
template <IntegerElement T>
struct PartialSquares {
  static_assert(sizeof(T) < 4);
  using Input = T;
  using State = std::conditional_t<(sizeof(T) > 1), uint64_t, uint32_t>;
  static constexpr int64_t kMostElements =
      int64_t{1} << (8 * (sizeof(State) - 2 * sizeof(T)));

  static constexpr State Identity() { return 0; }
  static constexpr State Map(T x) {
    const State magnitude = AbsoluteOf(x);
    return magnitude * magnitude;
  }
  static constexpr State Combine(State a, State b) { return a + b; }
};

// Sums of 32 bits of each square, by their place. With the element a * 2^32 + b
// its square is a^2 2^64 + 2 a b 2^32 + b^2, three products of 32 bits each.
template <IntegerElement T>
requires(sizeof(T) == 8) struct PartialSquares<T> {
  using Input = T;
  using State = Digits;
  // Three numbers of 32 bits each make digits that IntegerRoot() takes.
  static constexpr int64_t kMostElements = int64_t{1} << 18;

  static constexpr State Identity() { return {0, 0, 0, 0}; }
  static constexpr State Map(T x) {
    constexpr uint64_t kLower = 0xffffffff;
    const uint64_t magnitude = AbsoluteOf(x);
    const uint64_t a = magnitude >> 32;
    const uint64_t b = magnitude & kLower;
    const uint64_t aa = a * a;
    const uint64_t ab = a * b;
    const uint64_t bb = b * b;
    return {bb & kLower, (bb >> 32) + ((ab & kLower) << 1),
            ((ab >> 32) << 1) + (aa & kLower), aa >> 32};
  }
  static constexpr State Combine(State a, State b) {
    return {a.at0 + b.at0, a.at32 + b.at32, a.at64 + b.at64, a.at96 + b.at96};
  }
  // All ones if the sum leaves 128 bits.
  static constexpr Words<uint64_t> ValueOf(State s) {
    const Words<uint64_t> low =
        Words<uint64_t>{s.at0, 0} + Words<uint64_t>{s.at32 << 32, s.at32 >> 32};
    const uint64_t at64 = s.at64 + low.upper;
    // Not a choice between two states, which would be a branch that nobody
    // foresees (L2 over dims 0 and 2 of K x 34 x 3 x 16 any uint64, in cache,
    // Intel: 3.4 GB/s by it, 6.6 so).
    const bool overflows = (s.at96 + (at64 >> 32)) >> 32 != 0;
    const uint64_t full = overflows ? ~uint64_t{0} : 0;
    return {low.lower | full, (at64 + (s.at96 << 32)) | full};
  }
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_REDUCERS_PARTIAL_H_
