// Rows folded many at a time. Rows of 2, 3, 4 or 8 elements, of 8 bits 16 too,
// are joined at once, by shuffles (short_rows-inl.h, subword_rows-inl.h) or by
// one expression, which the compiler vectorises over the rows; short ones of
// integers of 64 bits whose states have several members are transposed
// (limb_rows-inl.h). Another row is folded into four or eight lanes first
// (row_lanes-inl.h), and what these hold for all rows of a tile are rows of 4
// or 8 again. Where the lanes would be fewer than the smallest register has,
// each row is copied to 8 or 16 slots instead, which are joined as lanes are.
// Compiled once per instruction set.
//
// In cache, AVX-512, GB/s by what else there was, then by this:
//   sums of rows of 8 float32, by passes that join neighbours   31  57
//   sums of rows of 3 float32, by such passes                   14  60
//   the largest of rows of 5 uint8, by lanes                     1  10
//   the largest of rows of 12 uint8, by lanes                    2  14
#if defined(REDUCTOR_CORE_KERNELS_ROW_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_ROW_TILE_INL_H_
#undef REDUCTOR_CORE_KERNELS_ROW_TILE_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_ROW_TILE_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/kernels/elements-inl.h"
#include "core/kernels/lanes.h"
#include "core/kernels/lanes_of-inl.h"
#include "core/kernels/limb_lanes-inl.h"
#include "core/kernels/limb_rows-inl.h"
#include "core/kernels/monoid_traits.h"
#include "core/kernels/plain_lanes-inl.h"
#include "core/kernels/read_ahead-inl.h"
#include "core/kernels/row_lanes-inl.h"
#include "core/kernels/short_rows-inl.h"
#include "core/kernels/subword_rows-inl.h"
#include "core/kernels/vector_lanes-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <Monoid M>
class RowTile {
 public:
  using State = typename M::State;

  // How many rows of `n` elements to fold at a time.
  static int64_t MaxRows(int64_t n) {
    return kMaxStates / (n > 8 ? 16 : n > 4 ? 8 : std::max<int64_t>(n, 2));
  }

  // Folds these rows, and prefetches what is `ahead` of them. Rows that are
  // joined at once or padded do not prefetch.
  // REQUIRES: 1 <= rows <= MaxRows(n), 1 <= n.
  RowTile(const std::byte* HWY_RESTRICT x, int64_t rows, int64_t n,
          ReadAhead& ahead) {
    if constexpr (LimbsOf<M>::kAreThere) {
      if (LimbRows<M>::AreFast(n, rows)) {
        FoldTransposed(x, rows, n, ahead);
        return;
      }
    }
    if constexpr (sizeof(State) == 1 && Joined::template kJoinsElements<16>) {
      if (n == 16) {
        JoinElements<16>(x, rows);
        return;
      }
    }
    const auto element = [x](int64_t i) { return MapAt<M>(x, i); };
    if (n == 1) {
      JoinNeighbours<1>(element, rows);
    } else if (n == 2) {
      JoinElements<2>(x, rows);
    } else if (n == 3) {
      JoinNeighbours<3>(element, rows);
    } else if (n == 4) {
      JoinElements<4>(x, rows);
    } else if (n == 8) {
      JoinElements<8>(x, rows);
    } else if (n < 8) {
      FoldWide<4>(x, rows, n, ahead);
    } else {
      FoldWide<8>(x, rows, n, ahead);
    }
  }

  // The state of row r.
  State Get(int64_t r) const { return rows_.Get(r); }

 private:
  // How rows of 2, 4, 8 or 16 states are joined at once.
  using Joined =
      std::conditional_t<sizeof(State) <= 2, SubwordRows<M>, ShortRows<M>>;

