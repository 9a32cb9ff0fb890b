// Slabs, folded into a state per column: as many columns at a time as
// fill a register or two, or the half or quarter of one. Fewer columns are
// folded by the narrowest lanes that take them all: these load some of the next
// row too, and leave states where those of the next slab, folded later,
// overwrite them. The last columns of wider slabs are folded together with some
// of those before them once more. Both cost less than to fold columns one by
// one. Compiled once per instruction set.
//
// Of a slab with the rows a, b and c of three columns, by four lanes:
//   memory            a0 a1 a2 b0 b1 b2 c0 c1 c2 | the next slab
//   the lanes take    a0 a1 a2 b0, b0 b1 b2 c0, c0 c1 c2 and one of the next
//   and make          s0 s1 s2 and one that the next slab's overwrite
//
// Sums of float32, in cache, AVX-512, GB/s by passes over many slabs and by
// single columns, then by this:
//   slabs of 4 x 4      7  26
//   slabs of 8 x 8     21  65
//   slabs of 64 x 3     7  38
#if defined(REDUCTOR_CORE_KERNELS_SLAB_FOLD_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_SLAB_FOLD_INL_H_
#undef REDUCTOR_CORE_KERNELS_SLAB_FOLD_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_SLAB_FOLD_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/kernels/lanes.h"
#include "core/kernels/plain_lanes-inl.h"
#include "core/kernels/read_ahead-inl.h"
#include "core/kernels/slab_chain-inl.h"
#include "core/kernels/vector_lanes-inl.h"
#include "core/kernels/widening-inl.h"
#include "core/order.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// The most columns that are folded at once: of 64 bits two registers, as an
// addition waits for the one before it (sums of slabs of 70 x 8 and 17 x 30
// float64, in cache, AVX-512: 100 and 73 GB/s by one, 131 and 89 so).
template <Monoid M>
inline constexpr int64_t kMostColumns = HasNamedVectors<M>()
                                            ? std::max<int64_t>(kGroupLanes<M>,
                                                                16)
                                            : kGroupLanes<M>;

template <Monoid M, int64_t kWidest = kMostColumns<M>>
class SlabFolder {
 public:
  using State = typename M::State;

  // Whether the columns fill no vector, not even those of several rows that are
  // taken together.
  static bool HasTooFewColumns(int64_t rows, int64_t cols) {
    return cols < kNarrowest && TogetherOf(rows, cols) == 1;
  }

  // Calls put(folded, first, count) for some slabs at a time, of `count`
  // columns in all, of which column i has the state folded.Get(i); `first`
  // columns come before them. What is `ahead` is prefetched. Elements that have
  // a place are walked from the end if `from_end`.
  // REQUIRES: 1 <= rows, 1 <= cols <= kMaxSlabStates, and rows * cols <=
  // kMaxSlab or a slab has up to kBlockBytes, or a row has no fewer elements
  // than lanes.
  template <class Put>
  static HWY_INLINE void Each(const std::byte* HWY_RESTRICT x, int64_t slabs,
                              int64_t rows, int64_t cols, ReadAhead& ahead,
                              bool from_end, const Put& put) {
    const int64_t most = kMaxSlabStates / (TogetherOf(rows, cols) * cols);
    for (int64_t s = 0, count = 0; s < slabs; s += count) {
      count = std::min(slabs - s, most);
      const SlabFolder folded(x + s * rows * cols * kSize, count, rows, cols,
                              slabs - s - count, ahead, from_end);
      put(folded, s * cols, count * cols);
    }
  }

  State Get(int64_t i) const { return columns_.Get(i); }

 private:
  // `after` says how many slabs at least lie in memory behind these, which
  // lanes may read.
  HWY_NOINLINE SlabFolder(const std::byte* HWY_RESTRICT x, int64_t slabs,
                          int64_t rows, int64_t cols, int64_t after,
                          ReadAhead& ahead, bool from_end)
      : from_end_(from_end) {
    const int64_t together = TogetherOf(rows, cols);
    Fold(x, slabs, rows / together, together * cols, rows * cols, after, ahead,
         0);
    if constexpr (!kHavePlaces) {
      if (together > 1) JoinTogether(x, slabs, rows, cols, together);
    }
  }

