// The loops that all reducers share: rows, each folded into one state; slabs,
// folded into a state per column; and columns, folded side by side. README.md,
// beside this, has a map of all loops. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_FOLD_INL_H_
#undef REDUCTOR_CORE_KERNELS_FOLD_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_FOLD_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/cpu.h"
#include "core/kernels.h"
#include "core/kernels/column_fold-inl.h"
#include "core/kernels/extreme_columns-inl.h"
#include "core/kernels/extreme_rows-inl.h"
#include "core/kernels/extreme_states-inl.h"
#include "core/kernels/extreme_vectors-inl.h"
#include "core/kernels/float_pairs-inl.h"
#include "core/kernels/isa-inl.h"
#include "core/kernels/limb_lanes-inl.h"
#include "core/kernels/monoid_traits.h"
#include "core/kernels/partial_of-inl.h"
#include "core/kernels/put_results-inl.h"
#include "core/kernels/read_ahead-inl.h"
#include "core/kernels/results-inl.h"
#include "core/kernels/row_tile-inl.h"
#include "core/kernels/side_by_side-inl.h"
#include "core/kernels/slab_fold-inl.h"
#include "core/kernels/transposed_slabs-inl.h"
#include "core/order.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// What MakeKernel() (tables-inl.h) makes a kernel of: Rows(), ReduceRows(),
// Slabs() and Columns(), and where nothing is rounded PassColumns().
// Specialised where places are found (position_fold-inl.h), with ReduceSlabs()
// and without PassColumns(), and for LogSumExp (log_sum_exp_fold-inl.h), with
// kJoinsSlowly. A constant that is missing is false.
template <Monoid M>
struct Folder {
  using State = typename M::State;
  using Partial = typename PartialOf<M>::type;

  // Columns of a larger slab, where the order counts, take their elements in
  // that of narrow rows (order.h).
  static constexpr bool kTakesNarrowSlabs = RowsSideBySide<M>::kAreThere;

  // The most columns of a slab of any size that are folded by one pass over it:
  // of states in limbs a line of elements (means of 16 columns of int64,
  // from memory, Zen 4: 20 GB/s side by side, 14 by slabs); of products only by
  // AVX-512, which has registers for all that wait (of 8 columns of int32 and
  // int64, in cache, Intel, AVX2: 65 and 29 side by side, 59 and 18 by a pass).
  static constexpr int64_t PassColumns() {
    if constexpr (kHasFloatExtremes<M>) {
      return ExtremeColumns<M>::kColumns;
    } else if constexpr (Multiplies<M>() && !kHasAvx512) {
      return 0;
    } else if constexpr (LimbsOf<Partial>::kAreThere) {
      return kLineBytes / kSize;
    } else {
      return kMostColumns<Partial>;
    }
  }

  // states[r] = row r, `n` elements, or if kHeld Combine(states[r], row r).
  static HWY_NOINLINE void Rows(const std::byte* HWY_RESTRICT x, int64_t rows,
                                int64_t n, State* HWY_RESTRICT states,
                                Into into, Source source) {
    EachTile(x, rows, n, source,
             [=](int64_t first, int64_t count, const auto& of_row) {
               PutPartials<M>(states + first, count, into, of_row);
             });
  }

  // out[r] = the result of R, whose fold this is, of row r.
  template <Reducer R>
  static void ReduceRows(const std::byte* HWY_RESTRICT x, int64_t rows,
                         int64_t n, typename R::Output* HWY_RESTRICT out,
                         Source source) {
    if constexpr (FloatPairs<R>::kAreThere) {
      if (n == 2) {
        const int64_t done = FloatPairs<R>::ReduceRows(x, rows, out);
        x += done * n * kSize;
        out += done;
        rows -= done;
      }
    }
    const ResultOf<R> result_of(n);
    EachTile(x, rows, n, source,
             [=](int64_t first, int64_t count, const auto& of_row) {
               PutResults(count, out + first, [&](int64_t r) {
                 return result_of.OfPartial(BeginWith<Partial>(of_row(r)));
               });
             });
  }

  // states[s * cols + c] = column c of slab s, or if kHeld Combine(it, that).
  static void Slabs(const std::byte* HWY_RESTRICT x, int64_t slabs,
                    int64_t rows, int64_t cols, State* HWY_RESTRICT states,
                    Into into, Source source) {
    if constexpr (HasPartial<M>) {
      static_assert(kBlockBytes / kSize <= Partial::kMostElements);
    }
    const int64_t slab = rows * cols;
    if constexpr (kTakesNarrowSlabs) {
      if (IsNarrowSlab(rows, cols)) {
        RowsSideBySide<M> narrow(cols, source);
        for (int64_t s = 0; s < slabs; ++s) {
          narrow.FoldSlab(x + s * slab * kSize, rows, states + s * cols, into);
        }
        return;
      }
    }
    if constexpr (kHasFloatExtremes<M>) {
      if (ExtremeStates<M>::AreLinesFaster(rows, cols, source)) {
        ExtremeStates<M> extremes;
        const auto by_keys = [cols, source](const std::byte* rest,
                                            int64_t count, State* to,
                                            Into how) {
          OtherSlabs(rest, 1, count, cols, to, how, source);
        };
        for (bool suffices = true; suffices && slabs > 0; --slabs) {
          suffices = extremes.FoldLines(x, rows, cols, states, into, by_keys);
          x += slab * kSize;
          states += cols;
        }
      }
    }
    OtherSlabs(x, slabs, rows, cols, states, into, source);
  }

