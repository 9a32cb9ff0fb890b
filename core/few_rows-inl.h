// Columns of few rows, of which no others follow: states of numbers go from
// registers straight to their outputs (sums of two rows of 65,536 float32, in
// cache, AVX-512: 13 us with a state for each column in memory, 9 so). Compiled
// once per instruction set.
#if defined(REDUCTOR_CORE_FEW_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_FEW_ROWS_INL_H_
#undef REDUCTOR_CORE_FEW_ROWS_INL_H_
#else
#define REDUCTOR_CORE_FEW_ROWS_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>

#include "core/column_fold-inl.h"
#include "core/float_extremes-inl.h"
#include "core/kernels.h"
#include "core/narrow_of-inl.h"
#include "core/plain_lanes-inl.h"
#include "core/prefetch-inl.h"
#include "core/reducers.h"
#include "core/results-inl.h"
#include "core/vector_lanes-inl.h"
#include "core/widening-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// What lanes fold first: the trial of a reducer that has one.
template <Reducer R>
struct FirstOf {
  using type = R;
};
template <HasTrial R>
struct FirstOf<R> {
  using type = typename R::Trial;
};

// The function of the kernel of R.
template <Reducer R>
class FewRows {
  using M = typename FirstOf<R>::type::Fold;
  using Output = typename R::Output;
  using Narrow = typename NarrowOf<M>::type;

 public:
  // States of several members would be too many registers.
  static constexpr bool kIsThere = !std::is_class_v<typename Narrow::State>;

  static void Reduce(const std::byte* HWY_RESTRICT x, int64_t slabs,
                     int64_t rows, int64_t stride, int64_t cols,
                     std::byte* to) {
    auto* HWY_RESTRICT out = reinterpret_cast<Output*>(to);
    const ResultOf<R> result_of(rows);
    Extremes extremes;
    for (int64_t s = 0; s < slabs; ++s) {
      ReduceSlab(x + s * rows * stride * kSize, rows, stride, cols, result_of,
                 extremes, out + s * cols);
    }
  }

 private:
  static constexpr int64_t kSize = sizeof(typename M::Input);
  static constexpr int64_t kLine = kMinFewRowsBytes / kSize;
  // As many columns at a time as fill four vectors, where there are so many: of
  // a line alone the loop over rows costs as much as they (sums of float64 and
  // uint8 slabs of 3 x 1,024, in cache, AVX-512: 43 and 43 GB/s, 69 and 71 so).
  using NarrowTag = hn::ScalableTag<typename Narrow::State>;
  static constexpr int64_t kMany =
      std::max<int64_t>(kLine, 4 * hn::MaxLanes(NarrowTag()));
  // Whether a result is the state, a float64, rounded to float32: then vectors
  // do that, as many columns at a time as fill eight of them (L1 and sums of
  // two rows of 65,536 float32, in cache, AVX-512: 66 and 79 GB/s by lines, 84
  // and 97 so).
  static constexpr bool kIsNarrowed =
      std::is_same_v<R, M> && IsWidening<M>() && std::is_same_v<Output, float>;
  static constexpr int64_t kWide = 8 * hn::MaxLanes(hn::ScalableTag<double>());
  using Extremes = std::conditional_t<kHasFloatExtremes<M>, FloatExtremes<M>,
                                      std::monostate>;
  // How many bytes further each row is asked for (sums of 16 rows of 10,000
  // float32, in cache: 65 GB/s so, 45 by a page).
  static constexpr int64_t kAhead = 512;

  static HWY_INLINE void ReduceSlab(const std::byte* HWY_RESTRICT x,
                                    int64_t rows, int64_t stride, int64_t cols,
                                    const ResultOf<R>& result_of,
                                    Extremes& extremes,
                                    Output* HWY_RESTRICT out) {
    int64_t c = 0;
    if constexpr (kHasFloatExtremes<M>) {
      constexpr int64_t kColumns = Extremes::kColumns;
      for (; c + kColumns <= cols; c += kColumns) {
        Prefetch(x, rows, stride, c, kColumns);
        if (!extremes.ReduceColumns(x + c * kSize, rows, stride, out + c)) {
          ReduceLines(x, rows, stride, c, c + kColumns, result_of, out);
        }
      }
    }
    if constexpr (kIsNarrowed) {
      for (; c + kWide <= cols; c += kWide) {
        Prefetch(x, rows, stride, c, kWide);
        VectorLanes<M, kWide> lanes;
        for (int64_t r = 0; r < rows; ++r) lanes.Append(x, r * stride + c);
        lanes.StoreNarrow(out + c);
      }
    }
    ReduceLines(x, rows, stride, c, cols, result_of, out);
  }

  static HWY_INLINE void Prefetch(const std::byte* HWY_RESTRICT x, int64_t rows,
                                  int64_t stride, int64_t c, int64_t cols) {
    for (int64_t r = 0; r < rows; ++r) PrefetchRow(x, r * stride + c, cols);
  }

  static HWY_INLINE void PrefetchRow(const std::byte* HWY_RESTRICT x, int64_t i,
                                     int64_t cols) {
    for (int64_t l = 0; l < cols; l += kLine) {
      PrefetchFrom(Cache::kL1, x, (i + l) * kSize + kAhead);
    }
  }

  // Columns [c, end). REQUIRES: end >= kLine.
  static HWY_INLINE void ReduceLines(const std::byte* HWY_RESTRICT x,
                                     int64_t rows, int64_t stride, int64_t c,
                                     int64_t end, const ResultOf<R>& result_of,
                                     Output* HWY_RESTRICT out) {
    for (; c + kMany <= end; c += kMany) {
      ReduceColumns<kMany>(x, rows, stride, c, result_of, out);
    }
    // The last columns once more, with some of those before them.
    for (; c < end; c += kLine) {
      ReduceColumns<kLine>(x, rows, stride, std::min(c, end - kLine), result_of,
                           out);
    }
  }

  // Columns [c, c + kWidth).
  template <int64_t kWidth>
  static HWY_INLINE void ReduceColumns(const std::byte* HWY_RESTRICT x,
                                       int64_t rows, int64_t stride, int64_t c,
                                       const ResultOf<R>& result_of,
                                       Output* HWY_RESTRICT out) {
    GroupOf<Narrow, kWidth> group;
#pragma GCC unroll 2
    for (int64_t r = 0; r < rows; ++r) {
      PrefetchRow(x, r * stride + c, kWidth);
      group.Append(x, r * stride + c);
    }
    auto&& lanes = group.ToLanes();
    if constexpr (HasTrial<R>) {
      if (!FinishTrials<R>(lanes.data(), kWidth, result_of, out + c)) {
        ReduceOnceMore(x + c * kSize, rows, stride, kWidth, out + c);
      }
    } else {
#pragma GCC unroll 1
      for (int64_t l = 0; l < kWidth; ++l) {
        out[c + l] = result_of(NarrowOf<M>::Widen(lanes.Get(l)));
      }
    }
  }

  // Columns of which the trial's states do not all suffice.
  static HWY_NOINLINE void ReduceOnceMore(const std::byte* HWY_RESTRICT x,
                                          int64_t rows, int64_t stride,
                                          int64_t cols,
                                          Output* HWY_RESTRICT out) {
    typename R::State states[kMany];
    ColumnFolder<typename R::Fold>::Fold(x, rows, stride, cols, states,
                                         Into::kNew);
    for (int64_t l = 0; l < cols; ++l) out[l] = R::Finish(states[l], rows);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_FEW_ROWS_INL_H_
