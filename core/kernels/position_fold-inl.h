// The loops of ArgMax and ArgMin: rows each by itself (row_positions-inl.h),
// columns are folded in order (leader_fold-inl.h); short rows and columns of
// bytes by numbers that say both what and where (keyed_places-inl.h). Compiled
// once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_POSITION_FOLD_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_POSITION_FOLD_INL_H_
#undef REDUCTOR_CORE_KERNELS_POSITION_FOLD_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_POSITION_FOLD_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/kernels.h"
#include "core/kernels/column_fold-inl.h"
#include "core/kernels/elements-inl.h"
#include "core/kernels/fold-inl.h"
#include "core/kernels/keyed_places-inl.h"
#include "core/kernels/leader_fold-inl.h"
#include "core/kernels/places-inl.h"
#include "core/kernels/position_states-inl.h"
#include "core/kernels/row_positions-inl.h"
#include "core/kernels/transposed_slabs-inl.h"
#include "core/order.h"
#include "core/reducers/extremes.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// What a Folder of what Extreme finds in T does with rows, and with slabs that
// become results. The tie is an argument, so that both share this code.
template <template <class> class Extreme, class T>
class PositionFolder {
 public:
  static HWY_NOINLINE void Rows(Tie tie, const std::byte* HWY_RESTRICT x,
                                int64_t rows, int64_t n,
                                PositionState* HWY_RESTRICT states, Into into,
                                Source source) {
    EachTile(tie, x, rows, n, source,
             [&](Positions& positions, const std::byte* tile, int64_t first,
                 int64_t count) {
               T values[Positions::kMostRows];
               int64_t places[Positions::kMostRows];
               positions.Find(tile, count, values, places);
               PutPositions<Extreme>(
                   tie, states + first, count, into, [&](int64_t r) {
                     return P::StateOf(P::KeyOf(values[r]), places[r], n);
                   });
             });
  }

  static HWY_NOINLINE void ReduceRows(Tie tie, const std::byte* HWY_RESTRICT x,
                                      int64_t rows, int64_t n,
                                      int64_t* HWY_RESTRICT out,
                                      Source source) {
    if constexpr (kIsByte) {
      if (IsKeyed(n)) {
        return Keyed(tie, rows, n, 1).Put(x, rows, out);
      }
    }
    EachTile(tie, x, rows, n, source,
             [&](Positions& positions, const std::byte* tile, int64_t first,
                 int64_t count) {
               T values[Positions::kMostRows];
               positions.Find(tile, count, values, out + first);
             });
  }

  static HWY_NOINLINE void ReduceSlabs(Tie tie, const std::byte* HWY_RESTRICT x,
                                       int64_t slabs, int64_t rows,
                                       int64_t stride, int64_t cols,
                                       int64_t* HWY_RESTRICT out,
                                       Source source) {
    if (rows == 1) {
      std::memset(out, 0, slabs * cols * sizeof(int64_t));
      return;
    }
    if constexpr (kIsByte) {
      // Leaders are left no short slabs of bytes.
      static_assert((Keyed::kMostRows + 1) * kFewestLanes > kMaxSlab);
      if (rows <= Keyed::kMostRows && Leaders::AreShort(rows, stride, cols)) {
        return ReduceKeyed(tie, x, slabs, rows, cols, out);
      }
    }
    if (cols >= kFewestLanes) {
      return Leaders::ReduceSlabs(tie, x, slabs, rows, stride, cols, out,
                                  source);
    }
    EachTransposed<kSize>(
        x, slabs, rows, cols,
        [=](const std::byte* transposed, int64_t first, int64_t count) {
          ReduceRows(tie, transposed, count, rows, out + first,
                     Source::kOwnCache);
        });
  }

 private:
  using P = Position<Extreme, T, Tie::kFirst>;
  using Keyed = KeyedPlaces<Extreme, T>;
  using Leaders = LeaderFolder<Extreme, T>;
  using Positions = RowPositions<Extreme, T>;
  static constexpr int64_t kSize = sizeof(T);
  static constexpr bool kIsByte = kSize == 1;
  // Fewer columns fill no lanes that are worth it (slabs of 7 x 5 and 20 x 3
  // int32, in cache, AMD, AVX-512: 4.5 and 8.5 GB/s transposed, 11 and 8.0 by
  // lanes). Of bytes only slabs of more than Keyed::kMostRows rows come here.
  static constexpr int64_t kFewestLanes = kIsByte ? 8 : 5;

