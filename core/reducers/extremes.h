// The operators that look for the largest or the smallest element: its value,
// or where it stands.
//
// All compare the integer keys of ordered.h. A NaN beats every value, wherever
// it stands.
#ifndef REDUCTOR_CORE_REDUCERS_EXTREMES_H_
#define REDUCTOR_CORE_REDUCERS_EXTREMES_H_

#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "core/dtype.h"
#include "core/ordered.h"

namespace reductor {

// The largest of the floats' bits, as signed and as unsigned integers. Of
// floats of one sign the bits ascend with the magnitude: so these are the
// largest positive and the smallest negative element where there is one, and
// tell any NaN, which lies beyond the infinities. Two operations an element;
// its key takes six.
template <class T>
struct BitExtremes {
  using Input = T;
  using K = Key<T>;
  using U = std::make_unsigned_t<K>;
  struct State {
    K largest;
    U largest_unsigned;
  };

  static constexpr State Identity() {
    return {std::numeric_limits<K>::lowest(), 0};
  }
  static constexpr State Map(T x) {
    return {std::bit_cast<K>(x), std::bit_cast<U>(x)};
  }
  static constexpr State Combine(State a, State b) {
    return {b.largest > a.largest ? b.largest : a.largest,
            b.largest_unsigned > a.largest_unsigned ? b.largest_unsigned
                                                    : a.largest_unsigned};
  }

  static constexpr bool HasNan(State s) {
    return IsNan(LargestPositive(s)) || IsNan(SmallestNegative(s));
  }
  static constexpr bool HasPositive(State s) { return s.largest >= 0; }
  static constexpr bool HasNegative(State s) {
    return std::bit_cast<K>(s.largest_unsigned) < 0;
  }
  static constexpr T LargestPositive(State s) {
    return std::bit_cast<T>(s.largest);
  }
  static constexpr T SmallestNegative(State s) {
    return std::bit_cast<T>(s.largest_unsigned);
  }
};

// ReduceMax: +0 is larger than -0, true than false. Of nothing: -infinity, or
// the smallest value of a type that has none.
template <class T>
struct ReduceMax {
  using Fold = ReduceMax;
  using Input = T;
  using State = Key<T>;
  using Output = T;

  static constexpr State Identity() { return LowestKey<T>(); }
  static constexpr State Map(T x) { return KeyOf<NanPlace::kHighest>(x); }
  static constexpr State Combine(State a, State b) { return b > a ? b : a; }
  static constexpr Output Finish(State key, int64_t /*count*/) {
    return FromKey<T>(key);
  }

  // Of elements that have a NaN or a positive one; none of others.
  static constexpr std::optional<State> FromBits(
      typename BitExtremes<T>::State s) {
    if (BitExtremes<T>::HasNan(s)) return std::numeric_limits<State>::max();
    if (!BitExtremes<T>::HasPositive(s)) return std::nullopt;
    return Map(BitExtremes<T>::LargestPositive(s));
  }
};

// ReduceMin: -0 is smaller than +0, false than true. Of nothing: +infinity, or
// the largest value of a type that has none.
template <class T>
struct ReduceMin {
  using Fold = ReduceMin;
  using Input = T;
  using State = Key<T>;
  using Output = T;

  static constexpr State Identity() { return HighestKey<T>(); }
  static constexpr State Map(T x) { return KeyOf<NanPlace::kLowest>(x); }
  static constexpr State Combine(State a, State b) { return b < a ? b : a; }
  static constexpr Output Finish(State key, int64_t /*count*/) {
    return FromKey<T>(key);
  }

  // Of elements that have a NaN or a negative one; none of others.
  static constexpr std::optional<State> FromBits(
      typename BitExtremes<T>::State s) {
    if (BitExtremes<T>::HasNan(s)) return std::numeric_limits<State>::lowest();
    if (!BitExtremes<T>::HasNegative(s)) return std::nullopt;
    return Map(BitExtremes<T>::SmallestNegative(s));
  }
};

enum class Tie { kFirst, kLast };

// The position of the element that `Extreme` finds, among those folded so far.
// Of equal elements the first or the last wins; 0 and -0 are equal. It combines
// states of successive elements only.
template <template <class> class Extreme, class T, Tie kTie>
struct Position {
  using Fold = Position;
  using Input = T;
  struct State {
    Key<T> key;
    int64_t index;
    int64_t
        count;  // Elements folded: where the next state's index counts from.
  };
  using Output = int64_t;
  using Value = Extreme<T>;

  static constexpr State Identity() { return {Value::Identity(), 0, 0}; }
  static constexpr State Map(T x) { return {KeyAt(x), 0, 1}; }
  static constexpr State Combine(State a, State b) {
    const int64_t count = a.count + b.count;
    if (TakesSecond(a, b)) return {b.key, a.count + b.index, count};
    return {a.key, a.index, count};
  }
  static constexpr Output Finish(State s, int64_t /*count*/) { return s.index; }

  // Whether a later element's key displaces the one found so far.
  static constexpr bool IsBetter(Key<T> later, Key<T> found) {
    const Key<T> best = Value::Combine(found, later);
    return kTie == Tie::kLast ? best == later : best != found;
  }
  // Whether the elements of `b`, which follow those of `a`, hold the position.
  static constexpr bool TakesSecond(State a, State b) {
    return a.count == 0 || (b.count > 0 && IsBetter(b.key, a.key));
  }

  // The key by which elements are compared: that of -0 is that of +0.
  static constexpr Key<T> KeyAt(T x) {
    if constexpr (std::is_floating_point_v<T>) {
      return Value::Map(x + T{0});  // Only -0 changes.
    } else if constexpr (kIsFloat<T>) {
      const Key<T> key = Value::Map(x);
      return key == -1 ? Key<T>{0} : key;
    } else {
      return Value::Map(x);
    }
  }
};

// ArgMax and ArgMin, with select_last_index false and true.
template <Numeric T>
struct ArgMax : Position<ReduceMax, T, Tie::kFirst> {};
template <Numeric T>
struct ArgMaxLast : Position<ReduceMax, T, Tie::kLast> {};
template <Numeric T>
struct ArgMin : Position<ReduceMin, T, Tie::kFirst> {};
template <Numeric T>
struct ArgMinLast : Position<ReduceMin, T, Tie::kLast> {};

}  // namespace reductor

#endif  // REDUCTOR_CORE_REDUCERS_EXTREMES_H_
