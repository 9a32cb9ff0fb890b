// What each operator computes: one struct per operator, in scalar C++, in the
// files that this one includes.
//
// A reduction is a fold over a monoid. Map() lifts an element into a State,
// Combine() joins the states of successive elements and is associative up to
// rounding, Finish() turns the state of all `count` elements into the output.
// Identity() is the state of no elements: Finish(Identity(), 0) is what an
// empty slice gives. An operator that differs from another only in Finish()
// names the other as its Fold and shares its loops.
//
// One may name a Partial: a monoid of smaller states, which fit registers, by
// which up to Partial::kMostElements elements are folded first. FromPartial(p)
// is the State of the same elements. FinishPartial(p), if there is one, gives
// what Finish(FromPartial(p)) gives, sooner.
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

// Whether it finds places: then Combine takes states in order only.
template <class M>
inline constexpr bool kFindsPlaces = false;

// Positions are exact, but count from the first element of their state.
template <template <class> class Extreme, class T, Tie kTie>
inline constexpr bool kIsExact<Position<Extreme, T, kTie>> = true;
template <template <class> class Extreme, class T, Tie kTie>
inline constexpr bool kFindsPlaces<Position<Extreme, T, kTie>> = true;

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
