// Slabs of few short rows, folded into a state per column, many slabs at a
// time: passes over a whole tile of them join each element with the one that
// begins the next run of its column; also across slabs, as that costs less than
// to stop, and what comes of it is not picked up. Compiled once per instruction
// set.
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
    const int64_t total = slabs * rows * cols;
    if (rows & 1) PickUp(1, map);
    if (rows == 1) return;
    for (int64_t i = 0; i < total - cols; ++i) {
      runs_.Set(i, M::Combine(map(i), map(i + cols)));
    }
    const auto run_at = [this](int64_t i) { return runs_.Get(i); };
    for (int64_t size = 2; size <= rows; size *= 2) {
      if (rows & size) PickUp(size, run_at);
      const int64_t next = size * cols;
      // Only elements that were not yet joined are read ahead.
#pragma GCC ivdep
      for (int64_t i = 0; i < total - next; ++i) {
        runs_.Set(i, M::Combine(runs_.Get(i), runs_.Get(i + next)));
      }
    }
  }

  // The state of column i % cols of slab i / cols.
  State Get(int64_t i) const { return columns_.Get(i); }

 private:
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
