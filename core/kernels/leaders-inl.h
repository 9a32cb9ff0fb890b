// The leader of a column, which ArgMax and ArgMin look for: its best element so
// far and the place of that. By keys, which are right of all elements; or of
// floats by the CPU's own comparison, a third of the operations, which is right
// unless there is a NaN. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_LEADERS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_LEADERS_INL_H_
#undef REDUCTOR_CORE_KERNELS_LEADERS_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_LEADERS_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"
#include "core/kernels.h"
#include "core/kernels/elements-inl.h"
#include "core/kernels/extreme_vectors-inl.h"
#include "core/kernels/places-inl.h"
#include "core/kernels/slab_chain-inl.h"
#include "core/ordered.h"
#include "core/reducers/extremes.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// What both share. Leaders take successive elements, of which the first of
// equal ones stays: where the last is wanted they are walked from the end, and
// a place counts from there (RowOfPlace()).
template <template <class> class Extreme, class T>
struct LeaderBase {
  // What Extreme computes, by the keys that positions compare.
  struct BestKey : Extreme<T> {
    using P = Position<Extreme, T, Tie::kFirst>;
    static constexpr Key<T> Map(T x) { return P::KeyOf(x); }
  };

  using Input = T;
  using Place = PlaceFor<T>;
  static constexpr bool IsBetter(Key<T> later, Key<T> found) {
    return BestKey::P::IsBetter(later, found);
  }
};

// By keys, as a monoid.
template <template <class> class Extreme, class T>
struct Leader : LeaderBase<Extreme, T> {
  using Base = LeaderBase<Extreme, T>;
  using typename Base::BestKey;
  using typename Base::Place;

  // Whether a key is more than the element's bits.
  static constexpr bool kComputesKeys = kIsFloat<T>;

  struct State {
    Key<T> key;
    Place place;
  };
  static constexpr State Identity() { return {BestKey::Identity(), 0}; }
  static constexpr State Map(T x) { return {BestKey::Map(x), 0}; }
  static constexpr State Combine(State a, State b) {
    const bool takes_b = Base::IsBetter(b.key, a.key);
    return {takes_b ? b.key : a.key, takes_b ? b.place : a.place};
  }
  static constexpr Key<T> KeyOf(State s) { return s.key; }

  // Lanes [c, c + kCols) take elements of as many columns of kRows rows, which
  // begin `step` elements apart, the first of them at `place`. Says whether
  // they are right.
  template <Into kInto, int64_t kRows, int64_t kCols, class L>
  static HWY_INLINE bool Fold(L& lanes, const std::byte* HWY_RESTRICT x,
                              int64_t place, int64_t step, int64_t c) {
#pragma GCC unroll 1
    for (int64_t l = c; l < c + kCols; ++l) {
      State s;
      if constexpr (kInto == Into::kNew) {
        s = {MapAt<BestKey>(x, l), static_cast<Place>(place)};
      } else {
        s = lanes.Get(l);
      }
#pragma GCC unroll 4
      for (int64_t r = kInto == Into::kNew ? 1 : 0; r < kRows; ++r) {
        s = Combine(s, {MapAt<BestKey>(x, r * step + l),
                        static_cast<Place>(place + r)});
      }
      lanes.Set(l, s);
    }
    return true;
  }
};

// By comparisons of floats. Vectors by name, as the compiler chooses none for
// the sums beside them. Places, in cache, Zen 3, GB/s by keys, then by this:
//   100 columns of float32      21  32
//   1,024 columns of float32    17  24
//   1,024 columns of float64    16  24
template <template <class> class Extreme, class T>
struct FloatLeader : LeaderBase<Extreme, T> {
  using Base = LeaderBase<Extreme, T>;
  using typename Base::Place;
  static constexpr bool kComputesKeys = false;

  struct State {
    T value;
    Place place;
  };
  static constexpr Key<T> KeyOf(State s) { return Base::BestKey::Map(s.value); }

  // As that of Leader. The elements are added up too: the sum is a NaN if one
  // of them is, or if infinities of both signs meet, which costs a second look.
  template <Into kInto, int64_t kRows, int64_t kCols, class L>
  static HWY_INLINE bool Fold(L& lanes, const std::byte* HWY_RESTRICT x,
                              int64_t place, int64_t step, int64_t c) {
    constexpr bool kIsNew = kInto == Into::kNew;
    const hn::CappedTag<T, kCols> d;
    const hn::Rebind<Place, decltype(d)> of_places;
    auto all = hn::Zero(d);
    for (int64_t l = c; l < c + kCols; l += hn::MaxLanes(d)) {
      const auto row = [=](int64_t r) {
        if constexpr (kCols == 1) {
          // To load one of a vector's lanes the compiler wants it aligned.
          return hn::Set(d, ElementAt<T>(x, r * step + l));
        } else {
          return LoadElements(d, x, r * step + l);
        }
      };
      T* const values = lanes.firsts() + l;
      Place* const places = lanes.seconds() + l;
      auto best = kIsNew ? row(0) : hn::LoadU(d, values);
      auto best_place = kIsNew ? hn::Set(of_places, static_cast<Place>(place))
                               : hn::LoadU(of_places, places);
      auto sum = kIsNew ? best : hn::Zero(d);
      for (int64_t r = kIsNew ? 1 : 0; r < kRows; ++r) {
        const auto value = row(r);
        const auto is_better = ExtremeVectors<Extreme<T>>::kIsMax
                                   ? hn::Gt(value, best)
                                   : hn::Lt(value, best);
        best = hn::IfThenElse(is_better, value, best);
        best_place = hn::IfThenElse(
            hn::RebindMask(of_places, is_better),
            hn::Set(of_places, static_cast<Place>(place + r)), best_place);
        sum = hn::Add(sum, value);
      }
      hn::StoreU(best, d, values);
      hn::StoreU(best_place, of_places, places);
      all = hn::Add(all, sum);
    }
    return HasNoNan(all);
  }
};

// Lanes take elements by their keys, each at its place.
template <template <class> class Extreme, class T>
struct ElementsOf<Leader<Extreme, T>> {
  static constexpr bool kHavePlaces = true;

  template <Into kInto, int64_t kCount, class L>
  static HWY_INLINE void Take(L& lanes, const std::byte* HWY_RESTRICT x,
                              int64_t i, int64_t place) {
    Leader<Extreme, T>::template Fold<kInto, 1, kCount>(
        lanes, x + i * sizeof(T), place, /*step=*/0, /*c=*/0);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_LEADERS_INL_H_
