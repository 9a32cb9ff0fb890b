// What each operator computes: one struct per operator, in scalar C++, in the
// files that this one includes.
//
// A reduction is a fold over a monoid. Map() lifts an element into a State,
// Combine() joins the states of successive elements and is associative up to
// rounding, Finish() turns the state of all `count` elements into the output.
// Identity() is the state of no elements: Finish(Identity(), 0) is what an
// empty slice gives. An operator that differs from another only in Finish()
// names the other as its Fold and shares its loops. One may name a Partial
// monoid, whose states hold all that its State needs of kMostElements and fit
// registers that the loops fill faster, and FromPartial(); and FinishPartial(),
// which makes of such a state what Finish() makes of FromPartial() of it.
//
// An operator whose State holds more than most tensors need may name a Trial, a
// reducer that folds only what they do. Many elements are folded by the trial
// first; if one of its states does not suffice, all of them are folded once
// more, by the operator itself. Which of the two it was shows in no bit:
//   - both fold the trial's state with the same Combine, in the same order;
//   - where that state Suffices(), Finish() of FromTrial() of it, which is
//     FinishTrial(), is Finish() of the reducer's own;
//   - CombineTotals(), which then combines states of many elements each, takes
//     one for the other as well. A state that FromTrial() made takes no more
//     elements.
//
// Others may have a CombineTotals() as well, bit for bit as Combine().
//
// One that never rounds may say which states are absorbing, by IsAbsorbing():
// what Finish() makes of such a state stays, whatever elements follow. They are
// asked after kAskedAfter elements, of which a state is most often absorbing if
// it ever is.
#ifndef REDUCTOR_CORE_REDUCERS_H_
#define REDUCTOR_CORE_REDUCERS_H_

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "core/reducers/extremes.h"     // IWYU pragma: export
#include "core/reducers/few_divisor.h"  // IWYU pragma: export
#include "core/reducers/l2.h"           // IWYU pragma: export
#include "core/reducers/log_sum.h"      // IWYU pragma: export
#include "core/reducers/log_sum_exp.h"  // IWYU pragma: export
#include "core/reducers/logical.h"      // IWYU pragma: export
#include "core/reducers/product.h"      // IWYU pragma: export
#include "core/reducers/sums.h"         // IWYU pragma: export

