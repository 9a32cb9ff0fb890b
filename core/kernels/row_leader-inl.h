// The best element of a long row and its place by one pass: each lane keeps the
// best of what it takes, and the turn in which that came, or the block of
// turns, which is searched then. Compiled once per instruction set.
//
// Vectors of w lanes, by chains 0 to 3, where the row has n elements and the
// second vector begins with a line, element s, 1 <= s <= w:
//   turn 0           [0, w), and from s, s + w and s + 2 w on
//   turn t           from s + (4 t - 1) w, s + 4 t w, ... on
//   the last vector  [n - w, n): it may overlap the one before, as the first
//                    does the second
#if defined(REDUCTOR_CORE_KERNELS_ROW_LEADER_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_ROW_LEADER_INL_H_
#undef REDUCTOR_CORE_KERNELS_ROW_LEADER_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_ROW_LEADER_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/cpu.h"
#include "core/kernels.h"
#include "core/kernels/combine_vectors-inl.h"
#include "core/kernels/extreme_vectors-inl.h"
#include "core/kernels/isa-inl.h"
#include "core/kernels/leader_chains-inl.h"
#include "core/kernels/places-inl.h"
#include "core/kernels/prefetch-inl.h"
#include "core/reducers/extremes.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Whether rows of T are looked at this way: elements that the CPU compares, and
// wide enough to count turns. Below AVX-512, where masks are vectors and the
// registers half as many, to search rows for their best elements takes less.
// Places, in cache, Zen 4, GB/s by search and so, by AVX2 and by AVX-512:
//   rows of 512 uint64       57  33   62  78
//   rows of 1,000 float32    61  50   61  66
//   rows of 2,000 int16      66  60   65  70
template <class T>
inline constexpr bool kHasRowLeaders = kHasAvx512 && sizeof(T) > 1 &&
                                       (std::is_integral_v<T> ||
                                        std::is_floating_point_v<T>);

// Whether rows of n of them are: shorter ones do not make up for the joining of
// the lanes.
template <class T>
constexpr bool AreLed(int64_t n) {
  return kHasRowLeaders<T> && n * static_cast<int64_t>(sizeof(T)) >= 1024;
}

// Of what Extreme finds, the first or the last.
template <template <class> class Extreme, class T, Tie kTie>
class RowLeader : ExtremeVectors<Extreme<T>> {
  using Base = ExtremeVectors<Extreme<T>>;
  using Base::At;
  using Base::kIsMax;
  using Base::kSize;
  using Base::kWidth;
  using Base::PastLine;
  using typename Base::D;
  using typename Base::V;

 public:
  // Finds the best element of the row of `n` from x on and where it stands, and
  // says whether that is right: it may not be if there is a NaN. Prefetches
  // what comes after it, but from a core's own cache (places in rows of 352,
  // 1,000 and 2,500 int64, in the L2 cache, Cascade Lake: 43, 56 and 58 GB/s
  // prefetched, 47, 61 and 66 so).
  // REQUIRES: AreLed<T>(n); the row has at most kLongRowBytes.
  static HWY_INLINE bool Find(const std::byte* HWY_RESTRICT x, int64_t n,
                              Source source, T& value, int64_t& place) {
    // The second vector begins with a line, as extreme_walk-inl.h says why. A
    // vector is one, so that this is 1 at least.
    static_assert(kWidth * kSize == kLineBytes || !kHasRowLeaders<T>);
    const int64_t second = kWidth - PastLine(x);
    if (n * kSize >= kFewestInBlocks) {
      return FindIn<Walk::kByBlocks>(x, n, second, value, place);
    }
    return kPrefetchesInOrder && source != Source::kOwnCache
               ? FindIn<Walk::kPrefetching>(x, n, second, value, place)
               : FindIn<Walk::kPlain>(x, n, second, value, place);
  }

 private:
  using Chains = LeaderChains<Extreme, T, kTie>;
  using Turn = typename Chains::Turn;
  using Turns = typename Chains::Turns;
  static constexpr int64_t kChains = Chains::kChains;
  static constexpr bool kIsFirst = Chains::kIsFirst;
  static constexpr auto kOfTurns = Chains::kOfTurns;
  static constexpr int64_t kTurn = kChains * kWidth;

