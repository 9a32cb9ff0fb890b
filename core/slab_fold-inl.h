// Slabs of few short rows, folded into a state per column. Up to sixteen rows
// are chains, eight or sixteen columns at a time. More are folded by passes
// over a whole tile of slabs: each joins the elements with those that begin the
// next run of their column; also across slabs, as that costs less than to stop,
// and what comes of it is not picked up. Compiled once per instruction set.
//
// Float32 sums of slabs of 8 x 8 and 8 x 16, in cache, AVX-512: 18 GB/s by
// passes, 37 and 95 by chains.
#if defined(REDUCTOR_CORE_SLAB_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_SLAB_FOLD_INL_H_
#undef REDUCTOR_CORE_SLAB_FOLD_INL_H_
#else
#define REDUCTOR_CORE_SLAB_FOLD_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/kernels.h"
#include "core/lanes.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// The most rows whose columns are chains: those of 16 equal values err by no
// more than what the bound allows (cascade.h).
inline constexpr int64_t kMaxChainRows = 16;

// Gives store(c, state) the state of each column of a slab. `map` gives the
// state of element i of x, in row r.
template <Monoid M, class Map, class Store>
HWY_INLINE void FoldChains(const Map& map, const std::byte* HWY_RESTRICT x,
                           int64_t rows, int64_t cols, const Store& store) {
  int64_t c = 0;
  const auto fold = [&](auto width) {
    constexpr int64_t kWidth = width;
    for (; c + kWidth <= cols; c += kWidth) {
      Lanes<typename M::State, kWidth> lanes;
#pragma GCC unroll 1
      for (int64_t l = 0; l < kWidth; ++l) lanes.Set(l, map(x, c + l, 0));
      for (int64_t r = 1; r < rows; ++r) {
#pragma GCC unroll 1
        for (int64_t l = 0; l < kWidth; ++l) {
          lanes.Set(l, M::Combine(lanes.Get(l), map(x, r * cols + c + l, r)));
        }
      }
#pragma GCC unroll 1
      for (int64_t l = 0; l < kWidth; ++l) store(c + l, lanes.Get(l));
    }
  };
  fold(std::integral_constant<int64_t, 16>());
  fold(std::integral_constant<int64_t, 8>());
  fold(std::integral_constant<int64_t, 1>());
}

template <Monoid M>
class SlabFolder {
 public:
  using State = typename M::State;

  // `map` gives the state of an element of the tile, by its index.
  // REQUIRES: 1 <= slabs * rows * cols <= kMaxSlab.
  template <class Map>
  SlabFolder(const Map& map, int64_t slabs, int64_t rows, int64_t cols)
      : slabs_(slabs), rows_(rows), cols_(cols) {
    JoinRuns(map);
  }

  // The state of column i % cols of slab i / cols.
  State Get(int64_t i) const { return columns_.Get(i); }

 private:
  template <class Map>
  HWY_INLINE void JoinRuns(const Map& map) {
    const int64_t total = slabs_ * rows_ * cols_;
    if (rows_ & 1) PickUp(1, map);
    if (rows_ == 1) return;
      // Only elements that were not yet joined are read ahead.
#pragma GCC ivdep
    for (int64_t i = 0; i < total - cols_; ++i) {
      runs_.Set(i, M::Combine(map(i), map(i + cols_)));
    }
    for (int64_t size = 2; size <= rows_; size *= 2) {
      if (rows_ & size) {
        PickUp(size, [this](int64_t i) { return runs_.Get(i); });
      }
      const int64_t next = size * cols_;
#pragma GCC ivdep
      for (int64_t i = 0; i < total - next; ++i) {
        runs_.Set(i, M::Combine(runs_.Get(i), runs_.Get(i + next)));
      }
    }
  }

  // Joins the run of `size` of each column to its shorter ones, which precede.
  template <class RunAt>
  HWY_INLINE void PickUp(int64_t size, const RunAt& run_at) {
    const int64_t before = (rows_ & (size - 1)) * cols_;
    const int64_t stride = rows_ * cols_;
    for (int64_t s = 0; s < slabs_; ++s) {
      for (int64_t c = 0; c < cols_; ++c) {
        const State run = run_at(s * stride + before + c);
        const int64_t to = s * cols_ + c;
        columns_.Set(to, before == 0 ? run : M::Combine(columns_.Get(to), run));
      }
    }
  }

  const int64_t slabs_;
  const int64_t rows_;
  const int64_t cols_;
  Lanes<State, kMaxSlab> runs_;
  Lanes<State, kMaxSlab> columns_;
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_SLAB_FOLD_INL_H_
