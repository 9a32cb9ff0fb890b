// One row folded into lanes, and how an element joins a state. Compiled once
// per instruction set.
//
// What is left of a row that fills the lanes no more is no loop over elements:
// the row's last elements are loaded as lanes, and those of them that were
// there before join as nothing. It costs one step, and reads nothing beyond the
// row (float32 sums of rows of 17 and 100, in cache, AVX-512: 17 and 28 GB/s by
// elements).
#if defined(REDUCTOR_CORE_ROW_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_ROW_LANES_INL_H_
#undef REDUCTOR_CORE_ROW_LANES_INL_H_
#else
#define REDUCTOR_CORE_ROW_LANES_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/lanes.h"
#include "core/reducers.h"
#include "core/wide_lanes-inl.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

template <Monoid M>
HWY_INLINE typename M::State MapAt(const std::byte* x, int64_t i) {
  typename M::Input element;
  std::memcpy(&element, x + i * static_cast<int64_t>(sizeof(element)),
              sizeof(element));
  return M::Map(element);
}

// Asks for the line of memory that has byte `offset` from x on, whether the
// array goes that far or not: a pointer may not leave it, a number may.
HWY_INLINE void PrefetchFrom(const std::byte* x, int64_t offset) {
  const uintptr_t address =
      reinterpret_cast<uintptr_t>(x) + static_cast<uintptr_t>(offset);
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  hwy::Prefetch(reinterpret_cast<const std::byte*>(address));
}

// Asks for what lies two pages after the next `bytes` bytes. The loops do so
// each turn, a few lines at a time: the CPU's own prefetching ends with each
// page, and what a loop has asked for when it ends is all there is until the
// next one runs. Float32 sums from memory, AVX-512, GB/s without and with it:
// the whole tensor 24 and 33; 16, 100 and 1,024 columns 16 and 25, 15 and 23,
// 16 and 21 (column_fold-inl.h); slabs of 8 x 8 16 and 24. In the L2 cache it
// costs nothing, or a tenth.
HWY_INLINE void PrefetchAfter(const std::byte* x, int64_t bytes) {
  constexpr int64_t kDistance = 8192;
  constexpr int64_t kLine = 64;
  for (int64_t i = 0; i < bytes; i += kLine) PrefetchFrom(x, kDistance + i);
}

// The lanes that fill an AVX-512 register of each of the state's members.
template <Monoid M>
inline constexpr int64_t kGroup = 64 * kMemberCount<typename M::State> /
                                  sizeof(typename M::State);

// How many groups a long row fills side by side: enough independent chains to
// hide the latency of an addition, and with SSE4 they fit sixteen registers. A
// state of several members has half as many of each.
template <Monoid M>
inline constexpr int64_t kGroups = std::is_class_v<typename M::State> ? 2 : 4;

// Counts lanes; as wide as one, so that to compare them takes as few registers.
template <Monoid M>
using LaneNumber = std::conditional_t<
    kGroup<M> == 64, int8_t,
    std::conditional_t<kGroup<M> == 32, int16_t,
                       std::conditional_t<kGroup<M> == 16, int32_t, int64_t>>>;

// Joins the first kFrom lanes by halves, until kTo are left. "unroll 1", here
// and below: g++ would unroll a loop over 16 lanes or fewer before it could
// vectorise it.
template <Monoid M, int64_t kFrom, int64_t kTo, class L>
HWY_INLINE void Halve(L& lanes) {
  if constexpr (kFrom > kTo) {
    constexpr int64_t kHalf = kFrom / 2;
#pragma GCC unroll 1
    for (int64_t l = 0; l < kHalf; ++l) {
      lanes.Set(l, M::Combine(lanes.Get(l), lanes.Get(l + kHalf)));
    }
    Halve<M, kHalf, kTo>(lanes);
  }
}