  // How a row is walked: turn by turn, while memory is prefetched or is not;
  // or, where it is long, by blocks of turns.
  enum class Walk { kPrefetching, kPlain, kByBlocks };

  // Of a block each chain notes the best element alone, not its turn, which is
  // one operation for a vector in place of three. In rows of half as many bytes
  // the search of a block takes longer than that saves. All, GB/s by turns,
  // which Intel's CPUs prefetch, then by this:
  //   int32, 8 MiB, Zen 4        84   87
  //   uint64, 8 MiB, Zen 4       77   87
  //   uint32, 512 KiB, Zen 4     99  110
  //   int64, 512 KiB, Intel      76  114
  //   int32, 512 KiB, Intel     101  122
  static constexpr int64_t kTurnsInBlock = 8;
  static constexpr int64_t kFewestInBlocks = 128 * 1024;

  static constexpr Turn kMostTurns = std::numeric_limits<Turn>::max();
  static_assert(kLongRowBytes / kSize / kTurn + 1 < kMostTurns);

  // Find() by one kind of walk. The first vector begins with the row, the
  // others follow each other from element `second` on, 1 to kWidth.
  template <Walk kWalk>
  static HWY_INLINE bool FindIn(const std::byte* HWY_RESTRICT x, int64_t n,
                                int64_t second, T& value, int64_t& place) {
    Chains chains(x, second);
    const Turns one = hn::Set(kOfTurns, Turn{1});
    Turns turn = one;
    int64_t i = second + kTurn - kWidth;
    if constexpr (kWalk == Walk::kByBlocks) {
      const Turns in_block = hn::Set(kOfTurns, Turn{kTurnsInBlock});
      for (; i + kTurnsInBlock * kTurn <= n; i += kTurnsInBlock * kTurn) {
        TakeBlock(x, i, turn, chains);
        turn = hn::Add(turn, in_block);
      }
    }
    const int64_t end_of_blocks = i;
    for (; i + kTurn <= n; i += kTurn) {
#pragma GCC unroll 4
      for (int64_t c = 0; c < kChains; ++c) {
        chains.Keep(c, chains.Take(x, i + c * kWidth, c), turn);
        if constexpr (kWalk == Walk::kPrefetching) {
          PrefetchAfter<Cache::kL1>(x + (i + c * kWidth) * kSize,
                                    kWidth * kSize);
        }
      }
      turn = hn::Add(turn, one);
    }
#pragma GCC unroll 4
    for (int64_t c = 0; c < kChains; ++c) {
      const int64_t begin = i + c * kWidth;
      if (begin < n) {
        chains.Keep(c, chains.Take(x, std::min(begin, n - kWidth), c), turn);
      }
    }
    if (!chains.HaveNoNan()) return false;
    const V wanted = OfAllLanes<kIsMax>(D(), chains.best());
    value = hn::GetLane(wanted);
    place = PlaceOf<kWalk>(x, wanted, chains, second, end_of_blocks, n);
    return true;
  }

  // A block of turns from element i on, of which chains keep the best as if it
  // came in the first one.
  static HWY_INLINE void TakeBlock(const std::byte* HWY_RESTRICT x, int64_t i,
                                   Turns turn, Chains& chains) {
    V best[kChains];
#pragma GCC unroll 4
    for (int64_t c = 0; c < kChains; ++c) {
      best[c] = chains.Take(x, i + c * kWidth, c);
    }
#pragma GCC unroll 1
    for (int64_t t = kTurn; t < kTurnsInBlock * kTurn; t += kTurn) {
#pragma GCC unroll 4
      for (int64_t c = 0; c < kChains; ++c) {
        best[c] = CombineVectors<Extreme<T>>(
            chains.Take(x, i + t + c * kWidth, c), best[c]);
      }
    }
#pragma GCC unroll 4
    for (int64_t c = 0; c < kChains; ++c) chains.Keep(c, best[c], turn);
  }

