// Groups of lanes that a long row fills side by side, and when they are filled
// anew (rows of 1,100 and 3,772 float64 sums, in cache, AVX-512, GB/s by rows
// of 1,024 whose states are joined, then by this: 75 and 114, 101 and 117).
// Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_LANE_GROUPS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_LANE_GROUPS_INL_H_
#undef REDUCTOR_CORE_KERNELS_LANE_GROUPS_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_LANE_GROUPS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/kernels/exact_lanes-inl.h"
#include "core/kernels/isa-inl.h"
#include "core/kernels/lanes_of-inl.h"
#include "core/kernels/limb_lanes-inl.h"
#include "core/kernels/monoid_traits.h"
#include "core/kernels/prefetch-inl.h"
#include "core/kernels/read_ahead-inl.h"
#include "core/kernels/special_lanes-inl.h"
#include "core/order.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// How many groups a long row fills side by side: enough independent chains to
// hide the latency of an addition, and with SSE4 they fit sixteen registers.
// The order depends on it (order.h). Of what is added in limbs, in any order,
// one: to split an element takes longer than that. Means of int64, in cache,
// Zen 4, GB/s by lanes in memory, of long rows two groups, and so, by AVX-512
// and by AVX2:
//   rows of 40       21  48   21  43
//   rows of 1,000    68  73   74  79
template <Monoid M>
inline constexpr int64_t kGroupCount = LimbsOf<M>::kAreThere ? 1 : 4;

// The elements of a turn, one a lane: of kGroupCount groups if kWidth lanes are
// the widest there are, else of one.
template <Monoid M, int64_t kWidth>
inline constexpr int64_t kRowTurn = kWidth*(kWidth == kRowGroupLanes<M>
                                                ? kGroupCount<M>
                                                : 1);

// After so many elements of a row the lanes are filled anew, and join those
// before them, so that no chain is long: only where elements are as wide as the
// float64 that adds them. Narrower ones leave it digits to spare. A monoid that
// has a trial fills them as that does.
template <Monoid M>
inline constexpr int64_t kElementsOfLanes =
    std::is_floating_point_v<typename M::State> && !WidensElements<M>()
        ? kFillBytes / static_cast<int64_t>(sizeof(typename M::Input))
        : kEndless;
template <Monoid M>
requires requires { typename M::Trial; }
inline constexpr int64_t kElementsOfLanes<M> =
    kElementsOfLanes<typename M::Trial>;

// Four groups. Each has a name, and none is copied: they would leave the
// registers.
template <Monoid M, int64_t kWidth>
class LaneGroups {
  using State = typename M::State;
  using Group = RowGroupOf<M, kWidth>;
  static constexpr int64_t kSize = sizeof(typename M::Input);
  static constexpr int64_t kTurn = kRowTurn<M, kWidth>;
  // GB/s by special lanes and by others:
  //   L1 of rows of 300      39  41
  //   L1 of rows of 450      43  41
  //   sums of rows of 400    40  44
  //   sums of rows of 600    53  43
  static constexpr int64_t kFewestForSpecial = 12 * kTurn;
  static_assert(kGroupCount<M> == 4);

 public:
  // The four of the turn that begins with element i: `first`, which holds its
  // part already, and three made here.
  HWY_INLINE LaneGroups(Group& first, const std::byte* HWY_RESTRICT x,
                        int64_t i, const ReadAhead& ahead)
      : LaneGroups(first, x + i * kSize, Apart{kWidth}) {
    ahead.PrefetchInOrder<kRowCacheFor<M>>(x + i * kSize, kTurn * kSize);
  }

  // The same of elements that begin so far apart.
  struct Apart {
    int64_t elements;
  };
  HWY_INLINE LaneGroups(Group& first, const std::byte* HWY_RESTRICT x,
                        Apart apart)
      : first_(first),
        second_(x, apart.elements),
        third_(x, 2 * apart.elements),
        fourth_(x, 3 * apart.elements) {}

  // The states of no elements.
  explicit HWY_INLINE LaneGroups(Group& first) : first_(first) {}

  // They take the turns from element i on that end by `end`, and prefetch what
  // is `ahead`; says where the next one begins.
  // REQUIRES: they hold the turn before i and nothing more.
  HWY_INLINE int64_t Fill(const std::byte* HWY_RESTRICT x, int64_t i,
                          int64_t end, ReadAhead& ahead) {
    if constexpr (kHasSpecialLanes<M>) {
      if (kWantsSpecialLanes && end - i >= kFewestForSpecial &&
          FillSpecial(x, i, end)) {
        return end - (end - i) % kTurn;
      }
    }
    if constexpr (kHasExactLanes<M>) {
      // From a block of turns on (sums of rows of 260, 300 and 400 bfloat16:
      // 24, 24 and 24 GB/s by widened elements, 24, 26 and 27 so).
      constexpr int64_t kFewest = ExactLanes<M, kTurn>::kBlockRows * kTurn;
      if (end - i >= kFewest) i = FillExact(x, i, end, ahead);
    }
    if constexpr (kHasExtraLoops) {
      if (!ahead.loop_prefetches()) return FillTurns<false>(x, i, end, ahead);
    }
    return FillTurns<true>(x, i, end, ahead);
  }

