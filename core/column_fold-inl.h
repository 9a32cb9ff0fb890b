// Columns, folded side by side: rows in order, up to four a pass, so that the
// states are walked a quarter as often; or, where the CPU reads these faster,
// long ones from memory one a pass, and where nothing is rounded one of each
// quarter of the rows. Meanwhile memory is asked for what the next pass folds
// (prefetch-inl.h says why). Compiled once per instruction set.
#if defined(REDUCTOR_CORE_COLUMN_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_COLUMN_FOLD_INL_H_
#undef REDUCTOR_CORE_COLUMN_FOLD_INL_H_
#else
#define REDUCTOR_CORE_COLUMN_FOLD_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/column_strip-inl.h"
#include "core/cpu.h"
#include "core/float_columns-inl.h"
#include "core/float_extremes-inl.h"
#include "core/kernels.h"
#include "core/lane_step-inl.h"
#include "core/lanes.h"
#include "core/narrow_of-inl.h"
#include "core/plain_lanes-inl.h"
#include "core/prefetch-inl.h"
#include "core/quarters-inl.h"
#include "core/reducers.h"
#include "core/vector_lanes-inl.h"
#include "core/widening-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

template <Monoid M>
class ColumnFolder {
  using State = typename M::State;
  using Narrow = typename ColumnNarrowOf<M>::type;
  using NarrowState = typename Narrow::State;
  using Strip = ColumnStrip<sizeof(typename M::Input)>;

 public:
  // states[c] = Combine(states[c], x[r * stride + c]) for every row, in order
  // where that counts; new ones begin as those of nothing.
  static void Fold(const std::byte* HWY_RESTRICT x, int64_t rows,
                   int64_t stride, int64_t cols, State* HWY_RESTRICT states,
                   Into into, Source source) {
    if constexpr (kHasFloatExtremes<M>) {
      using Extremes = FloatColumns<M>;
      // Short rows that begin with no line of memory want to be asked for (the
      // largest of 100 columns of float32 from memory, Intel, AVX-512: 10.3
      // GB/s unasked, 11.6 by strips).
      const bool wants_strips = AreShortAndPacked(cols, stride, kSize) &&
                                cols * kSize % kLineBytes != 0;
      if (Extremes::FoldsColumns(rows, cols) && !wants_strips) {
        return Extremes::FoldColumns(
            x, rows, stride, cols, states, into,
            [source](const std::byte* some, int64_t count, int64_t apart,
                     int64_t width, State* to, Into how) {
              FoldStrips(some, count, apart, width, to, how, source);
            });
      }
    }
    FoldStrips(x, rows, stride, cols, states, into, source);
  }

 private:
  static HWY_NOINLINE void FoldStrips(const std::byte* HWY_RESTRICT x,
                                      int64_t rows, int64_t stride,
                                      int64_t cols, State* HWY_RESTRICT states,
                                      Into into, Source source) {
    const int64_t most = kInPlace ? MostInPlace() : kStrip;
    const bool is_whole = kInPlace && stride == cols && cols <= 2 * most;
    const int64_t strip = is_whole ? cols : most;
    for (int64_t c = 0; c < cols; c += strip) {
      const int64_t width = std::min(strip, cols - c);
      // What comes next is most often the rows after these.
      const int64_t next = c + width < cols ? width : rows * stride - c;
      const Strip columns = {x + c * kSize, rows, stride, width,
                             next,          true, source};
      if constexpr (kInPlace) {
        FoldStrip(columns, InPlace{states + c}, into);
      } else if constexpr (std::is_same_v<M, Narrow>) {
        FoldInLanes(columns, states + c, into);
      } else {
        FoldNarrow(columns, states + c, into);
      }
    }
  }

  static constexpr int64_t kSize = sizeof(typename M::Input);
  // Elements that the CPU loads at once.
  static constexpr int64_t kLine = kLineBytes / kSize;

  // Plain states are folded where they are; so few that they stay in the L1
  // cache beside the rows of a pass and of the next, or twice as many where
  // packed rows are folded whole. Others in lanes: as many if they are plain
  // (means of 1,000 columns of uint8, 8 MiB: 20 GB/s by strips of 128, 28 so),
  // or a part (means and L2 of 300 columns of int64, 8 MiB, Zen 3, AVX2: 34 and
  // 13 GB/s by strips of 128, 37 and 15 so; by strips of 512 those of 1,000
  // lose a seventh).
  static constexpr bool kInPlace =
      std::is_same_v<M, Narrow> && !std::is_class_v<State>;
  static constexpr int64_t kStrip =
      std::is_class_v<NarrowState> ? 256 : 4096 / sizeof(NarrowState);

