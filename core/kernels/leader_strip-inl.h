// The leaders of columns (leaders-inl.h), in lanes that rows join. Compiled
// once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_LEADER_STRIP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_LEADER_STRIP_INL_H_
#undef REDUCTOR_CORE_KERNELS_LEADER_STRIP_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_LEADER_STRIP_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/cpu.h"
#include "core/kernels.h"
#include "core/kernels/lanes.h"
#include "core/kernels/pass_prefetch-inl.h"
#include "core/kernels/places-inl.h"
#include "core/kernels/prefetch-inl.h"
#include "core/kernels/slab.h"
#include "core/ordered.h"
#include "core/reducers/extremes.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// The leaders of some columns: of up to a page of each row, as less of it the
// CPU does not follow (4,096 columns of float32 from memory, Intel, AVX-512: 10
// GB/s by 256 columns, 14 so).
template <class L>
class LeaderStrip {
  using T = typename L::Input;
  static constexpr int64_t kSize = sizeof(T);
  static_assert(kMostRowsOfPlaces <
                std::numeric_limits<typename L::Place>::max());

 public:
  static constexpr int64_t kMost = kPageBytes / kSize;

  // Of the columns of `rows` rows of `width` elements that are `stride` apart,
  // some rows side by side, as one of more columns.
  // REQUIRES: 1 <= side_by_side <= rows, side_by_side * width <= kMost.
  HWY_NOINLINE LeaderStrip(const std::byte* HWY_RESTRICT x, int64_t rows,
                           int64_t stride, int64_t width, int64_t side_by_side,
                           Tie tie, Source source)
      : rows_(rows),
        whole_(rows / side_by_side),
        width_(width),
        side_by_side_(side_by_side),
        tie_(tie),
        is_from_memory_(source == Source::kMemory),
        is_prefetched_(!NeedNoPrefetch<kSize>(source, stride)) {
    const int64_t n = side_by_side * width;
    const int64_t step = side_by_side * (IsForward() ? stride : -stride);
    // The wide rows that rows side by side are, as they are walked.
    const auto wide = [=, this](int64_t w) {
      return x + RowAt(w, 0) * stride * kSize;
    };
    int64_t w = std::min(whole_, kRowsAtFirst);
    FoldFirstRows<kRowsAtFirst>(w, wide(0), step, n);
    for (; w + kMaxPassRows <= whole_; w += kMaxPassRows) {
      FoldRows<Into::kHeld, kMaxPassRows>(wide(w), w, step, n);
    }
    // What is left over is part of one.
    const int64_t rest = rows % side_by_side * width;
    for (; w < whole_ + (rest > 0 ? 1 : 0); ++w) {
      FoldRows<Into::kHeld, 1>(wide(w), w, step, w < whole_ ? n : rest);
    }
  }

  // Whether the leaders may be wrong: then others must find them.
  HWY_INLINE bool may_be_wrong() const { return may_be_wrong_; }

  // The best key of column c and the row where it stands.
  HWY_INLINE std::pair<Key<T>, int64_t> BestOf(int64_t c) const {
    const auto first = lanes_.Get(c);
    Key<T> best = L::KeyOf(first);
    int64_t row = RowAt(first.place, 0);
    for (int64_t side = 1; side < side_by_side_; ++side) {
      const auto beside = lanes_.Get(c + side * width_);
      const Key<T> key = L::KeyOf(beside);
      const int64_t other = RowAt(beside.place, side);
      const bool takes =
          key == best ? (other < row) == IsForward() : L::IsBetter(key, best);
      if (takes) {
        best = key;
        row = other;
      }
    }
    return {best, row};
  }

  // Makes out[c] that row, for each column.
  // REQUIRES: side_by_side was 1.
  HWY_INLINE void PutRows(int64_t* HWY_RESTRICT out) const {
    PutRowsOfPlaces(tie_, rows_, width_, out,
                    [this](int64_t c) { return lanes_.Get(c).place; });
  }

 private:
  // The most rows of the first pass over the lanes: of keys that are computed
  // fewer (places in 4 x 1,692 float32 by keys, in cache, Zen 4: 16 GB/s by
  // three rows, 20 so).
  static constexpr int64_t kRowsAtFirst = L::kComputesKeys ? 2 : 3;
  // Elements that the CPU loads at once.
  static constexpr int64_t kLine = kLineBytes / kSize;