  // states[c] = column c of the rows, or if kHeld Combine(states[c], that).
  static void Columns(const std::byte* HWY_RESTRICT x, int64_t rows,
                      int64_t stride, int64_t cols, State* HWY_RESTRICT states,
                      Into into, Source source) {
    ColumnFolder<M>::Fold(x, rows, stride, cols, states, into, source);
  }

 private:
  // What Slabs() leaves.
  static void OtherSlabs(const std::byte* HWY_RESTRICT x, int64_t slabs,
                         int64_t rows, int64_t cols, State* HWY_RESTRICT states,
                         Into into, Source source) {
    const int64_t slab = rows * cols;
    // Where nothing is rounded slabs may be transposed, which is faster where
    // lanes would be structs, or where a shuffle takes a whole slab.
    if constexpr (kIsExact<M>) {
      const bool is_transposed =
          std::is_class_v<typename Partial::State> ||
          (AreShuffled(slab * kSize) && slabs >= kFewestShuffled);
      if (is_transposed && SlabFolder<Partial>::HasTooFewColumns(rows, cols)) {
        return FoldTransposedSlabs<Folder, kSize>(x, slabs, rows, cols, states,
                                                  into);
      }
    }
    // Few rows fold into new states as columns (2 x 200 float32: 27 GB/s by
    // lanes, 60 so).
    const bool are_walked =
        cols >= kFewestWalked && rows <= kChainRows && into == Into::kNew;
    if (are_walked || cols > kMaxSlabStates) {
      return FoldEachSlab<Folder, kSize>(x, slabs, rows, cols, states, into);
    }
    ReadAhead ahead(x, AheadOfSlabs(slab * kSize, source));
    SlabFolder<Partial>::Each(
        x, slabs, rows, cols, ahead, /*from_end=*/false,
        [=](const auto& folded, int64_t first, int64_t count) {
          PutPartials<M>(states + first, count, into,
                         [&folded](int64_t i) { return folded.Get(i); });
        });
  }

  // What slabs of so many bytes prefetch: more than a page is too much to be
  // prefetched at once, as streams.
  static HWY_INLINE Ahead AheadOfSlabs(int64_t bytes, Source source) {
    const Ahead ahead = AheadFrom(source);
    return bytes <= kPageBytes ? ahead : std::min(ahead, Ahead::kInOrder);
  }

  // Whether rows of so many bytes from x on gain by being prefetched though a
  // core's own cache has them: long ones that are widened; and those that do
  // not begin with lines of memory, whose loads wait for two lines each. By
  // AVX-512, GB/s unprefetched, then by this:
  //   sums of rows of 24 float32, Cascade Lake       13.6  12.3
  //   sums of rows of 100 float32, Cascade Lake        32    38
  //   sums of rows of 1,000 float32, Cascade Lake      47    56
  //   sums of rows of 12 float64, Intel                50    44
  //   sums of rows of 33 float64, Intel                53    66
  //   the largest of rows of 1,001 uint8, Intel        62    76
  //   the largest of rows of 750 int64, Intel          79    92
  static HWY_INLINE bool GainNear(const std::byte* HWY_RESTRICT x, int64_t rows,
                                  int64_t bytes) {
    constexpr int64_t kFewestWidened = 64 * kSize;
    constexpr int64_t kFewestAcross = 2 * kLineBytes;
    if (VectorsWiden<M>() && bytes >= kFewestWidened) return true;
    // Fewer bytes end before what is prefetched begins.
    if (kIsAmd || bytes < kFewestAcross || rows * bytes <= kPrefetchDistance) {
      return false;
    }
    const auto address = reinterpret_cast<uintptr_t>(x);
    const auto apart = rows > 1 ? static_cast<uintptr_t>(bytes) : 0;
    return (address | apart) % kLineBytes != 0;
  }

  // Calls put(first, count, of_row) for some rows at a time: of_row(r) is the
  // partial state of row first + r.
  template <class Put>
  static HWY_INLINE void EachTile(const std::byte* HWY_RESTRICT x, int64_t rows,
                                  int64_t n, Source source, const Put& put) {
    const bool gain_near =
        source == Source::kOwnCache && GainNear(x, rows, n * kSize);
    ReadAhead ahead(x, gain_near ? Ahead::kInOrder : AheadFrom(source));
    for (int64_t first = 0, count = 0; first < rows; first += count) {
      count = std::min(rows - first, RowTile<Partial>::MaxRows(n));
      if constexpr (kHasExtremeRows<M>) {
        if (n >= ExtremeRows<M>::kFewest) {
          State states[kMaxExtremeRows];
          const int64_t found = ExtremeRows<M>::FoldRows(
              x + first * n * kSize, std::min(count, kMaxExtremeRows), n, ahead,
              states);
          if (found > 0) {
            count = found;
            put(first, count, [&states](int64_t r) { return states[r]; });
            continue;
          }
        }
      }
      const RowTile<Partial> tile(x + first * n * kSize, count, n, ahead);
      put(first, count, [&tile](int64_t r) { return tile.Get(r); });
    }
  }

  static constexpr int64_t kSize = sizeof(typename M::Input);
  // The most rows whose extremes are found before they are put.
  static constexpr int64_t kMaxExtremeRows = 64;
  // The fewest columns of which few rows are folded as columns (OtherSlabs()).
  static constexpr int64_t kFewestWalked = 32;
  // Fewer are folded before the table of a shuffle is made (sums of two slabs
  // of 3 x 4 uint8, from plan to result, Intel: 56 ns by a shuffle, 49 so).
  static constexpr int64_t kFewestShuffled = 4;
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_FOLD_INL_H_
