// Slabs of few short rows, folded into a state per column, many slabs at a
// time: passes over a whole tile of them join each element with the one that
// begins the next run of its column; also across slabs, as that costs less than
// to stop, and what comes of it is not picked up. Rows of an even length are
// joined in pairs first, which leaves half of them. Compiled once per
// instruction set.
//
// Float32 sums of rows of 8, in cache: 2.3 GB/s one row after the other, 12 by
// passes over all elements, 30 by pairs.
#if defined(REDUCTOR_CORE_SLAB_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_SLAB_FOLD_INL_H_
#undef REDUCTOR_CORE_SLAB_FOLD_INL_H_
#else
#define REDUCTOR_CORE_SLAB_FOLD_INL_H_
#endif

#include <cstdint>

#include "core/kernels.h"
#include "core/lanes.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

template <Monoid M>
class SlabFolder {
 public:
  using State = typename M::State;

  // `map` gives the state of an element of the tile, by its index.
  // REQUIRES: 1 <= slabs * rows * cols <= kMaxSlab.
  template <class Map>
  SlabFolder(const Map& map, int64_t slabs, int64_t rows, int64_t cols)
      : slabs_(slabs), rows_(rows), cols_(cols) {
    const auto run_at = [this](int64_t i) { return runs_.Get(i); };
    if (cols == 1 && rows % 2 == 0) {
      JoinPairs(map);
      while (rows_ % 2 == 0) JoinPairs(run_at);
      JoinRuns(run_at);
    } else {
      JoinRuns(map);
    }
  }

  // The state of column i % cols of slab i / cols.
  State Get(int64_t i) const { return columns_.Get(i); }

 private:
  // Joins neighbours in rows of an even length: half as many elements remain.
  template <class Map>
  HWY_INLINE void JoinPairs(const Map& map) {
    rows_ /= 2;
    const int64_t pairs = slabs_ * rows_;
#pragma GCC ivdep
    for (int64_t i = 0; i < pairs; ++i) {
      runs_.Set(i, M::Combine(map(2 * i), map(2 * i + 1)));
    }
  }

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
    // A loop of its own for rows, as an inner one of a single turn is slow.
    for (int64_t s = 0; cols_ == 1 && s < slabs_; ++s) {
      const State run = run_at(s * stride + before);
      columns_.Set(s, before == 0 ? run : M::Combine(columns_.Get(s), run));
    }
    for (int64_t s = 0; cols_ > 1 && s < slabs_; ++s) {
      for (int64_t c = 0; c < cols_; ++c) {
        const State run = run_at(s * stride + before + c);
        const int64_t to = s * cols_ + c;
        columns_.Set(to, before == 0 ? run : M::Combine(columns_.Get(to), run));
      }
    }
  }

  const int64_t slabs_;
  int64_t rows_;
  const int64_t cols_;
  Lanes<State, kMaxSlab> runs_;
  Lanes<State, kMaxSlab> columns_;
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_SLAB_FOLD_INL_H_