  // Of narrow states more, as each takes less time beside what a tile does.
  static constexpr int64_t kMaxStates =
      4096 / std::min<int64_t>(sizeof(State), 4);
  static constexpr int64_t kSize = sizeof(typename M::Input);
  // To join a row's last lanes beside those of other rows takes fewer
  // operations, but wide ones half fill a register (float32 sums of rows of 17
  // and 33, in cache, AVX-512: 39 and 60 GB/s with eight kept, 43 and 70 so;
  // float64 sums of rows of 10 and 24, AVX2: 8 and 18, 11 and 22 so).
  static constexpr int64_t kMostKept =
      WidensElements<M>() || kSize == 8 ? 4 : 8;
  // What a lane takes of a register: of lanes wider than the elements g++ loads
  // these as a register too (products of uint8 rows of 10 1.4 GB/s by eight
  // lanes of 16 bits, 4.7 so). The same on every instruction set, as the order
  // depends on it.
  static constexpr int64_t kLaneSize =
      WidensElements<M>() ? sizeof(LaneNumber<M>)
                          : std::min<int64_t>(sizeof(LaneNumber<M>), kSize);

  // Folds as many rows at a time as fill a vector, the last ones once more with
  // some of those before them. REQUIRES: LimbRows<M>::AreFast(n, rows).
  HWY_INLINE void FoldTransposed(const std::byte* HWY_RESTRICT x, int64_t rows,
                                 int64_t n, ReadAhead& ahead) {
    constexpr int64_t kAtOnce = LimbRows<M>::kRows;
    const int64_t bytes = kAtOnce * n * kSize;
    for (int64_t r = 0; r < rows; r += kAtOnce) {
      const int64_t first = std::min(r, rows - kAtOnce);
      const std::byte* const some = x + first * n * kSize;
      ahead.PrefetchInOrder<kRowCacheFor<M>>(some, bytes);
      ahead.PrefetchStreamsUpTo(some + bytes);
      LimbRows<M>::Fold(some, n).Store(rows_, first);
    }
  }

  // Folds rows into the widest lanes from kWidth on that they fill.
  template <int64_t kWidth>
  HWY_INLINE void FoldWide(const std::byte* HWY_RESTRICT x, int64_t rows,
                           int64_t n, ReadAhead& ahead) {
    constexpr bool kFillsRegister = kWidth * kLaneSize >= 16;
    if constexpr (!kFillsRegister && kWidth == 4) {
      // These rows have 5 to 7 elements.
      FoldPadded<8>(x, rows, n);
    } else {
      if constexpr (!kFillsRegister) {
        if (n < 2 * kWidth) return FoldPadded<2 * kWidth>(x, rows, n);
      }
      // Not every width there is, for the code's size.
      constexpr int64_t kWider =
          std::min(kFillsRegister ? 4 * kWidth : 2 * kWidth, kRowGroupLanes<M>);
      if constexpr (kWidth >= 8 && kWidth < kRowGroupLanes<M>) {
        if (n >= kWider) return FoldWide<kWider>(x, rows, n, ahead);
      }
      constexpr int64_t kKept = std::min<int64_t>(kWidth, kMostKept);
      const RowLanes<M, kWidth> lanes(n);
      lanes.template Fold<kKept>(x, rows, ahead, lanes_);
      JoinLanes<kKept>(rows);
    }
  }

  // Rows that take kSlots elements each, of which the first `n` count.
  // REQUIRES: kSlots / 2 < n < kSlots.
  template <int64_t kSlots>
  HWY_INLINE void FoldPadded(const std::byte* HWY_RESTRICT x, int64_t rows,
                             int64_t n) {
    constexpr int64_t kRowBytes = kSlots * kSize;
    constexpr int64_t kGroupBytes = kGroupLanes<M> * kSize;
    alignas(64) std::byte padded[kMaxStates * kSize + kGroupBytes];
    // A copy of constant size takes one instruction or two: of all rows but the
    // last one kSlots elements, some of the next row's, which end within the
    // tile as kSlots < 2 * n.
    for (int64_t r = 0; r < rows - 1; ++r) {
      std::memcpy(padded + r * kRowBytes, x + r * n * kSize, kRowBytes);
    }
    std::byte* const last = padded + (rows - 1) * kRowBytes;
    std::memset(last, 0, kRowBytes + kGroupBytes);
    std::memcpy(last, x + (rows - 1) * n * kSize, n * kSize);
    const auto end = static_cast<LaneNumber<M>>(n);
    for (int64_t i = 0; i < rows * kSlots; i += kGroupLanes<M>) {
#pragma GCC unroll 1
      for (int64_t l = 0; l < kGroupLanes<M>; ++l) {
        const State s = MapAt<M>(padded, i + l);
        const bool is_in = static_cast<LaneNumber<M>>(l % kSlots) < end;
        lanes_.Set(i + l, is_in ? s : M::Identity());
      }
    }
    JoinLanes<kSlots>(rows);
  }