  bool IsForward() const { return tie_ == Tie::kFirst; }

  // The row that `place` stands for in the lanes of row `side` of those side by
  // side: a place counts wide rows. From the end on, the rows left over, which
  // are walked last, are the first of the slab.
  HWY_INLINE int64_t RowAt(int64_t place, int64_t side) const {
    if (IsForward()) return place * side_by_side_ + side;
    return place == whole_ ? side : rows_ - (place + 1) * side_by_side_ + side;
  }

  // Makes `n` lanes of the first `rows` rows, 1 to kRows, by one pass. A second
  // pass would read lanes that the first has just stored, and in some processes
  // waits for that each time, for as long as they run (places in 3 x 10,751
  // int32, in cache, Zen 4: 25 GB/s, but 10 in one process of 24).
  template <int64_t kRows>
  HWY_INLINE void FoldFirstRows(int64_t rows, const std::byte* HWY_RESTRICT x,
                                int64_t step, int64_t n) {
    if constexpr (kRows > 1) {
      if (rows < kRows) {
        return FoldFirstRows<kRows - 1>(rows, x, step, n);
      }
    }
    FoldRows<Into::kNew, kRows>(x, 0, step, n);
  }

  // Folds kRows rows of `n` columns, which begin `step` elements apart, into as
  // many lanes, the first of them at `place`; and prefetches what follows.
  template <Into kInto, int64_t kRows>
  HWY_INLINE void FoldRows(const std::byte* HWY_RESTRICT x, int64_t place,
                           int64_t step, int64_t n) {
    // Of packed rows Intel's L1 cache cannot take as many lines as come. Zen 4
    // takes all from memory best in the L2 cache, but where they are in it they
    // lose by that. From memory, AVX-512, GB/s by the L1 and by the L2 cache:
    //   16 columns of float32, Intel                       9  11
    //   100 columns of float32, Intel                      9  12
    //   16 columns of float32, Zen 4                      15  18
    //   100 columns of float64, Zen 4                     15  18
    //   100 columns of float32, from the end on, Zen 4    10  15
    //   1,024 columns of int8, Zen 4                      15  19
    //   65,536 columns of float32, Zen 4                  14  19
    // From the end on no rows are packed.
    const bool are_packed = step == n && n < kMost;
    const bool wants_l2 = (are_packed && kCpuKind == CpuKind::kGoldenCove) ||
                          (is_from_memory_ && kPrefetchesColumnsToL2);
    const Cache to = wants_l2 ? Cache::kL2 : Cache::kL1;
    const PassPrefetch<kRows, kSize> prefetch(to, x, step, n, kRows * step);
    // Up to what column. From memory the last ones, too, which fill no line
    // (100 columns of float32, Zen 4: 12 GB/s without, 20 so).
    const int64_t prefetch_end = !is_prefetched_   ? 0
                                 : is_from_memory_ ? n
                                                   : n / kLine * kLine;
    if (n < kLine) {
      for (int64_t c = 0; c < n; ++c) {
        FoldColumns<kInto, kRows, 1>(x, place, step, c);
      }
      return;
    }
    for (int64_t c = 0; c < n; c += kLine) {
      if (c < prefetch_end) {
        for (int64_t r = 0; r < kRows; ++r) prefetch.At(r, c);
      }
      // The last ones once more with some of those before them, which changes
      // nothing (places of slabs of 21 x 47 and 23 x 70 float16, in cache, Zen
      // 3: 1.7 and 3.2 GB/s one by one, 5.8 and 7.7 so).
      FoldColumns<kInto, kRows, kLine>(x, place, step, std::min(c, n - kLine));
    }
  }

  // The same of columns [c, c + kCols).
  template <Into kInto, int64_t kRows, int64_t kCols>
  HWY_INLINE void FoldColumns(const std::byte* HWY_RESTRICT x, int64_t place,
                              int64_t step, int64_t c) {
    may_be_wrong_ |=
        !L::template Fold<kInto, kRows, kCols>(lanes_, x, place, step, c);
  }

  Lanes<typename L::State, kMost> lanes_;
  int64_t rows_;
  int64_t whole_;  // Wide rows.
  int64_t width_;
  int64_t side_by_side_;
  Tie tie_;
  bool is_from_memory_;
  bool is_prefetched_;
  bool may_be_wrong_ = false;
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_LEADER_STRIP_INL_H_
