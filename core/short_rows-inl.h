// Rows of 2, 4 and 8 elements, and four lanes of a longer one, of which vectors
// of several rows are joined by shuffles: those of 64 bits by halves, as
// row_tile-inl.h says, those of 32, of which none is rounded, in any order.
// Compiled once per instruction set.
//
// Elements below AVX-512 only, of which it was not measured: g++ makes more
// shuffles of an expression over the rows (in cache, Zen 3, AVX2, GB/s by
// expressions and so: sums of rows of 2, 4 and 8 float32 13, 10 and 9, 19, 29
// and 32; of 8 int32 and float64 13 and 20, 56 and 48; the largest of 4 and 8
// float32 11 and 12, 20 and 45).
#if defined(REDUCTOR_CORE_SHORT_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_SHORT_ROWS_INL_H_
#undef REDUCTOR_CORE_SHORT_ROWS_INL_H_
#else
#define REDUCTOR_CORE_SHORT_ROWS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/join_rows-inl.h"
#include "core/join_vectors-inl.h"
#include "core/reducers.h"
#include "core/vector_lanes-inl.h"
#include "core/widening-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <Monoid M>
class ShortRows {
  using T = typename M::Input;
  using State = typename M::State;
  using D = hn::CappedTag<State, 32 / sizeof(State)>;

  static constexpr bool kIsBelowAvx512 = HWY_TARGET > HWY_AVX3;

  // Whether M adds or multiplies integers as they are. No vector multiplies 64
  // bits.
  static constexpr bool IsOfIntegers() {
    if constexpr (IntegerElement<T> && std::is_same_v<T, State>) {
      return std::is_same_v<M, ReduceSum<T>> ||
             (Multiplies<M>() && sizeof(T) == 4);
    } else {
      return false;
    }
  }

 public:
  // Whether lanes are joined so: of float64, and of 32 bits, where nothing is
  // rounded, by any instruction set (join_rows-inl.h).
  static constexpr bool kJoinsLanes =
      (std::is_same_v<State, double> && kIsBelowAvx512) ||
      (std::is_integral_v<State> && sizeof(State) == 4 && kIsExact<M> &&
       !Saturates<M>());

  // Whether elements are: those that vectors load as states.
  static constexpr bool kJoinsElements =
      (sizeof(State) == 4 || sizeof(State) == 8) && kIsBelowAvx512 &&
      !Saturates<M>() && (HasVectors<M>() || IsExtreme<M>() || IsOfIntegers());

  // How many rows of kN are joined at once.
  template <int64_t kN>
  static constexpr int64_t kRows = kN == 2 || sizeof(State) == 8
                                       ? hn::MaxLanes(D())
                                       : 4;

  // Makes states [0, kRows<kN>) those of rows of kN elements, or of as many
  // lanes: at(i) gives a vector from the i'th on, of any width up to 32 bytes.
  template <int64_t kN, class At>
  static HWY_INLINE void Join(const At& at, State* HWY_RESTRICT states) {
    const auto join = [](auto a, auto b) { return JoinVectors<M>(a, b); };
    const D d;
    if constexpr (kN == 2) {
      hn::StoreU(JoinTwos(d, at(d, 0), at(d, hn::MaxLanes(d)), join), d,
                 states);
    } else if constexpr (sizeof(State) == 8) {
      auto joined = JoinFours(
          d, [&](int64_t r, int64_t l) { return at(d, r * kN + l); }, join);
      if constexpr (kN == 8) {
        joined = join(
            joined,
            JoinFours(
                d, [&](int64_t r, int64_t l) { return at(d, r * kN + 4 + l); },
                join));
      }
      hn::StoreU(joined, d, states);
    } else {
      static_assert(kIsExact<M>);
      const hn::CappedTag<State, kN> row_d;
      hn::Vec<decltype(row_d)> rows[4];
      for (int64_t r = 0; r < 4; ++r) {
        rows[r] = at(row_d, r * kN);
        if constexpr (hn::MaxLanes(row_d) < kN) {
          rows[r] = join(rows[r], at(row_d, r * kN + hn::MaxLanes(row_d)));
        }
      }
      hn::StoreU(JoinRows(row_d, rows, join), hn::Full128<State>(), states);
    }
  }

  // What at is of elements from x on,
  static HWY_INLINE auto Elements(const std::byte* HWY_RESTRICT x) {
    return [x](auto d, int64_t i) {
      return VectorLanes<M, hn::MaxLanes(d)>(x, i).vector();
    };
  }
  // and of lanes.
  static HWY_INLINE auto LanesFrom(const State* HWY_RESTRICT lanes) {
    return [lanes](auto d, int64_t i) { return hn::LoadU(d, lanes + i); };
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_SHORT_ROWS_INL_H_