  // What the last columns of widening and of small elements are folded by (the
  // largest of 60 columns of int8, in cache, AVX-512: 39 GB/s one by one, 70
  // so). Of others they are as soon done as skipped.
  static constexpr int64_t kStep = IsWidening<Narrow>()    ? kGroup<Narrow>
                                   : kInPlace && kSize < 4 ? kLine / 4
                                                           : 1;

  struct InPlace {
    State Get(int64_t l) const { return states[l]; }
    void Set(int64_t l, State s) const { states[l] = s; }
    State* data() const { return states; }
    State* HWY_RESTRICT states;
  };

  // States of several members lie otherwise in lanes, which are many registers
  // then: one row a pass. Of elements in parts rows are added up first.
  static constexpr int64_t kMostRows =
      std::is_class_v<NarrowState> && !PartsOf<Narrow>::kAre ? 1 : 4;

  // The most of a strip that is folded in place: of float32 that are widened a
  // page on Zen 3, which follows that by itself (sums of slabs of 256 x 4,096
  // from memory: 11.8 GB/s by half of it, asked for, 14.1 so).
  static int64_t MostInPlace() {
    constexpr bool kIsHalfAPage =
        IsWidening<Narrow>() && kStrip * kSize == kPageBytes / 2;
    return kIsHalfAPage && kCpuKind == CpuKind::kZen3 ? 2 * kStrip : kStrip;
  }

  // Pages the CPU follows by itself, where the loop does not keep it from that
  // (float64 sums of 1,024 columns, Intel, AVX-512: in cache and from memory 61
  // and 12 GB/s, 88 and 15 unasked), as wider sums do but Zen 3's.
  static bool ArePagesAsked() {
    return IsWidening<Narrow>() && kCpuKind != CpuKind::kZen3;
  }

  static void FoldInLanes(const Strip& strip, State* HWY_RESTRICT states,
                          Into into) {
    Lanes<State, kStrip> lanes;
    if (into == Into::kHeld) {
      for (int64_t l = 0; l < strip.width; ++l) lanes.Set(l, states[l]);
    }
    FoldStrip(strip, lanes, into);
    for (int64_t l = 0; l < strip.width; ++l) states[l] = lanes.Get(l);
  }

  // As many rows at a time as narrow states can take.
  static void FoldNarrow(const Strip& strip, State* HWY_RESTRICT states,
                         Into into) {
    constexpr int64_t kRows = ColumnNarrowOf<M>::kRows;
    for (int64_t r = 0; r < strip.rows; r += kRows, into = Into::kHeld) {
      Lanes<NarrowState, kStrip> lanes;
      FoldStrip(strip.Rows(r, kRows), lanes, Into::kNew);
      PutStates<M>(states, strip.width, into, [&lanes](int64_t l) {
        return NarrowOf<M>::Widen(lanes.Get(l));
      });
    }
  }

  // Whether there is a loop of its own for what comes from memory: where it may
  // be asked for (kAsksFar), but not where widening loops ask in the same way.
  static constexpr bool kHasFar =
      HWY_TARGET <= HWY_AVX3 && kInPlace && !IsWidening<Narrow>();

  // Whether packed rows are folded one a pass, which the CPU follows by itself:
  // long ones from memory, where it wants to be asked for several side by side
  // (the largest of 1,024 columns of float32 and of float64 from memory, Zen 4:
  // 17 and 20 GB/s by four rows unasked, 20 and 23 asked, 26 and 24 so; of 300
  // float64 20, 20 and 14).
  static bool AreFoldedOneByOne(const Strip& strip) {
    return strip.is_packed() && strip.width * kSize >= kPageBytes * 3 / 4;
  }

  // The rows of a strip.
  template <class L>
  static HWY_INLINE void FoldStrip(const Strip& strip, L&& lanes, Into into) {
    if constexpr (kHasFar) {
      if (kAsksFar && strip.source == Source::kMemory) {
        return FoldPasses<Source::kMemory>(strip, lanes, into);
      }
    }
    FoldPasses<Source::kCache>(strip, lanes, into);
  }