  // Joins the kKept lanes of each row.
  template <int64_t kKept>
  HWY_INLINE void JoinLanes(int64_t rows) {
    const auto lane = [this](int64_t i) { return lanes_.Get(i); };
    if constexpr (Joined::kJoinsLanes) {
      if (Joined::AreFast()) {
        return JoinByVectors<kKept>(rows, lane, [this](auto d, int64_t i) {
          return hn::LoadU(d, lanes_.data() + i);
        });
      }
    }
    JoinNeighbours<kKept>(lane, rows);
  }

  // Joins the kN elements of each row from x on.
  template <int64_t kN>
  HWY_INLINE void JoinElements(const std::byte* HWY_RESTRICT x, int64_t rows) {
    const auto element = [x](int64_t i) { return MapAt<M>(x, i); };
    if constexpr (Joined::template kJoinsElements<kN>) {
      if (Joined::AreFast()) {
        return JoinByVectors<kN>(rows, element, [x](auto d, int64_t i) {
          using Group = VectorLanes<M, hn::MaxLanes(d)>;
          static_assert(Group::kVectors == 1);
          return Group(x, i).vector(0);
        });
      }
    }
    JoinNeighbours<kN>(element, rows);
  }

  // Joins kN states for each row, of which at(i) gives the i'th and
  // vector_at(d, i) a vector of tag d from it on: the last rows once more with
  // some of those before them, or too few one by one.
  template <int64_t kN, class At, class VectorAt>
  HWY_INLINE void JoinByVectors(int64_t rows, const At& at,
                                const VectorAt& vector_at) {
    constexpr int64_t kAtOnce = Joined::template kRows<kN>;
    const auto join = [&](int64_t first) {
      Joined::template Join<kN>(
          [&](auto d, int64_t i) { return vector_at(d, first * kN + i); },
          rows_.data() + first);
    };
    int64_t r = 0;
#pragma GCC unroll 2
    for (; r + kAtOnce <= rows; r += kAtOnce) join(r);
    if (rows >= kAtOnce) {
      if (r < rows) join(rows - kAtOnce);
    } else {
      for (; r < rows; ++r) rows_.Set(r, Join<0, kN>(at, r * kN));
    }
  }

  // Joins kCount states, which at(i) gives, for each row.
  template <int64_t kCount, class At>
  HWY_INLINE void JoinNeighbours(const At& at, int64_t rows) {
#pragma omp simd
    for (int64_t r = 0; r < rows; ++r) {
      rows_.Set(r, Join<0, kCount>(at, r * kCount));
    }
  }

  // Joins the states [kFirst, kFirst + kCount) of those from `i` on as a tree
  // (order.h).
  template <int64_t kFirst, int64_t kCount, class At>
  static HWY_INLINE State Join(const At& at, int64_t i) {
    if constexpr (kCount == 1) {
      return at(i + kFirst);
    } else {
      constexpr int64_t kHalf = kCount / 2;
      return M::Combine(Join<kFirst, kHalf>(at, i),
                        Join<kFirst + kHalf, kCount - kHalf>(at, i));
    }
  }

  Lanes<State, kMaxStates> lanes_;
  Lanes<State, kMaxStates / 2> rows_;
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_ROW_TILE_INL_H_