  static constexpr bool kHavePlaces = ElementsOf<M>::kHavePlaces;

  // RowsTogether(), which are one where elements have places.
  static int64_t TogetherOf(int64_t rows, int64_t cols) {
    return kHavePlaces ? 1 : RowsTogether(rows, cols);
  }

  // Joins the rows left over to the last of the parts, and then the parts by
  // halves. A half has kJoined states at most (RowsTogether()), so that each is
  // one Join(), however few count (the largest of int32 slabs of 17 x 4 and 47
  // x 4, in cache, AVX-512: 19 and 37 GB/s state by state, 42 and 67 so).
  HWY_NOINLINE void JoinTogether(const std::byte* HWY_RESTRICT x, int64_t slabs,
                                 int64_t rows, int64_t cols, int64_t together) {
    const int64_t width = together * cols;
    const int64_t rest = rows % together * cols;
    const int64_t last = rows * cols - width;
    // What the last slab's joins read beyond its states.
    for (int64_t l = 0; l < kJoined; ++l) {
      columns_.Set(slabs * width + l, M::Identity());
    }
    if (rest > 0) {
      // By two groups, of which the second takes what the first has not.
      const int64_t second = width - kJoined;
      for (int64_t s = 0; s < slabs; ++s, x += rows * cols * kSize) {
        AppendRest(x, last, width - rest, s * width);
        AppendRest(x, last + second, std::max(width - rest, kJoined) - second,
                   s * width + second);
      }
    }
    // A step of all slabs before the next one, which would wait for it. As a
    // slab has more than kJoined states, none writes where a later one reads.
    for (int64_t half = together / 2 * cols; half >= cols; half /= 2) {
      const int64_t apart = half > cols ? width : cols;
      for (int64_t s = 0; s < slabs; ++s) {
        Join(s * width, s * width + half, s * apart);
      }
    }
  }

  // States from `at` on take elements from i on, but for the first few.
  void AppendRest(const std::byte* HWY_RESTRICT x, int64_t i, int64_t first,
                  int64_t at) {
    if constexpr (HasNamedVectors<M>()) {
      using Group = VectorLanes<M, kJoined>;
      Group lanes(columns_.data() + at);
      lanes.AppendTo(typename Group::Tail(first), x, i);
      lanes.Store(columns_.data() + at);
    } else {
      AppendTail<M, kJoined>(columns_, at, static_cast<LaneNumber<M>>(first), x,
                             i);
    }
  }

  // States from `to` on become those from `a` on with those from `b` on.
  void Join(int64_t a, int64_t b, int64_t to) {
    Lanes<State, kJoined> joined;
#pragma GCC unroll 1
    for (int64_t l = 0; l < kJoined; ++l) {
      joined.Set(l, M::Combine(columns_.Get(a + l), columns_.Get(b + l)));
    }
    CopyLanes<kJoined>(joined, columns_, to);
  }

  // Slabs of `slab` elements, of which these columns are folded, into states
  // from `to` on.
  HWY_NOINLINE void Fold(const std::byte* HWY_RESTRICT x, int64_t slabs,
                         int64_t rows, int64_t cols, int64_t slab,
                         int64_t after, ReadAhead& ahead, int64_t to) {
    FoldBy<kWidest>(x, slabs, rows, cols, slab, after, ahead, to);
  }

