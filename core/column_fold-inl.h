// Columns, folded side by side: rows in order, up to four a pass, so that the
// states are walked a quarter as often. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_COLUMN_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_COLUMN_FOLD_INL_H_
#undef REDUCTOR_CORE_COLUMN_FOLD_INL_H_
#else
#define REDUCTOR_CORE_COLUMN_FOLD_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/kernels.h"
#include "core/lanes.h"
#include "core/narrow_of-inl.h"
#include "core/reducers.h"
#include "core/row_lanes-inl.h"
#include "core/wide_lanes-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

template <Monoid M>
class ColumnFolder {
  using State = typename M::State;
  using Narrow = typename NarrowOf<M>::type;
  using NarrowState = typename Narrow::State;

 public:
  // states[c] = Combine(states[c], x[r * stride + c]) for every row in order;
  // new ones begin as those of nothing.
  static HWY_NOINLINE void Fold(const std::byte* HWY_RESTRICT x, int64_t rows,
                                int64_t stride, int64_t cols,
                                State* HWY_RESTRICT states, Into into) {
    for (int64_t c = 0; c < cols; c += kStrip) {
      const int64_t width = std::min(kStrip, cols - c);
      if constexpr (kInPlace) {
        FoldStrip(x, rows, stride, c, width, InPlace{states + c}, into);
      } else if constexpr (std::is_same_v<M, Narrow>) {
        FoldInLanes(x, rows, stride, c, width, states, into);
      } else {
        FoldNarrow(x, rows, stride, c, width, states, into);
      }
    }
  }

 private:
  // Plain states are folded where they are; a quarter of a 32 KiB L1 cache, so
  // that they stay there. Others in lanes.
  static constexpr bool kInPlace =
      std::is_same_v<M, Narrow> && !std::is_class_v<State>;
  static constexpr int64_t kStrip = kInPlace ? 8192 / sizeof(State) : 128;

  struct InPlace {
    State Get(int64_t l) const { return states[l]; }
    void Set(int64_t l, State s) const { states[l] = s; }
    State* data() const { return states; }
    State* HWY_RESTRICT states;
  };

  // States of several members lie otherwise in lanes, which are many registers
  // then: one row a pass.
  static constexpr int64_t kMostRows = std::is_class_v<NarrowState> ? 1 : 4;

  static void FoldInLanes(const std::byte* HWY_RESTRICT x, int64_t rows,
                          int64_t stride, int64_t c, int64_t width,
                          State* HWY_RESTRICT states, Into into) {
    Lanes<State, kStrip> lanes;
    if (into == Into::kHeld) {
      for (int64_t l = 0; l < width; ++l) lanes.Set(l, states[c + l]);
    }
    FoldStrip(x, rows, stride, c, width, lanes, into);
    for (int64_t l = 0; l < width; ++l) states[c + l] = lanes.Get(l);
  }

  // As many rows at a time as narrow states can take.
  static void FoldNarrow(const std::byte* HWY_RESTRICT x, int64_t rows,
                         int64_t stride, int64_t c, int64_t width,
                         State* HWY_RESTRICT states, Into into) {
    for (int64_t r = 0; r < rows; r += kBlockBytes, into = Into::kHeld) {
      Lanes<NarrowState, kStrip> lanes;
      FoldStrip(x, std::min(rows - r, kBlockBytes), stride, r * stride + c,
                width, lanes, Into::kNew);
      PutStates<M>(states + c, width, into, [&lanes](int64_t l) {
        return NarrowOf<M>::Widen(lanes.Get(l));
      });
    }
  }

  // Folds `width` columns of x, from element i on, into lanes.
  template <class L>
  static HWY_INLINE void FoldStrip(const std::byte* HWY_RESTRICT x,
                                   int64_t rows, int64_t stride, int64_t i,
                                   int64_t width, L&& lanes, Into into) {
    int64_t r = 0;
    if (into == Into::kNew) {
      r = std::min(rows, kMostRows);
      FoldRows<Into::kNew, kMostRows>(r, x, stride, i, width, lanes);
    }
    for (; r < rows; r += kMostRows) {
      FoldRows<Into::kHeld, kMostRows>(std::min(rows - r, kMostRows), x, stride,
                                       i + r * stride, width, lanes);
    }
  }

  // The same, of 1 to kMost rows.
  template <Into kInto, int64_t kMost, class L>
  static HWY_INLINE void FoldRows(int64_t rows, const std::byte* HWY_RESTRICT x,
                                  int64_t stride, int64_t i, int64_t width,
                                  L&& lanes) {
    if constexpr (kMost > 1) {
      if (rows < kMost) {
        return FoldRows<kInto, kMost - 1>(rows, x, stride, i, width, lanes);
      }
    }
    int64_t l = 0;
    if constexpr (IsWidening<Narrow>()) {
      using Group = WideLanes<Narrow, kGroup<Narrow>>;
      for (; l + kGroup<Narrow> <= width; l += kGroup<Narrow>) {
        Group group = kInto == Into::kNew ? Group() : Group(lanes.data() + l);
        for (int64_t r = 0; r < kMost; ++r) {
          group.Append(x, i + r * stride + l);
        }
        group.Store(lanes.data() + l);
      }
    }
    for (; l < width; ++l) {
      NarrowState s = kInto == Into::kNew ? Narrow::Identity() : lanes.Get(l);
#pragma GCC unroll 4
      for (int64_t r = 0; r < kMost; ++r) {
        s = Narrow::Combine(s, MapAt<Narrow>(x, i + r * stride + l));
      }
      lanes.Set(l, s);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_COLUMN_FOLD_INL_H_
