// Long rows of which a few are folded a part of each in turn: the CPU brings
// what comes of one while another is folded, where it reads several faster than
// one. As row_lanes-inl.h folds a row by groups side by side, in the same
// order. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_ROWS_IN_TURN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_ROWS_IN_TURN_INL_H_
#undef REDUCTOR_CORE_ROWS_IN_TURN_INL_H_
#else
#define REDUCTOR_CORE_ROWS_IN_TURN_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/kernels.h"
#include "core/narrow_of-inl.h"
#include "core/neighbour_lanes-inl.h"
#include "core/reducers.h"
#include "core/vector_lanes-inl.h"
#include "core/widening-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// Of float32 that are widened: others are folded no faster than they come, or
// in parts of their own (lane_groups-inl.h).
template <Monoid M>
inline constexpr bool kHasRowsInTurn =
    IsWidening<M>() && std::is_same_v<typename M::Input, float>;

template <Monoid M>
class RowsInTurn {
 public:
  using State = typename M::State;

  // As Folder::Rows(). REQUIRES: a row has kBlockBytes at least.
  static HWY_NOINLINE void Fold(const std::byte* HWY_RESTRICT x, int64_t rows,
                                int64_t n, State* HWY_RESTRICT states,
                                Into into) {
    for (int64_t first = 0; first < rows; first += kAtOnce) {
      const int64_t count = std::min(rows - first, kAtOnce);
      State found[kAtOnce];
      FoldFew(x + first * n * kSize, count, n, found);
      PutStates<M>(states + first, count, into,
                   [&found](int64_t r) { return found[r]; });
    }
  }

 private:
  using Group = VectorLanes<M, kRowGroup<M>>;
  static constexpr int64_t kSize = sizeof(typename M::Input);
  static constexpr int64_t kWidth = kRowGroup<M>;
  // What a turn of a row's four groups takes.
  static constexpr int64_t kTurn = 4 * kWidth;
  static constexpr int64_t kAtOnce = 4;
  // The part of each row that is folded at a time: sums of all float32 from
  // memory, and of 512 KiB in cache, Zen 3, GB/s: 16 and 63 row by row, 22 and
  // 48 by two turns, 21 and 60 by four.
  static constexpr int64_t kPart = 4 * kTurn;

  // The four groups, each with a name, so that they stay in registers.
  struct Groups {
    explicit HWY_INLINE Groups(const State* HWY_RESTRICT states)
        : first(states),
          second(states + kWidth),
          third(states + 2 * kWidth),
          fourth(states + 3 * kWidth) {}

    HWY_INLINE void Append(const std::byte* HWY_RESTRICT x, int64_t begin,
                           int64_t end) {
      for (int64_t i = begin; i < end; i += kTurn) {
        first.Append(x, i);
        second.Append(x, i + kWidth);
        third.Append(x, i + 2 * kWidth);
        fourth.Append(x, i + 3 * kWidth);
      }
    }

    HWY_INLINE void Store(State* HWY_RESTRICT states) const {
      first.Store(states);
      second.Store(states + kWidth);
      third.Store(states + 2 * kWidth);
      fourth.Store(states + 3 * kWidth);
    }

    // Joins them by halves, into the first.
    HWY_INLINE void Join() {
      first.Combine(third);
      second.Combine(fourth);
      first.Combine(second);
    }

    Group first;
    Group second;
    Group third;
    Group fourth;
  };

  // One state.
  struct One {
    State* data() { return &state; }
    State state;
  };

  static HWY_INLINE void FoldFew(const std::byte* HWY_RESTRICT x, int64_t rows,
                                 int64_t n, State* HWY_RESTRICT found) {
    alignas(64) State lanes[kAtOnce][kTurn];
    std::fill_n(lanes[0], kAtOnce * kTurn, M::Identity());
    const int64_t whole = n / kTurn * kTurn;
    for (int64_t begin = 0; begin < whole; begin += kPart) {
      const int64_t end = std::min(whole, begin + kPart);
      for (int64_t r = 0; r < rows; ++r) {
        Groups groups(lanes[r]);
        groups.Append(x + r * n * kSize, begin, end);
        groups.Store(lanes[r]);
      }
    }
    const typename Group::Tail tail((kWidth - n % kWidth) % kWidth);
    for (int64_t r = 0; r < rows; ++r) {
      const std::byte* HWY_RESTRICT row = x + r * n * kSize;
      Groups groups(lanes[r]);
      groups.Join();
      int64_t i = whole;
      for (; i + kWidth <= n; i += kWidth) groups.first.Append(row, i);
      if (i < n) groups.first.AppendTo(tail, row, n - kWidth);
      One one;
      groups.first.template StoreHalved<1>(one, 0);
      found[r] = one.state;
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_ROWS_IN_TURN_INL_H_