  // Whether keyed places are faster in rows of `n` bytes than a search: rows of
  // 2 are too short for them, longer ones fill vectors. ArgMin of uint8, in
  // cache, Intel, AVX-512, GB/s by a search, then by this:
  //   rows of 2     4.0  3.6
  //   rows of 16     11  9.0
  //   rows of 24    8.4  8.7
  //   rows of 32     12  8.1
  // Of rows of 16 the others, ArgMax and int8, are searched no faster.
  static constexpr bool IsKeyed(int64_t n) { return 3 <= n && n <= 24; }

  // The positions in columns of small slabs of bytes, of up to
  // Keyed::kMostRows rows.
  static HWY_NOINLINE void ReduceKeyed(Tie tie, const std::byte* HWY_RESTRICT x,
                                       int64_t slabs, int64_t rows,
                                       int64_t cols,
                                       int64_t* HWY_RESTRICT out) {
    // What one shuffle transposes is faster as rows (slabs of 2 x 2 and 8 x 2,
    // in cache, Intel, AVX-512: 3.3 and 3.4 GB/s as slabs, 4.2 and 8.0 so).
    if (!AreShuffled(rows * cols)) {
      return Keyed(tie, slabs, rows, cols).Put(x, slabs, out);
    }
    const Keyed transposed_rows(tie, slabs * cols, rows, 1);
    EachTransposed<kSize>(
        x, slabs, rows, cols,
        [&](const std::byte* transposed, int64_t first, int64_t count) {
          transposed_rows.Put(transposed, count, out + first);
        });
  }

  // Calls find(positions, tile, first, count) for some rows at a time.
  template <class Find>
  static HWY_INLINE void EachTile(Tie tie, const std::byte* HWY_RESTRICT x,
                                  int64_t rows, int64_t n, Source source,
                                  const Find& find) {
    Positions positions(tie, n, x + rows * n * kSize, source);
    const int64_t at_once = positions.rows_at_once();
    for (int64_t first = 0, count = 0; first < rows; first += count) {
      count = std::min(rows - first, at_once);
      find(positions, x + first * n * kSize, first, count);
    }
  }
};

template <template <class> class Extreme, class T, Tie kTie>
struct Folder<Position<Extreme, T, kTie>> {
  using P = Position<Extreme, T, kTie>;
  using Both = PositionFolder<Extreme, T>;

  static void Rows(const std::byte* HWY_RESTRICT x, int64_t rows, int64_t n,
                   PositionState* HWY_RESTRICT states, Into into,
                   Source source) {
    Both::Rows(kTie, x, rows, n, states, into, source);
  }

  template <class /*R*/>
  static void ReduceRows(const std::byte* HWY_RESTRICT x, int64_t rows,
                         int64_t n, int64_t* HWY_RESTRICT out, Source source) {
    if (rows * n <= kFew) return ReduceFewElements(x, rows, n, 1, out);
    Both::ReduceRows(kTie, x, rows, n, out, source);
  }

  static void Slabs(const std::byte* HWY_RESTRICT x, int64_t slabs,
                    int64_t rows, int64_t cols,
                    PositionState* HWY_RESTRICT states, Into into,
                    Source /*source*/) {
    FoldEachSlab<Folder, sizeof(T)>(x, slabs, rows, cols, states, into);
  }

  static void Columns(const std::byte* HWY_RESTRICT x, int64_t rows,
                      int64_t stride, int64_t cols,
                      PositionState* HWY_RESTRICT states, Into into,
                      Source source) {
    LeaderFolder<Extreme, T>::Columns(kTie, x, rows, stride, cols, states, into,
                                      source);
  }

  static void ReduceSlabs(const std::byte* HWY_RESTRICT x, int64_t slabs,
                          int64_t rows, int64_t stride, int64_t cols,
                          int64_t* HWY_RESTRICT out, Source source) {
    if (stride == cols && slabs * rows * cols <= kFew) {
      return ReduceFewElements(x, slabs, rows, cols, out);
    }
    Both::ReduceSlabs(kTie, x, slabs, rows, stride, cols, out, source);
  }

 private:
  // So many elements are looked at one by one before vectors are set up for
  // them (24 float32 and int64, Zen 4: 96 and 90 ns by vectors, 70 and 59 so;
  // 64 float32 108 and 120).
  static constexpr int64_t kFew = 32;

  // The positions in columns of slabs.
  static HWY_NOINLINE void ReduceFewElements(const std::byte* HWY_RESTRICT x,
                                             int64_t slabs, int64_t rows,
                                             int64_t cols,
                                             int64_t* HWY_RESTRICT out) {
    for (int64_t s = 0; s < slabs; ++s, x += rows * cols * sizeof(T)) {
      for (int64_t c = 0; c < cols; ++c) {
        *out++ = PlaceOfBest<P>(
            rows, [=](int64_t r) { return ElementAt<T>(x, r * cols + c); });
      }
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_POSITION_FOLD_INL_H_