// How the loops take element i of x, which is the k'th of its row or column.
template <Monoid M>
struct ElementsOf {
  static HWY_INLINE typename M::State Map(const std::byte* HWY_RESTRICT x,
                                          int64_t i, int64_t /*k*/) {
    return MapAt<M>(x, i);
  }
  template <class L>
  static HWY_INLINE void AppendTo(L& lanes, int64_t l,
                                  const std::byte* HWY_RESTRICT x, int64_t i,
                                  int64_t /*k*/) {
    lanes.Set(l, M::Combine(lanes.Get(l), MapAt<M>(x, i)));
  }
};

// kWidth states, as WideLanes are. "unroll 4" unrolls what these loops are once
// they are vectorised, so that the states stay in registers (float64 sums, in
// the L2 cache, GB/s without and with it and a name for each group below: 80
// and 165 by AVX-512, 57 and 135 by AVX2, 41 and 90 by SSE4).
template <Monoid M, int64_t kWidth, class Elements>
class PlainLanes {
  using State = typename M::State;

 public:
  // Those of elements [i, i + kWidth).
  HWY_INLINE PlainLanes(const std::byte* HWY_RESTRICT x, int64_t i) {
#pragma GCC unroll 4
    for (int64_t l = 0; l < kWidth; ++l) {
      lanes_.Set(l, Elements::Map(x, i + l, i + l));
    }
  }

  // Lane l takes element i + l.
  HWY_INLINE void Append(const std::byte* HWY_RESTRICT x, int64_t i) {
#pragma GCC unroll 4
    for (int64_t l = 0; l < kWidth; ++l) {
      Elements::AppendTo(lanes_, l, x, i + l, i + l);
    }
  }

  // Lane l takes element i + l, if l >= first.
  HWY_INLINE void AppendFrom(int64_t first, const std::byte* HWY_RESTRICT x,
                             int64_t i) {
    using Lane = LaneNumber<M>;
#pragma GCC unroll 1
    for (int64_t l = 0; l < kWidth; ++l) {
      const bool takes = static_cast<Lane>(l) >= static_cast<Lane>(first);
      const State s = Elements::Map(x, i + l, i + l);
      lanes_.Set(l, M::Combine(lanes_.Get(l), takes ? s : M::Identity()));
    }
  }

  // Each lane is joined with the other's.
  HWY_INLINE void Combine(const PlainLanes& other) {
#pragma GCC unroll 4
    for (int64_t l = 0; l < kWidth; ++l) {
      lanes_.Set(l, M::Combine(lanes_.Get(l), other.lanes_.Get(l)));
    }
  }

  HWY_INLINE Lanes<State, kWidth>& ToLanes() { return lanes_; }

 private:
  Lanes<State, kWidth> lanes_;
};

// Folds a row into kWidth lanes. REQUIRES: n >= kWidth, a group at most.
template <Monoid M, int64_t kWidth, class Elements = ElementsOf<M>>
class RowLanes {
 public:
  // Joins them by halves to kKept, which become states [at, at + kKept) of
  // `to`.
  template <int64_t kKept, class L>
  static HWY_INLINE void Fold(const std::byte* HWY_RESTRICT x, int64_t n, L& to,
                              int64_t at) {
    if constexpr (std::is_class_v<typename M::State>) {
      return FoldAtOnce<kKept>(x, n, to, at);
    }
    Group group(x, 0);
    int64_t i = kWidth;
    if constexpr (kMost > kWidth) {
      if (n >= kMost) i = FillSeveral(group, x, n);
    }
    for (; i + kWidth <= n; i += kWidth) group.Append(x, i);
    const int64_t last = n - kWidth;
    if (i < n) group.AppendFrom(i - last, x, last);
    auto&& lanes = group.ToLanes();
    Halve<M, kWidth, kKept>(lanes);
#pragma GCC unroll 1
    for (int64_t l = 0; l < kKept; ++l) to.Set(at + l, lanes.Get(l));
  }

