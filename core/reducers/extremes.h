// The operators that look for the largest or the smallest element: its value,
// or where it stands.
//
// All compare the integer keys of ordered.h. A NaN beats every value, wherever
// it stands.
#ifndef REDUCTOR_CORE_REDUCERS_EXTREMES_H_
#define REDUCTOR_CORE_REDUCERS_EXTREMES_H_

#include <cstdint>
#include <type_traits>

#include "core/dtype.h"
#include "core/ordered.h"

namespace reductor {

// What elements are folded as: bools as bytes, of which any but 0 is true. The
// largest is true where any is, the smallest where all are.
template <class T>
using Compared = std::conditional_t<std::is_same_v<T, Bool>, uint8_t, T>;

// What joins keys, so that all types that have the same ones share it.
template <class K>
struct LargerKey {
  static constexpr K Combine(K a, K b) { return b > a ? b : a; }
};
template <class K>
struct SmallerKey {
  static constexpr K Combine(K a, K b) { return b < a ? b : a; }
};

// What folds elements by their keys, of which NaNs have one at this place.
template <class T, NanPlace kNans>
struct FoldOfKeys {
  using Input = T;
  using State = Key<T>;
  using Output = T;
  static constexpr NanPlace kNanPlace = kNans;

  static constexpr State Map(T x) { return KeyOf<kNans>(x); }
  static constexpr Output Finish(State key, int64_t /*count*/) {
    return FromKey<kNans, T>(key);
  }
};

// Whether tensors of a type often hold an absorbing element, the one that
// nothing beats: those of one byte do, which has few values. A NaN is one too,
// but seldom there: to ask for it costs the largest of all float32, in cache,
// 4 %.
template <class T>
inline constexpr bool kOftenAbsorbs = sizeof(T) == 1;

// Among how many elements: any bytes, and a mask's bools if one in a hundred is
// set.
template <class T>
inline constexpr int64_t kAbsorbsAmong = std::is_same_v<T, Bool> ? 256 : 2048;

// The key of that element.
template <class Extreme, class T>
inline constexpr Key<T> kAbsorbingKey = Extreme::Combine(LowestKey<T>(),
                                                         HighestKey<T>());

// Whether a key gives the same value: of bools each but 0 does.
template <class Extreme, class T>
constexpr bool GivesAbsorbing(Key<T> key) {
  const auto value = [](Key<T> k) {
    return Extreme::Map(Extreme::Finish(k, 1));
  };
  return value(key) == value(kAbsorbingKey<Extreme, T>);
}

// ReduceMax: +0 is larger than -0, true than false. Of nothing: -infinity, or
// the smallest value of a type that has none.
template <class T>
struct ReduceMax : FoldOfKeys<T, NanPlace::kHighest>, LargerKey<Key<T>> {
  using Fold = ReduceMax<Compared<T>>;
  static constexpr int64_t kAskedAfter = kAbsorbsAmong<T>;
  static constexpr Key<T> Identity() { return LowestKey<T>(); }
  static constexpr bool IsAbsorbing(Key<T> key) requires kOftenAbsorbs<T> {
    return GivesAbsorbing<ReduceMax, T>(key);
  }
};

// ReduceMin: -0 is smaller than +0, false than true. Of nothing: +infinity, or
// the largest value of a type that has none.
template <class T>
struct ReduceMin : FoldOfKeys<T, NanPlace::kLowest>, SmallerKey<Key<T>> {
  using Fold = ReduceMin<Compared<T>>;
  static constexpr int64_t kAskedAfter = kAbsorbsAmong<T>;
  static constexpr Key<T> Identity() { return HighestKey<T>(); }
  static constexpr bool IsAbsorbing(Key<T> key) requires kOftenAbsorbs<T> {
    return GivesAbsorbing<ReduceMin, T>(key);
  }
};

enum class Tie { kFirst, kLast };

// The position in some elements, whatever their type and the tie.
struct PositionState {
  int64_t key;    // Of that element; of uint64 with its highest bit flipped.
  int64_t index;  // Its own, counted from the state's first element.
  // The elements folded: where the next state's index counts from. Of none the
  // others mean nothing.
  int64_t count;
};

// How the positions of elements that `Extreme` finds join, whatever their type:
// by integer keys in the order of the elements. Of equal ones the first or the
// last wins. It combines states of successive elements only.
template <template <class> class Extreme, Tie kTie>
struct PositionJoin {
  using State = PositionState;
  using Output = int64_t;

  static constexpr State Identity() { return {0, 0, 0}; }
  static constexpr State Combine(State a, State b) {
    const bool takes_b = TakesSecond(a, b);
    return {takes_b ? b.key : a.key, takes_b ? a.count + b.index : a.index,
            a.count + b.count};
  }
  static constexpr Output Finish(State s, int64_t /*count*/) { return s.index; }

  // Whether a later element's key displaces the one found so far.
  template <class K>
  static constexpr bool IsBetter(K later, K found) {
    const K best = Extreme<K>::Combine(found, later);
    return kTie == Tie::kLast ? best == later : best != found;
  }
  // Whether the elements of `b`, which follow those of `a`, hold the position.
  // Without a branch, which nobody would foresee.
  static constexpr bool TakesSecond(State a, State b) {
    const int is_first = static_cast<int>(a.count == 0);
    const int is_better = static_cast<int>(b.count > 0) &
                          static_cast<int>(IsBetter(b.key, a.key));
    return (is_first | is_better) != 0;
  }
};

// The position of the element that `Extreme` finds, among those folded so far.
// 0 and -0 are equal.
template <template <class> class Extreme, class T, Tie kTie>
struct Position : PositionJoin<Extreme, kTie> {
  using Fold = Position;
  using Input = T;
  using State = PositionState;
  using Value = Extreme<T>;

  static constexpr State Map(T x) { return StateOf(KeyOf(x), 0, 1); }

  // The state of `count` elements, of which the one at `index` has the best
  // key.
  static constexpr State StateOf(Key<T> key, int64_t index, int64_t count) {
    if constexpr (std::is_same_v<Key<T>, uint64_t>) {
      // In the same order.
      constexpr uint64_t kSign = uint64_t{1} << 63;
      return {static_cast<int64_t>(key ^ kSign), index, count};
    } else {
      return {key, index, count};
    }
  }

  static constexpr int64_t kAskedAfter = kAbsorbsAmong<T>;
  // Never of the last of equal ones, which any element may be.
  static constexpr bool IsAbsorbing(State s) requires(kOftenAbsorbs<T>&& kTie ==
                                                      Tie::kFirst) {
    return s.count > 0 && s.key == kAbsorbingKey<Value, T>;
  }

  static constexpr Key<T> KeyOf(T x) {
    if constexpr (kIsFloat<T>) {
      return KeyOfValue<Value::kNanPlace>(x);
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
