// Rows shorter than the lanes, folded many at a time: of all rows of a tile
// first the shortest run, then the next one (fold-inl.h says what a run is). A
// run of up to eight elements is one expression, which the compiler vectorises
// over the rows; so the runs of rows that have several are copied together
// first. Compiled once per instruction set.
//
// Float32 sums in cache, AVX-512: rows of 2 and 8 at 15 and 31 GB/s by passes
// that join neighbours, 66 and 57 by expressions; rows of 3 at 14 and 60.
#if defined(REDUCTOR_CORE_SHORT_ROW_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_SHORT_ROW_FOLD_INL_H_
#undef REDUCTOR_CORE_SHORT_ROW_FOLD_INL_H_
#else
#define REDUCTOR_CORE_SHORT_ROW_FOLD_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/lanes.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

template <Monoid M>
class ShortRowFolder {
 public:
  using State = typename M::State;

  // How many rows of `n` elements to fold at a time.
  static int64_t MaxRows(int64_t n) {
    return kMaxElements / std::max<int64_t>(n, 2);
  }

  // `map` gives the state of element i of x, the k'th of its row.
  // REQUIRES: 1 <= rows <= MaxRows(n).
  template <class Map>
  ShortRowFolder(const Map& map, const std::byte* x, int64_t rows, int64_t n)
      : row_count_(rows), n_(n) {
    if (n == 3) {
      FoldRuns<3>(map, x, 0, 4, rows);
      PickUp(0);
    }
    for (int64_t size = 1; n != 3 && size <= n; size *= 2) {
      if (n & size) AddRun(map, x, size);
    }
  }

  // The state of row r.
  State Get(int64_t r) const { return rows_.Get(r); }

 private:
  static constexpr int64_t kMaxElements = 1024;

  template <class Map>
  HWY_INLINE void AddRun(const Map& map, const std::byte* x, int64_t size) {
    const int64_t first = n_ & (size - 1);
    if (size == 1) {
      for (int64_t r = 0; r < row_count_; ++r) runs_.Set(r, map(x, r * n_, 0));
    } else if (size == 2) {
      FoldRuns<2>(map, Gather<2>(x, first, size), first, size, row_count_);
    } else if (size == 4) {
      FoldRuns<4>(map, Gather<4>(x, first, size), first, size, row_count_);
    } else {
      int64_t parts = row_count_ * (size / 8);
      FoldRuns<8>(map, Gather<8>(x, first, size), first, size, parts);
      while (parts > row_count_) JoinPairs(parts /= 2);
    }
    PickUp(first);
  }

  // The runs of all rows, one after the other.
  template <int64_t kPart>
  HWY_INLINE const std::byte* Gather(const std::byte* x, int64_t first,
                                     int64_t size) {
    if (size == n_) return x;
    constexpr int64_t kSize = sizeof(typename M::Input);
    std::byte* to = together_;
    for (int64_t r = 0; r < row_count_; ++r) {
      const std::byte* from = x + (r * n_ + first) * kSize;
      for (int64_t i = 0; i < size; i += kPart) {
        std::memcpy(to, from, kPart * kSize);
        to += kPart * kSize;
        from += kPart * kSize;
      }
    }
    return together_;
  }

  template <int64_t kSize, class Map>
  HWY_INLINE void FoldRuns(const Map& map, const std::byte* HWY_RESTRICT x,
                           int64_t first, int64_t size, int64_t count) {
#pragma GCC ivdep
    for (int64_t i = 0; i < count; ++i) {
      const int64_t k = kSize == 3 ? 0 : first + (i * kSize & (size - 1));
      runs_.Set(i, Join<kSize>(map, x, i * kSize, k));
    }
  }

  template <int64_t kSize, class Map>
  static HWY_INLINE State Join(const Map& map, const std::byte* HWY_RESTRICT x,
                               int64_t i, int64_t k) {
    if constexpr (kSize == 1) {
      return map(x, i, k);
    } else {
      constexpr int64_t kFirst = kSize / 2;
      return M::Combine(Join<kFirst>(map, x, i, k),
                        Join<kSize - kFirst>(map, x, i + kFirst, k + kFirst));
    }
  }

  HWY_INLINE void JoinPairs(int64_t pairs) {
#pragma GCC ivdep
    for (int64_t i = 0; i < pairs; ++i) {
      runs_.Set(i, M::Combine(runs_.Get(2 * i), runs_.Get(2 * i + 1)));
    }
  }

  // Joins the run of each row to its shorter ones, which precede.
  HWY_INLINE void PickUp(int64_t first) {
    for (int64_t r = 0; r < row_count_; ++r) {
      const State run = runs_.Get(r);
      rows_.Set(r, first == 0 ? run : M::Combine(rows_.Get(r), run));
    }
  }

  const int64_t row_count_;
  const int64_t n_;
  alignas(64) std::byte together_[kMaxElements * sizeof(typename M::Input)];
  Lanes<State, kMaxElements / 2> runs_;
  Lanes<State, kMaxElements / 2> rows_;
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_SHORT_ROW_FOLD_INL_H_
