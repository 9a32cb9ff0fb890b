// Where a row has its best element, once that is known. Compiled once per
// instruction set.
#if defined(REDUCTOR_CORE_ROW_SEARCH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_ROW_SEARCH_INL_H_
#undef REDUCTOR_CORE_ROW_SEARCH_INL_H_
#else
#define REDUCTOR_CORE_ROW_SEARCH_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/reducers/extremes.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// As wide as the keys, so that both fill registers alike, though never narrower
// than the rows of a call need.
template <class T>
using PlaceFor =
    std::conditional_t<sizeof(T) == 8, int64_t,
                       std::conditional_t<sizeof(T) == 4, int32_t, int16_t>>;

// Of a row of T, by the keys of the position P.
template <class P, class T, Tie kTie>
class RowSearch {
 public:
  // Where the key stands in a row that has it: the first place, or the last.
  static int64_t PlaceOf(Key<T> key, const std::byte* HWY_RESTRICT x,
                         int64_t n) {
    if constexpr (std::is_floating_point_v<T>) {
      // A comparison of floats takes one operation, and 0 is -0.
      const T value = P::Value::Finish(key, n);
      if (value == value) {
        return FirstOrLast([value](T each) { return each == value; }, x, n);
      }
      return FirstOrLast([](T each) { return each != each; }, x, n);
    } else {
      return FirstOrLast([key](T each) { return P::KeyAt(each) == key; }, x, n);
    }
  }

 private:
  using Place = PlaceFor<T>;
  static constexpr int64_t kSize = sizeof(T);

  // Blocks of a fixed size are vectorised, as is what tells whether they have
  // it; most of a row is not looked at.
  template <class Is>
  static HWY_INLINE int64_t FirstOrLast(const Is& is,
                                        const std::byte* HWY_RESTRICT x,
                                        int64_t n) {
    constexpr int64_t kBlock = 256 / kSize;
    // To stop early in a short row costs more, by the branch that nobody
    // foresees.
    if (n <= 4 * kBlock) return PlaceIn(is, x, n);
    const int64_t rest = n % kBlock;
    if constexpr (kTie == Tie::kFirst) {
      for (int64_t i = 0; i + kBlock <= n; i += kBlock) {
        if (Has(is, x + i * kSize, kBlock)) {
          return i + PlaceIn(is, x + i * kSize, kBlock);
        }
      }
      return n - rest + PlaceIn(is, x + (n - rest) * kSize, rest);
    } else {
      if (rest > 0 && Has(is, x + (n - rest) * kSize, rest)) {
        return n - rest + PlaceIn(is, x + (n - rest) * kSize, rest);
      }
      int64_t i = n - rest - kBlock;
      while (!Has(is, x + i * kSize, kBlock)) i -= kBlock;
      return i + PlaceIn(is, x + i * kSize, kBlock);
    }
  }

  static HWY_INLINE T At(const std::byte* HWY_RESTRICT x, int64_t i) {
    T element;
    std::memcpy(&element, x + i * kSize, kSize);
    return element;
  }

  template <class Is>
  static HWY_INLINE bool Has(const Is& is, const std::byte* HWY_RESTRICT x,
                             int64_t n) {
    Key<T> found = 0;
    for (int64_t i = 0; i < n; ++i) {
      found |= is(At(x, i)) ? Key<T>{1} : Key<T>{0};
    }
    return found != 0;
  }

  // The place in a block that has it.
  template <class Is>
  static HWY_INLINE int64_t PlaceIn(const Is& is,
                                    const std::byte* HWY_RESTRICT x,
                                    int64_t n) {
    constexpr bool kForward = kTie == Tie::kFirst;
    Place best = kForward ? static_cast<Place>(n) : Place{-1};
    for (int64_t i = 0; i < n; ++i) {
      const auto place = static_cast<Place>(i);
      const Place here = is(At(x, i)) ? place
                         : kForward   ? static_cast<Place>(n)
                                      : Place{-1};
      best = kForward ? std::min(best, here) : std::max(best, here);
    }
    return best;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_ROW_SEARCH_INL_H_
