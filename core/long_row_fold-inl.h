// Long rows, folded one after the other into lanes, and how an element joins a
// state. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_LONG_ROW_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_LONG_ROW_FOLD_INL_H_
#undef REDUCTOR_CORE_LONG_ROW_FOLD_INL_H_
#else
#define REDUCTOR_CORE_LONG_ROW_FOLD_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/lanes.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

template <Monoid M>
HWY_INLINE typename M::State MapAt(const std::byte* x, int64_t i) {
  typename M::Input element;
  std::memcpy(&element, x + i * static_cast<int64_t>(sizeof(element)),
              sizeof(element));
  return M::Map(element);
}

// Whether the monoid adds floats that it widens to float64.
template <Monoid M>
constexpr bool AddsWidened() {
  using T = typename M::Input;
  if constexpr (FloatElement<T> && sizeof(T) < sizeof(double)) {
    return std::is_base_of_v<ReduceSum<T>, M>;
  } else {
    return false;
  }
}

// The state of some elements and the i'th of x, which follows them. A sum of
// widened floats is a fused multiply-add, by 1 or of an exact square: it rounds
// as the addition does, but leaves the adder to the conversions. Float32, in
// cache, AVX-512: rows at 108 GB/s instead of 83, columns at 100 instead of 88.
template <Monoid M>
HWY_INLINE typename M::State Append(typename M::State s,
                                    const std::byte* HWY_RESTRICT x,
                                    int64_t i) {
#if HWY_NATIVE_FMA
  if constexpr (AddsWidened<M>()) {
    using T = typename M::Input;
    if constexpr (std::is_same_v<M, ReduceSumSquare<T>>) {
      const double value = MapAt<ReduceSum<T>>(x, i);
      return __builtin_fma(value, value, s);
    }
    return __builtin_fma(MapAt<M>(x, i), 1.0, s);
  }
#endif
  return M::Combine(s, MapAt<M>(x, i));
}

// The same, for one of several states.
template <Monoid M, class L>
HWY_INLINE void AppendTo(L& lanes, int64_t l, const std::byte* HWY_RESTRICT x,
                         int64_t i) {
  if constexpr (AddsWidened<M>()) {
    lanes.Set(l, Append<M>(lanes.Get(l), x, i));
  } else {
    // g++ 12 breaks down at the largest of float16 if this is a call more.
    lanes.Set(l, M::Combine(lanes.Get(l), MapAt<M>(x, i)));
  }
}

// How many lanes a row fills: four AVX-512 registers of plain states, enough
// independent chains to hide the latency of an addition, and they fit the
// sixteen registers of SSE4. A state of several members has half as many of
// each.
template <Monoid M>
inline constexpr int64_t kLanes = std::is_class_v<typename M::State>
                                      ? 128 / (sizeof(typename M::State) /
                                               kMemberCount<typename M::State>)
                                      : 256 / sizeof(typename M::State);

// Joins the first 2 * kHalf lanes by halves. "unroll 1", here and below: g++
// would unroll a loop over 16 lanes or fewer before it could vectorise it.
template <Monoid M, int64_t kHalf, class L>
HWY_INLINE typename M::State Halve(L& lanes) {
  if constexpr (kHalf == 0) {
    return lanes.Get(0);
  } else {
#pragma GCC unroll 1
    for (int64_t l = 0; l < kHalf; ++l) {
      lanes.Set(l, M::Combine(lanes.Get(l), lanes.Get(l + kHalf)));
    }
    return Halve<M, kHalf / 2>(lanes);
  }
}

// The state of a row. REQUIRES: n >= kLanes<M>.
template <Monoid M>
HWY_INLINE typename M::State FoldLongRow(const std::byte* HWY_RESTRICT x,
                                         int64_t n) {
  constexpr int64_t kWidth = kLanes<M>;
  Lanes<typename M::State, kWidth> lanes;
#pragma GCC unroll 1
  for (int64_t l = 0; l < kWidth; ++l) lanes.Set(l, MapAt<M>(x, l));
  int64_t i = kWidth;
  for (; i + kWidth <= n; i += kWidth) {
#pragma GCC unroll 1
    for (int64_t l = 0; l < kWidth; ++l) {
      AppendTo<M>(lanes, l, x, i + l);
    }
  }
  for (int64_t l = 0; l < n - i; ++l) {
    AppendTo<M>(lanes, l, x, i + l);
  }
  return Halve<M, kWidth / 2>(lanes);
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_LONG_ROW_FOLD_INL_H_