 private:
  static constexpr bool kHasPlaces = !std::is_same_v<Elements, ElementsOf<M>>;
  using Group =
      std::conditional_t<IsWidening<M>() && !kHasPlaces, WideLanes<M, kWidth>,
                         PlainLanes<M, kWidth, Elements>>;
  // Where elements have places rows are too short to fill several groups.
  static constexpr int64_t kMost =
      kWidth == kGroup<M> && !kHasPlaces ? kWidth * kGroups<M> : kWidth;
  static constexpr int64_t kSize = sizeof(typename M::Input);

  // The same by loops over all lanes at once: of states of several members g++
  // vectorises no others (LogSumExp of float32 4.2 GB/s so, 0.5 by groups).
  template <int64_t kKept, class L>
  static HWY_INLINE void FoldAtOnce(const std::byte* HWY_RESTRICT x, int64_t n,
                                    L& to, int64_t at) {
    using Lane = LaneNumber<M>;
    Lanes<typename M::State, kMost> lanes;
    int64_t i = kWidth;
    if (kMost > kWidth && n >= kMost) {
      PrefetchAfter(x, kMost * kSize);
#pragma GCC unroll 1
      for (int64_t l = 0; l < kMost; ++l) lanes.Set(l, Elements::Map(x, l, l));
      for (i = kMost; i + kMost <= n; i += kMost) {
        PrefetchAfter(x + i * kSize, kMost * kSize);
#pragma GCC unroll 1
        for (int64_t l = 0; l < kMost; ++l) {
          Elements::AppendTo(lanes, l, x, i + l, i + l);
        }
      }
      Halve<M, kMost, kWidth>(lanes);
    } else {
#pragma GCC unroll 1
      for (int64_t l = 0; l < kWidth; ++l) lanes.Set(l, Elements::Map(x, l, l));
    }
    for (; i + kWidth <= n; i += kWidth) {
#pragma GCC unroll 1
      for (int64_t l = 0; l < kWidth; ++l) {
        Elements::AppendTo(lanes, l, x, i + l, i + l);
      }
    }
    if (i < n) {
      const int64_t last = n - kWidth;
      const auto first = static_cast<Lane>(i - last);
#pragma GCC unroll 1
      for (int64_t l = 0; l < kWidth; ++l) {
        const bool takes = static_cast<Lane>(l) >= first;
        const typename M::State s = Elements::Map(x, last + l, last + l);
        lanes.Set(l, M::Combine(lanes.Get(l), takes ? s : M::Identity()));
      }
    }
    Halve<M, kWidth, kKept>(lanes);
#pragma GCC unroll 1
    for (int64_t l = 0; l < kKept; ++l) to.Set(at + l, lanes.Get(l));
  }

  // Fills several groups side by side, of which `first` has its first elements,
  // as long as all are filled; joins them there, and says how many elements
  // that took. REQUIRES: n >= kMost.
  static HWY_INLINE int64_t FillSeveral(Group& first,
                                        const std::byte* HWY_RESTRICT x,
                                        int64_t n) {
    PrefetchAfter(x, kMost * kSize);
    Group second(x, kWidth);
    int64_t i = kMost;
    if constexpr (kGroups<M> == 2) {
      for (; i + kMost <= n; i += kMost) {
        PrefetchAfter(x + i * kSize, kMost * kSize);
        first.Append(x, i);
        second.Append(x, i + kWidth);
      }
    } else {
      Group third(x, 2 * kWidth);
      Group fourth(x, 3 * kWidth);
      for (; i + kMost <= n; i += kMost) {
        PrefetchAfter(x + i * kSize, kMost * kSize);
        first.Append(x, i);
        second.Append(x, i + kWidth);
        third.Append(x, i + 2 * kWidth);
        fourth.Append(x, i + 3 * kWidth);
      }
      first.Combine(third);
      second.Combine(fourth);
    }
    first.Combine(second);
    return i;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_ROW_LANES_INL_H_