  // By the narrowest lanes up to kWidth that take the columns at once, or by
  // the widest; not every width there is, for the code's size.
  template <int64_t kWidth>
  HWY_INLINE void FoldBy(const std::byte* HWY_RESTRICT x, int64_t slabs,
                         int64_t rows, int64_t cols, int64_t slab,
                         int64_t after, ReadAhead& ahead, int64_t to) {
    if constexpr (kWidth > kNarrowest) {
      constexpr int64_t kNarrower = kWidth > 16 ? 16 : kWidth / 2;
      if (cols <= kNarrower) {
        return FoldBy<kNarrower>(x, slabs, rows, cols, slab, after, ahead, to);
      }
    }
    // All but those whose lanes reach beyond the last slab there is.
    int64_t within = slabs;
    if (cols < kWidth) {
      const int64_t reaching = (kWidth - cols + slab - 1) / slab;
      within -= std::clamp<int64_t>(reaching - after, 0, slabs);
    }
    // A copy, which stays in registers, as states are stored meanwhile.
    ReadAhead in_register = ahead;
    for (int64_t s = 0; s < within; ++s, x += slab * kSize) {
      in_register.PrefetchStreamsUpTo(x + slab * kSize);
      in_register.PrefetchInOrder<kCacheFor<M>>(x, slab * kSize);
      FoldSlab<kWidth>(x, rows, cols, to + s * cols);
    }
    ahead = in_register;
    if (within < slabs) {
      FoldCopied(x, slabs - within, rows, cols, slab, to + within * cols);
    }
  }

  // The last slabs, whose lanes would reach beyond all there is, from a copy
  // that zeros follow. No more slabs are copied than it takes to cover kWidest
  // elements: these have fewer than kWidest more than one slab has.
  HWY_NOINLINE void FoldCopied(const std::byte* HWY_RESTRICT x, int64_t slabs,
                               int64_t rows, int64_t cols, int64_t slab,
                               int64_t to) {
    constexpr int64_t kMostBytes = std::max(kMaxSlab * kSize, kBlockBytes);
    std::byte copy[kMostBytes + 2 * kWidest * kSize];
    const int64_t bytes = slabs * slab * kSize;
    std::memcpy(copy, x, bytes);
    std::memset(copy + bytes, 0, kWidest * kSize);
    ReadAhead nothing(copy, Ahead::kNothing);
    // No lane reaches further than these zeros, be they slabs of one element.
    Fold(copy, slabs, rows, cols, slab, /*after=*/kWidest, nothing, to);
  }

  template <int64_t kWidth>
  HWY_INLINE void FoldSlab(const std::byte* HWY_RESTRICT x, int64_t rows,
                           int64_t cols, int64_t to) {
    for (int64_t c = 0; c < cols; c += kWidth) {
      // Half as many lanes are enough for few columns that are left.
      if constexpr (kWidth == kWidest && kWidth > kNarrowest) {
        if (c > 0 && cols - c <= kWidth / 2) {
          return FoldColumns<kWidth / 2>(x, cols - kWidth / 2, rows, cols, to);
        }
      }
      const int64_t first = std::max<int64_t>(std::min(c, cols - kWidth), 0);
      FoldColumns<kWidth>(x, first, rows, cols, to);
    }
  }

  // Columns [c, c + kWidth) of a slab.
  template <int64_t kWidth>
  HWY_INLINE void FoldColumns(const std::byte* HWY_RESTRICT x, int64_t c,
                              int64_t rows, int64_t cols, int64_t to) {
    if constexpr (kHavePlaces) {
      const int64_t first = from_end_ ? (rows - 1) * cols : 0;
      FoldChain<M, kWidth>(x, first + c, rows, from_end_ ? -cols : cols, 0,
                           columns_, to + c);
    } else if constexpr (kIsExact<M>) {
      FoldChain<M, kWidth>(x, c, rows, cols, 0, columns_, to + c);
    } else {
      // Chains as short as the cascade's join one after the other.
      for (int64_t r = 0; r < rows; r += kChainRows) {
        FoldChain<M, kWidth>(x, r * cols + c, std::min(rows - r, kChainRows),
                             cols, r, columns_, to + c);
      }
    }
  }

  static constexpr int64_t kSize = sizeof(typename M::Input);

  // States that join at once.
  static constexpr int64_t kJoined = kColsTogether;

  // The narrowest lanes that are still vectors; fewer columns reach beyond
  // their row.
  static constexpr int64_t kNarrowest =
      std::is_class_v<State> || kGroupLanes<M> == 64 ? 8
      : kGroupLanes<M> == 8                          ? 2
                                                     : 4;

  bool from_end_;
  // And what lanes write behind the last slab's.
  Lanes<State, kMaxSlabStates + std::max(kJoined, kWidest)> columns_;
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_SLAB_FOLD_INL_H_