namespace reductor {

// Reports a malformed reducer at its definition rather than deep in a kernel.
// States are copied as bytes.
template <class R>
concept Monoid = std::is_trivially_copyable_v<typename R::State> &&
    requires(typename R::Input x, typename R::State state) {
  { R::Identity() } -> std::same_as<typename R::State>;
  { R::Map(x) } -> std::same_as<typename R::State>;
  { R::Combine(state, state) } -> std::same_as<typename R::State>;
};

template <class M>
concept HasPartial = requires {
  typename M::Partial;
  M::Partial::kMostElements;
};

// Whether Combine never rounds.
template <class M>
inline constexpr bool kIsExact = !std::is_class_v<typename M::State> &&
                                 !std::is_floating_point_v<typename M::State>;
// A monoid that has a Partial one is exact, and so are these partial ones.
template <HasPartial M>
inline constexpr bool kIsExact<M> = true;
template <IntegerElement T>
inline constexpr bool kIsExact<PartialSum<T>> = true;
template <IntegerElement T>
inline constexpr bool kIsExact<PartialSquares<T>> = true;

// Whether it is that of ReduceLogSumExp.
template <class M>
inline constexpr bool kIsLogSumExp = false;
template <HighPrecision T>
inline constexpr bool kIsLogSumExp<ReduceLogSumExp<T>> = true;

// Whether it finds places: then Combine takes states in order only.
template <class M>
inline constexpr bool kFindsPlaces = false;

// Positions are exact, but count from the first element of their state.
template <template <class> class Extreme, class T, Tie kTie>
inline constexpr bool kIsExact<Position<Extreme, T, kTie>> = true;
template <template <class> class Extreme, class T, Tie kTie>
inline constexpr bool kFindsPlaces<Position<Extreme, T, kTie>> = true;

// Whether it is that of ReduceSumSquare.
template <class M>
inline constexpr bool kIsSumSquare = false;
template <HighPrecision T>
inline constexpr bool kIsSumSquare<ReduceSumSquare<T>> = true;

// Whether the monoid adds squares in float64 or in integers wider than T: not
// those of integers that wrap around (ReduceSumSquare).
template <Monoid M>
constexpr bool SumsWideSquares() {
  using T = typename M::Input;
  if constexpr (IntegerElement<T>) {
    return std::is_same_v<M, PartialSquares<T>> ||
           (std::is_same_v<M, ReduceL2<T>> && !HasPartial<M>);
  } else if constexpr (FloatElement<T>) {
    return kIsSumSquare<M>;
  } else {
    return false;
  }
}

// Whether the lanes of vectors hold its sums, which stop at a largest one,
// kMost.
template <Monoid M>
constexpr bool Saturates() {
  return SumsWideSquares<M>() && std::is_same_v<typename M::State, uint64_t> &&
         sizeof(typename M::Input) == 4;
}

// Whether it is the partial monoid of exact sums of integers.
template <Monoid M>
inline constexpr bool kAddsIntegers = false;
template <IntegerElement T>
inline constexpr bool kAddsIntegers<PartialSum<T>> = true;
template <IntegerElement T>
requires(sizeof(T) ==
         1) inline constexpr bool kAddsIntegers<PartialSumOfFew<T>> = true;

// Whether it is that of ReduceProd, and multiplies elements as it takes them.
template <Monoid M>
constexpr bool Multiplies() {
  return std::is_same_v<M, ReduceProd<typename M::Input>>;
}

// Whether Combine(Identity(), s) is s, or gives what s gives, so that a fold
// may begin with its first element: not where -0 is added to 0.
template <Monoid M>
constexpr bool HasNeutralIdentity() {
  using T = typename M::Input;
  return kIsExact<M> || Multiplies<M>() || std::is_same_v<M, ReduceL1<T>> ||
         kIsSumSquare<M> || kIsLogSumExp<M>;
}

// Whether Combine has a long latency and never rounds: then a lane's elements
// may be spread over several chains. So it is with sums that may stop at a
// largest one, and with products of integers.
template <Monoid M>
constexpr bool HasLongLatency() {
  return Saturates<M>() || (Multiplies<M>() && kIsExact<M>);
}

// Whether the monoid adds or multiplies elements in a wider number.
template <Monoid M>
constexpr bool WidensElements() {
  using T = typename M::Input;
  constexpr bool kIsNarrow = sizeof(T) < sizeof(double);
  if constexpr (FloatElement<T>) {
    return kIsNarrow && (std::is_base_of_v<ReduceSum<T>, M> || Multiplies<M>());
  } else if constexpr (IntegerElement<T>) {
    return kIsNarrow && (kAddsIntegers<M> || SumsWideSquares<M>());
  } else {
    return false;
  }
}

// Whether the monoid looks for the largest or the smallest element.
template <Monoid M>
constexpr bool IsExtreme() {
  using T = typename M::Input;
  return std::is_same_v<M, ReduceMax<T>> || std::is_same_v<M, ReduceMin<T>>;
}

template <class R>
concept Reducer = Monoid<typename R::Fold> && Monoid<R> &&
    std::same_as<typename R::State, typename R::Fold::State> &&
    requires(typename R::State state, int64_t count) {
  { R::Finish(state, count) } -> std::same_as<typename R::Output>;
};

template <class R>
concept HasTrial = Reducer<R> && Reducer<typename R::Trial> &&
    requires(typename R::State state, typename R::Trial::State trial,
             int64_t count) {
  { R::FromTrial(trial) } -> std::same_as<typename R::State>;
  { R::CombineTotals(state, state) } -> std::same_as<typename R::State>;
  { R::FinishTrial(trial, count) } -> std::same_as<typename R::Output>;
  { R::Suffices(trial) } -> std::same_as<bool>;
};

// A mean of integers, which FinishFew() makes of few.
template <class R>
concept IsIntegerMean = Reducer<R> &&
    requires(typename R::State state, const FewDivisor& divisor) {
  { R::FinishFew(state, divisor) } -> std::same_as<typename R::Output>;
};

// A reducer whose result FromQuotient() makes of the total, which is its
// state, or that of its trial, by the count.
template <class R>
concept IsMean = Reducer<R> && requires(double quotient) {
  { R::FromQuotient(quotient) } -> std::same_as<typename R::Output>;
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_REDUCERS_H_
