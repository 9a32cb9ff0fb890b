// The chains by which a row's best element is found: vectors that are taken in
// a turn, each by lanes of its own, as the CPU compares several at a time.
// Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_LEADER_CHAINS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_LEADER_CHAINS_INL_H_
#undef REDUCTOR_CORE_KERNELS_LEADER_CHAINS_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_LEADER_CHAINS_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"
#include "core/kernels/combine_vectors-inl.h"
#include "core/kernels/extreme_vectors-inl.h"
#include "core/kernels/places-inl.h"
#include "core/reducers/extremes.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Of what Extreme finds, the first or the last.
template <template <class> class Extreme, class T, Tie kTie>
class LeaderChains : ExtremeVectors<Extreme<T>> {
  using Base = ExtremeVectors<Extreme<T>>;
  using Base::At;
  using Base::kIsMax;
  using Base::kWidth;
  using typename Base::D;
  using typename Base::V;

 public:
  static constexpr int64_t kChains = 4;
  static constexpr bool kIsFirst = kTie == Tie::kFirst;
  // Numbers of turns, as wide as the elements.
  using Turn = PlaceFor<T>;
  using OfTurns = hn::Rebind<Turn, D>;
  using Turns = hn::Vec<OfTurns>;
  static constexpr OfTurns kOfTurns{};

  // Turn 0 of the row from x on: its first vector, and the next ones from
  // element `second` on.
  HWY_INLINE LeaderChains(const std::byte* HWY_RESTRICT x, int64_t second) {
#pragma GCC unroll 4
    for (int64_t c = 0; c < kChains; ++c) {
      sums_[c] = best_[c] = At(x, c == 0 ? 0 : second + (c - 1) * kWidth);
      turns_[c] = hn::Zero(kOfTurns);
    }
  }

  // The elements from i on, which chain c adds up.
  HWY_INLINE V Take(const std::byte* HWY_RESTRICT x, int64_t i, int64_t c) {
    const V each = At(x, i);
    if constexpr (kIsFloat<T>) sums_[c] = hn::Add(sums_[c], each);
    return each;
  }

  // Chain c keeps the better of its best one and `each`, which came in `turn`.
  // Of equal ones the first is kept or the last: in the one case `each` stays
  // only if it is better, in the other the best one only if it is better.
  HWY_INLINE void Keep(int64_t c, V each, Turns turn) {
    // If kIsFirst `each` is, else the best one.
    const auto is_better =
        hn::RebindMask(kOfTurns, kIsMax == kIsFirst ? hn::Lt(best_[c], each)
                                                    : hn::Lt(each, best_[c]));
    turns_[c] = kIsFirst ? hn::IfThenElse(is_better, turn, turns_[c])
                         : hn::IfThenElse(is_better, turns_[c], turn);
    best_[c] = CombineVectors<Extreme<T>>(each, best_[c]);
  }

  // Whether none that was taken is a NaN. May be false without one
  // (HasNoNan()), where a search is right as well.
  HWY_INLINE bool HaveNoNan() const {
    if constexpr (kIsFloat<T>) {
      return HasNoNan(
          hn::Add(hn::Add(sums_[0], sums_[1]), hn::Add(sums_[2], sums_[3])));
    } else {
      return true;
    }
  }

  // The best of what each lane of each chain took, and when it came.
  HWY_INLINE const V* best() const { return best_; }
  HWY_INLINE const Turns* turns() const { return turns_; }

 private:
  V best_[kChains];
  V sums_[kChains];
  Turns turns_[kChains];
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_LEADER_CHAINS_INL_H_
