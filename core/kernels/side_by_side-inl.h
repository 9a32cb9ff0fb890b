// Slabs of narrow rows, of which several are taken side by side, as one of more
// columns (sums of 16 columns of float32, of 40 of float64 and of slabs of 129
// x 32 float32, in cache, Zen 4: 49, 75 and 37 GB/s as rows that are passed
// over, 78, 96 and 62 so). Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_SIDE_BY_SIDE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_SIDE_BY_SIDE_INL_H_
#undef REDUCTOR_CORE_KERNELS_SIDE_BY_SIDE_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_SIDE_BY_SIDE_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/kernels.h"
#include "core/kernels/column_walk-inl.h"
#include "core/kernels/elements-inl.h"
#include "core/kernels/lanes.h"
#include "core/kernels/partial_of-inl.h"
#include "core/kernels/special_lanes-inl.h"
#include "core/kernels/vector_lanes-inl.h"
#include "core/kernels/widening-inl.h"
#include "core/order.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// Folds slabs whose rows have `cols` elements, by blocks of rows.
// REQUIRES: AreNarrow(cols).
template <Monoid M>
class RowsSideBySide {
  using State = typename M::State;

 public:
  static constexpr bool kAreThere = !kIsExact<M> && HasNamedVectors<M>();

  RowsSideBySide(int64_t cols, Source source)
      : source_(source),
        cols_(cols),
        width_(SideBySide(cols) * cols),
        block_(RowsOfBlock(cols)) {}

  // states[c] = column c, the blocks of which are one chain, or if kHeld
  // Combine(it, that). REQUIRES: rows <= kChainRows * RowsOfBlock(cols).
  void FoldSlab(const std::byte* HWY_RESTRICT x, int64_t rows,
                State* HWY_RESTRICT states, Into into) {
    FoldBlock(x, std::min(rows, block_), chain_.data());
    for (int64_t r = block_; r < rows; r += block_) {
      FoldBlock(x + r * cols_ * kSize, std::min(rows - r, block_),
                lanes_.data());
      Join(chain_.data(), lanes_.data(), cols_);
    }
    PutStates<M>(states, cols_, into,
                 [this](int64_t c) { return chain_.Get(c); });
  }

 private:
  static constexpr int64_t kSize = sizeof(typename M::Input);
  static_assert(ColumnWalk<M>::kFewest <= kWideCols / 2);
  // Lanes that take the elements left over, which fill no wide row.
  static constexpr int64_t kFewLanes = 8;

  // The columns of a block into the first of these states.
  void FoldBlock(const std::byte* HWY_RESTRICT x, int64_t rows,
                 State* HWY_RESTRICT states) const {
    const int64_t elements = rows * cols_;
    const int64_t whole = elements / width_;
    const int64_t done = whole * width_;
    if constexpr (kHasScaledLanes<M>) {
      // What is left over joins states as they are, in no scale.
      const bool is_whole = done == elements;
      if (is_whole && FoldScaled(x, whole, states)) return;
    }
    ColumnWalk<M>::Fold(x, whole, width_, width_, states, source_);
    Append(x + done * kSize, elements - done, states);
    JoinParts<1>(states, width_);
  }

  // The same of wide rows by lanes that have a scale, if that is faster and
  // right; says whether it did. Parts join in the lanes' own order while they
  // have whole pairs of vectors, which leaves fewer states to bring back (L1 of
  // 3, 16 and 80 columns of float32, in cache, AVX-512: 43, 45 and 44 GB/s if
  // all are brought back first, 47, 51 and 48 so).
  bool FoldScaled(const std::byte* HWY_RESTRICT x, int64_t rows,
                  State* HWY_RESTRICT states) const {
    using Walk = ColumnWalk<M>;
    using Scaled = typename Walk::Scaled;
    if (!kWantsSpecialLanes || rows < Scaled::kFewestRows ||
        width_ % Walk::kLanes != 0) {
      return false;
    }
    Walk::FoldScaled(x, rows, width_, states);
    const int64_t width = JoinParts<Scaled::kPair>(states, width_);
    if (!Scaled::Unscale(states, width)) return false;
    JoinParts<1>(states, width);
    return true;
  }

  // The parts that `width` states are join by halves, while a half is a
  // multiple of kUnit; says how many states that leaves.
  template <int64_t kUnit>
  int64_t JoinParts(State* HWY_RESTRICT states, int64_t width) const {
    for (; width > cols_ && width % (2 * kUnit) == 0; width /= 2) {
      Join(states, states + width / 2, width / 2);
    }
    return width;
  }

  // States take an element each, `n` of them.
  static HWY_INLINE void Append(const std::byte* HWY_RESTRICT x, int64_t n,
                                State* HWY_RESTRICT states) {
    int64_t l = 0;
    for (; l + kFewLanes <= n; l += kFewLanes) {
      VectorLanes<M, kFewLanes> lanes(states + l);
      lanes.Append(x, l);
      lanes.Store(states + l);
    }
    for (; l < n; ++l) states[l] = M::Combine(states[l], MapAt<M>(x, l));
  }

  static HWY_INLINE void Join(State* HWY_RESTRICT to,
                              const State* HWY_RESTRICT from, int64_t n) {
#pragma omp simd
    for (int64_t l = 0; l < n; ++l) to[l] = M::Combine(to[l], from[l]);
  }

  Source source_;
  int64_t cols_;
  int64_t width_;
  int64_t block_;
  Lanes<State, kWideCols> lanes_;  // Of a block.
  Lanes<State, kWideCols> chain_;  // Of the blocks so far.
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_SIDE_BY_SIDE_INL_H_