  // Where the vector begins that a chain takes in a turn. The first of the row
  // and the last share elements with those beside them. But all begin in the
  // order of their turns and chains and leave no gap: so the first one that has
  // an element has its first place, and the last one its last.
  static HWY_INLINE int64_t BeginOf(int64_t turn, int64_t chain, int64_t second,
                                    int64_t n) {
    const int64_t begin = second + turn * kTurn + (chain - 1) * kWidth;
    return std::clamp<int64_t>(begin, 0, n - kWidth);
  }

  // The largest or the smallest of all lanes of all chains, in every lane.
  template <bool kIsLargest, class Of>
  static HWY_INLINE hn::Vec<Of> OfAllLanes(Of of, const hn::Vec<Of>* chains) {
    const auto join = [](auto a, auto b) {
      return kIsLargest ? hn::Max(a, b) : hn::Min(a, b);
    };
    const auto all =
        join(join(chains[0], chains[1]), join(chains[2], chains[3]));
    return kIsLargest ? hn::MaxOfLanes(of, all) : hn::MinOfLanes(of, all);
  }

  // Where `wanted` stands in the block from element `begin` on, which has it.
  static HWY_INLINE int64_t PlaceInBlock(const std::byte* HWY_RESTRICT x,
                                         int64_t begin, V wanted) {
    const D d;
    constexpr int64_t kLast = (kTurnsInBlock * kChains - 1) * kWidth;
    for (int64_t i = 0; true; i += kWidth) {
      const int64_t at = begin + (kIsFirst ? i : kLast - i);
      const uint64_t bits = BitsOf(d, hn::Eq(At(x, at), wanted));
      if (bits != 0) return at + PlaceIn<kTie>(bits);
    }
  }

  // Where `wanted` stands: of the lanes that have it, those of the first turn,
  // or the last, and of them the first or the last lane.
  template <Walk kWalk>
  static HWY_INLINE int64_t PlaceOf(const std::byte* HWY_RESTRICT x, V wanted,
                                    const Chains& chains, int64_t second,
                                    int64_t end_of_blocks, int64_t n) {
    const Turns never = hn::Set(kOfTurns, kIsFirst ? kMostTurns : Turn{-1});
    Turns having[kChains];
#pragma GCC unroll 4
    for (int64_t c = 0; c < kChains; ++c) {
      const auto has =
          hn::RebindMask(kOfTurns, hn::Eq(chains.best()[c], wanted));
      having[c] = hn::IfThenElse(has, chains.turns()[c], never);
    }
    const Turns then = OfAllLanes<!kIsFirst>(kOfTurns, having);
    if constexpr (kWalk == Walk::kByBlocks) {
      const int64_t turn = hn::GetLane(then);
      const int64_t begin = second + turn * kTurn - kWidth;
      if (turn > 0 && begin < end_of_blocks) {
        return PlaceInBlock(x, begin, wanted);
      }
    }
    const int64_t lane = LaneOf(having, then);
    return BeginOf(hn::GetLane(then), lane / kWidth, second, n) + lane % kWidth;
  }

  // Which of the lanes of all chains, one chain after the other, is the first
  // that has this turn, or the last.
  static HWY_INLINE int64_t LaneOf(const Turns (&having)[kChains], Turns then) {
    constexpr int64_t kInWord = std::min<int64_t>(kChains, 64 / kWidth);
    int64_t lane = 0;
#pragma GCC unroll 4
    for (int64_t w = 0; w < kChains; w += kInWord) {
      const int64_t first = kIsFirst ? kChains - kInWord - w : w;
      uint64_t bits = 0;
#pragma GCC unroll 4
      for (int64_t c = 0; c < kInWord; ++c) {
        const auto has = hn::Eq(having[first + c], then);
        bits |= BitsOf(kOfTurns, has) << c * kWidth;
      }
      lane = bits != 0 ? first * kWidth + PlaceIn<kTie>(bits) : lane;
    }
    return lane;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_ROW_LEADER_INL_H_
