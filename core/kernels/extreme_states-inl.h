// States of the largest or the smallest of floats in columns and slabs, found
// by comparisons (extreme_columns-inl.h) of some rows at a time. Compiled once
// per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_EXTREME_STATES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_EXTREME_STATES_INL_H_
#undef REDUCTOR_CORE_KERNELS_EXTREME_STATES_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_EXTREME_STATES_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/cpu.h"
#include "core/kernels.h"
#include "core/kernels/extreme_columns-inl.h"
#include "core/kernels/isa-inl.h"
#include "core/kernels/partial_of-inl.h"
#include "core/order.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

template <Monoid M>
class ExtremeStates {
  using T = typename M::Input;
  using Columns = ExtremeColumns<M>;
  static constexpr int64_t kSize = sizeof(T);
  static constexpr int64_t kColumns = Columns::kColumns;
  static constexpr int64_t kLineColumns = Columns::kLineColumns;

 public:
  // Columns whose rows are a line of memory each, or two or four: of so many
  // rows that it takes less time than keys do. From memory keys take less of up
  // to 16 columns. The largest, Zen 4, by keys and with several rows as one,
  // GB/s in cache and from memory:
  //   8 columns of float64     65   93
  //   16 columns of float32    86   95   25  23
  //   16 columns of float64              23  21
  //   32 columns of float32    98  104   21  23
  //   32 columns of float64    94  106
  static bool AreLinesFaster(int64_t rows, int64_t cols, Source source) {
    constexpr int64_t kFewestLines = 64;
    constexpr int64_t kMostByKeys = 16;
    return cols >= kLineColumns && kColumns % cols == 0 &&
           rows * cols >= kFewestLines * kLineColumns &&
           (source != Source::kMemory || cols > kMostByKeys);
  }

  // states[c] = column c of such a slab, or if kHeld Combine(states[c], that);
  // by_keys(x, rows, states, into) does so from the first part on where keys
  // must. Says whether comparisons sufficed: else those of later slabs hardly
  // will. REQUIRES: AreLinesFaster().
  template <class ByKeys>
  HWY_NOINLINE bool FoldLines(const std::byte* HWY_RESTRICT x, int64_t rows,
                              int64_t cols,
                              typename M::State* HWY_RESTRICT states, Into into,
                              const ByKeys& by_keys) {
    // By parts, of which the one that has a NaN is folded once more (the
    // largest of 16 columns of float32, one of 100,000 being one, in cache, Zen
    // 4: 49 GB/s by four times as many rows, 66 so).
    const int64_t most = 4 * kBlockBytes / (cols * kSize);
    int64_t r = 0;
    for (int64_t parts = (rows + most - 1) / most; parts > 0;
         --parts, into = Into::kHeld) {
      // All alike: a last one may have too few rows.
      const int64_t count = (rows - r) / parts;
      const std::byte* const part = x + r * cols * kSize;
      T best[kColumns];
      const bool suffices = Columns::WithVectorsOf(cols, [&](auto vectors) {
        return columns_.template ReduceColumns<vectors()>(part, count, cols,
                                                          cols, best);
      });
      if (!suffices) {
        by_keys(part, rows - r, states, into);
        return false;
      }
      PutStates<M>(states, cols, into,
                   [&best](int64_t c) { return M::Map(best[c]); });
      r += count;
    }
    return true;
  }

  // Whether it takes less time than keys do: by AVX-512, not AMD's, of so many
  // rows, as a pass over them makes one key a column, which joins the state.
  // Elsewhere keys take as long, and to walk fewer rows at a time costs less.
  // Of float32, in cache, GB/s by keys, then by this:
  //   the smallest of slabs of 64 x 256, Intel        81  107
  //   the smallest of 16 columns, Intel               84  108
  //   the largest of 1,024 columns, AMD, AVX2         45   30
  //   the largest of 1,024 columns, AMD, AVX-512      97   88
  static bool AreColumnsFaster(int64_t rows, int64_t cols) {
    return kHasAvx512 && !kIsAmd && rows >= 8 && cols >= kColumns;
  }

  // states[c] = column c of the rows, or if kHeld Combine(states[c], that);
  // by_keys(x, rows, stride, cols, states, into) does so where keys must.
  // REQUIRES: cols >= kColumns.
  template <class ByKeys>
  static HWY_NOINLINE void FoldColumns(const std::byte* HWY_RESTRICT x,
                                       int64_t rows, int64_t stride,
                                       int64_t cols,
                                       typename M::State* HWY_RESTRICT states,
                                       Into into, const ByKeys& by_keys) {
    Columns columns;
    int64_t r = 0;
    for (int64_t passes = (rows + kMostRows - 1) / kMostRows; passes > 0;
         --passes, into = Into::kHeld) {
      // All passes alike: a last one of few rows would cost as much.
      const int64_t count = (rows - r) / passes;
      const std::byte* const some = x + r * stride * kSize;
      for (int64_t c = 0; c < cols; c += kColumns) {
        // The last columns once more, with some of those before them.
        const int64_t first = std::min(c, cols - kColumns);
        const std::byte* const at = some + first * kSize;
        T best[kColumns];
        if (columns.ReduceColumns(at, count, stride, best)) {
          PutStates<M>(states + first, kColumns, into,
                       [&best](int64_t l) { return M::Map(best[l]); });
        } else {
          by_keys(at, count, stride, kColumns, states + first, into);
        }
      }
      r += count;
    }
  }

 private:
  // Rows of a pass over the states: each is a stream that the CPU follows.
  static constexpr int64_t kMostRows = 16;

  Columns columns_;
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_EXTREME_STATES_INL_H_
