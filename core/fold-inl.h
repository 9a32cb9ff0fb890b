// The two loops that all reducers share: rows, each folded into one state, and
// columns, folded side by side. Compiled once per instruction set.
//
// The order of every Combine is fixed here, by element index alone, so that the
// compiler may vectorise without reassociating and every instruction set gives
// the same bits:
//   - a row of n elements fills L = 256 / sizeof(State) lanes; element i joins
//     lane i % L, after all earlier ones of that lane;
//   - a tail shorter than L joins the first lanes, and a row shorter than L has
//     only as many lanes as elements;
//   - the lanes are joined by halving: lane l with lane l + ceil(lanes / 2).
// Elements lie at any address: they are loaded by memcpy, which costs nothing.
#if defined(REDUCTOR_CORE_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_FOLD_INL_H_
#undef REDUCTOR_CORE_FOLD_INL_H_
#else
#define REDUCTOR_CORE_FOLD_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

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

// The state of one row. Specialised where the order of the elements counts
// (position_fold-inl.h).
template <Monoid M>
struct RowFolder {
  using State = typename M::State;

  // Four AVX-512 registers of plain states: enough independent chains to hide
  // the latency of an addition, and they fit the sixteen registers of SSE4.
  static constexpr int64_t kLanes = 256 / sizeof(State);

  // REQUIRES: n >= 1.
  static State Fold(const std::byte* HWY_RESTRICT x, int64_t n) {
    State lanes[kLanes];
    const int64_t width = std::min(kLanes, n);
    // The first lane apart, so that g++ 14 sees that it always has a value.
    lanes[0] = MapAt<M>(x, 0);
    for (int64_t l = 1; l < width; ++l) lanes[l] = MapAt<M>(x, l);
    int64_t i = width;
    for (; i + kLanes <= n; i += kLanes) {
      for (int64_t l = 0; l < kLanes; ++l) {
        lanes[l] = M::Combine(lanes[l], MapAt<M>(x, i + l));
      }
    }
    for (int64_t l = 0; i < n; ++i, ++l) {
      lanes[l] = M::Combine(lanes[l], MapAt<M>(x, i));
    }
    return Halve(lanes, width);
  }

 private:
  // The rounding error grows with log2(width), not with width.
  static State Halve(State* lanes, int64_t width) {
    for (; width > 1; width = (width + 1) / 2) {
      for (int64_t l = 0; l < width / 2; ++l) {
        lanes[l] = M::Combine(lanes[l], lanes[(width + 1) / 2 + l]);
      }
    }
    return lanes[0];
  }
};

// states[r] = Combine(states[r], row r), each row `n` elements.
template <Monoid M>
void FoldRows(const std::byte* HWY_RESTRICT x, int64_t rows, int64_t n,
              typename M::State* HWY_RESTRICT states) {
  const int64_t stride = n * static_cast<int64_t>(sizeof(typename M::Input));
  for (int64_t r = 0; r < rows; ++r) {
    states[r] = M::Combine(states[r], RowFolder<M>::Fold(x + r * stride, n));
  }
}

// states[c] = Combine(states[c], x[r][c]) for every row in order.
template <Monoid M>
void FoldColumns(const std::byte* HWY_RESTRICT x, int64_t rows, int64_t cols,
                 typename M::State* HWY_RESTRICT states) {
  // A quarter of a 32 KiB L1 cache, so that the states stay there.
  constexpr int64_t kStrip = 8192 / sizeof(typename M::State);
  for (int64_t c = 0; c < cols; c += kStrip) {
    const int64_t width = std::min(kStrip, cols - c);
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t l = 0; l < width; ++l) {
        states[c + l] =
            M::Combine(states[c + l], MapAt<M>(x, r * cols + c + l));
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_FOLD_INL_H_