  // The same, one or a few rows a pass; kMemory is what kAsksFar says.
  template <Source kSource, class L>
  static HWY_INLINE void FoldPasses(const Strip& strip, L&& lanes, Into into) {
    const int64_t most =
        kSource == Source::kMemory && AreFoldedOneByOne(strip) ? 1 : kMostRows;
    const int64_t in_quarter = strip.rows / 4;
    const bool is_by_quarters =
        kSource == Source::kCache && kMostRows == 4 && kIsExact<Narrow> &&
        strip.is_packed() &&
        ReadsQuarters(4 * in_quarter * strip.stride * kSize);
    const int64_t quarter = is_by_quarters ? in_quarter : 0;
    for (int64_t r = 0; r < strip.rows; r += most, into = Into::kHeld) {
      Strip rows = r / most < quarter ? strip.RowsOfQuarters(r / most, quarter)
                                      : strip.Rows(r, most);
      if (most < kMostRows) rows.asks = false;
      if (into == Into::kNew) {
        FoldRows<Into::kNew, kSource, kMostRows>(rows, lanes);
      } else {
        FoldRows<Into::kHeld, kSource, kMostRows>(rows, lanes);
      }
    }
  }

  // One pass, of 1 to kMost rows.
  template <Into kInto, Source kSource, int64_t kMost, class L>
  static HWY_INLINE void FoldRows(const Strip& strip, L&& lanes) {
    if constexpr (kMost > 1) {
      if (strip.rows < kMost) {
        return FoldRows<kInto, kSource, kMost - 1>(strip, lanes);
      }
    }
    constexpr bool kIsFar = kSource == Source::kMemory;
    const auto& [x, rows, stride, width, next, asks, source] = strip;
    const PassPrefetch<kMost, kSize> prefetch(
        kIsFar ? Cache::kL2 : kCacheFor<Narrow>, x, stride, width, next);
    const bool is_asked =
        asks && (kIsFar || width * kSize < kShortRowBytes || ArePagesAsked());
    const auto nothing = [](int64_t) {};
    int64_t l = 0;
    for (; l + kLine <= width; l += kLine) {
      FoldColumns<kInto, kMost, kLine>(x, stride, l, lanes, [&](int64_t r) {
        if (is_asked) prefetch.At(r, l);
      });
    }
    if (is_asked) prefetch.Rest(l, width);
    if constexpr (kStep > 1) {
      for (; l + kStep <= width; l += kStep) {
        FoldColumns<kInto, kMost, kStep>(x, stride, l, lanes, nothing);
      }
    }
    for (; l < width; ++l) {
      FoldColumns<kInto, kMost, 1>(x, stride, l, lanes, nothing);
    }
  }

  // Columns [c, c + kWidth) of kMost rows; ask(r) goes with those of row r.
  template <Into kInto, int64_t kMost, int64_t kWidth, class L, class Ask>
  static HWY_INLINE void FoldColumns(const std::byte* HWY_RESTRICT x,
                                     int64_t stride, int64_t c, L&& lanes,
                                     const Ask& ask) {
    if constexpr (IsWidening<Narrow>() && kWidth > 1) {
      using Group = VectorLanes<Narrow, kWidth>;
      Group group = kInto == Into::kNew ? Group() : Group(lanes.data() + c);
      for (int64_t r = 0; r < kMost; ++r) {
        group.Append(x, r * stride + c);
        ask(r);
      }
      group.Store(lanes.data() + c);
    } else if constexpr (PartsOf<Narrow>::kAre && kWidth > 1) {
      for (int64_t r = 0; r < kMost; ++r) ask(r);
      Take<Narrow, kInto, kWidth, kMost>(lanes, c, x, c, stride);
    } else {
      for (int64_t r = 0; r < kMost; ++r) ask(r);
#pragma GCC unroll 1
      for (int64_t l = c; l < c + kWidth; ++l) {
        NarrowState s = kInto == Into::kNew ? Narrow::Identity() : lanes.Get(l);
#pragma GCC unroll 4
        for (int64_t r = 0; r < kMost; ++r) {
          s = Narrow::Combine(s, MapAt<Narrow>(x, r * stride + l));
        }
        lanes.Set(l, s);
      }
    }
  }
};

// states[s * cols + c] = Combine(it, column c of slab s), each slab by the
// columns of the folder F, of elements of kSize bytes.
template <class F, int64_t kSize, class State>
void FoldEachSlab(const std::byte* HWY_RESTRICT x, int64_t slabs, int64_t rows,
                  int64_t cols, State* HWY_RESTRICT states, Into into) {
  for (int64_t s = 0; s < slabs; ++s) {
    F::Columns(x + s * rows * cols * kSize, rows, cols, cols, states + s * cols,
               into);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_COLUMN_FOLD_INL_H_