  // Each takes its quarter of 4 * `quarter` elements.
  // REQUIRES: `quarter` is a multiple of kWidth, and each holds the first
  // kWidth elements of its quarter and nothing more.
  HWY_INLINE void FillQuarters(const std::byte* HWY_RESTRICT x,
                               int64_t quarter) {
    for (int64_t i = kWidth; i < quarter; i += kWidth) {
      first_.Append(x, i);
      second_.Append(x, i + quarter);
      third_.Append(x, i + 2 * quarter);
      fourth_.Append(x, i + 3 * quarter);
    }
  }

  // Each group is joined with the other's.
  HWY_INLINE void Combine(const LaneGroups& other) {
    first_.Combine(other.first_);
    second_.Combine(other.second_);
    third_.Combine(other.third_);
    fourth_.Combine(other.fourth_);
  }

  // Joins them by halves, into the first, which its owner goes on with.
  HWY_INLINE void CombineByHalves() {
    first_.Combine(third_);
    second_.Combine(fourth_);
    first_.Combine(second_);
  }

 private:
  template <bool kPrefetches>
  HWY_INLINE int64_t FillTurns(const std::byte* HWY_RESTRICT x, int64_t i,
                               int64_t end, ReadAhead& ahead) {
    for (; i + kTurn <= end; i += kTurn) {
      if constexpr (kPrefetches) {
        ahead.PrefetchStreamsUpTo(x + (i + kTurn) * kSize);
      }
      Take<kPrefetches, 0>(first_, x, i, ahead);
      Take<kPrefetches, 1>(second_, x, i, ahead);
      Take<kPrefetches, 2>(third_, x, i, ahead);
      Take<kPrefetches, 3>(fourth_, x, i, ahead);
    }
    return i;
  }

  // The same by special lanes, if they are right: else all is as before.
  HWY_INLINE bool FillSpecial(const std::byte* HWY_RESTRICT x, int64_t i,
                              int64_t end) {
    using Special = SpecialLanes<M, kTurn>;
    Special lanes;
    // From the turn before, which the groups hold.
    for (i -= kTurn; i + kTurn <= end; i += kTurn) {
      lanes.Append(x, i);
      // All CPUs that want special lanes prefetch.
      PrefetchBytes<kTurn * kSize>(Special::kCache, x + i * kSize,
                                   kPrefetchDistance);
    }
    return TakeStates(lanes);
  }

  // The same by exact lanes, as far as whole blocks go; says where the next
  // turn begins, which is i if they are not right.
  HWY_INLINE int64_t FillExact(const std::byte* HWY_RESTRICT x, int64_t i,
                               int64_t end, ReadAhead& ahead) {
    using Exact = ExactLanes<M, kTurn>;
    static_assert(kBlockBytes / kSize / kTurn <= Exact::kMostRows);
    Exact lanes;
    // The turn before, which the groups hold.
    const int64_t first = i - kTurn;
    const auto prefetch = [=, &ahead](int64_t turn) {
      constexpr int64_t kBytes = Exact::kBlockRows * kTurn * kSize;
      const std::byte* const block = x + (first + turn * kTurn) * kSize;
      ahead.PrefetchStreamsUpTo(block + kBytes);
      ahead.PrefetchInOrder<kRowCacheFor<M>>(block, kBytes);
    };
    const int64_t turns =
        lanes.AppendBlocks(x, first, (end - first) / kTurn, kTurn, prefetch);
    return turns > 0 && TakeStates(lanes) ? first + turns * kTurn : i;
  }

  // The groups become what these lanes hold, if that is right; says whether it
  // is.
  template <class L>
  HWY_INLINE bool TakeStates(const L& lanes) {
    State states[kTurn];
    if (!lanes.StoreStates(states)) return false;
    first_ = Group(states);
    second_ = Group(states + kWidth);
    third_ = Group(states + 2 * kWidth);
    fourth_ = Group(states + 3 * kWidth);
    return true;
  }

  // The group takes part kNumber, a group wide, of the turn that begins with
  // element i; and what lies after it may be prefetched.
  template <bool kPrefetches, int64_t kNumber>
  static HWY_INLINE void Take(Group& group, const std::byte* HWY_RESTRICT x,
                              int64_t i, const ReadAhead& ahead) {
    group.Append(x, i + kNumber * kWidth);
    if constexpr (kPrefetches) {
      ahead.PrefetchPartInOrder<kRowCacheFor<M>, kNumber, kWidth * kSize>(
          x + i * kSize);
    }
  }

  Group& first_;
  Group second_;
  Group third_;
  Group fourth_;
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_LANE_GROUPS_INL_H_
