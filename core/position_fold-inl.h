// The row loop of ArgMax and ArgMin: lanes would lose the order of the
// elements, so the row is searched for the best key, by the loop that finds it
// fast, and then for where it stands. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_POSITION_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_POSITION_FOLD_INL_H_
#undef REDUCTOR_CORE_POSITION_FOLD_INL_H_
#else
#define REDUCTOR_CORE_POSITION_FOLD_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "core/fold-inl.h"
#include "core/reducers/extremes.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

template <template <class> class Extreme, class T, Tie kTie>
struct RowFolder<Position<Extreme, T, kTie>> {
  using P = Position<Extreme, T, kTie>;

  // What Extreme computes, by the keys that Position compares.
  struct BestKey : Extreme<T> {
    static constexpr Key<T> Map(T x) { return P::KeyAt(x); }
  };

  // REQUIRES: n >= 1.
  static typename P::State Fold(const std::byte* HWY_RESTRICT x, int64_t n) {
    const Key<T> best = RowFolder<BestKey>::Fold(x, n);
    constexpr bool kForward = kTie == Tie::kFirst;
    int64_t i = kForward ? 0 : n - 1;
    while (MapAt<BestKey>(x, i) != best) i += kForward ? 1 : -1;
    return {best, i, n};
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_POSITION_FOLD_INL_H_
