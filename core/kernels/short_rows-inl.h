// Rows of 2, 4 and 8 states of 32 or 64 bits: elements, or the lanes of longer
// rows. Vectors of several rows are joined by shuffles, those of 64 bits as a
// tree (order.h), those of 32, of which none is rounded, in any order. Compiled
// once per instruction set.
//
// g++ makes more shuffles of an expression over the rows. In cache, GB/s by
// expressions and so, Zen 3 by AVX2 and Zen 4 by AVX-512:
//   sums of rows of 2 float32          13  19   25  31
//   sums of rows of 4 float32          10  29   25  34
//   sums of rows of 8 float32           9  32   24  38
//   sums of rows of 8 int32            13  56   66  82
//   sums of rows of 8 float64          20  48   54  86
//   the largest of rows of 4 float32   11  20   33  33
//   the largest of rows of 8 float32   12  45   32  56
#if defined(REDUCTOR_CORE_KERNELS_SHORT_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_SHORT_ROWS_INL_H_
#undef REDUCTOR_CORE_KERNELS_SHORT_ROWS_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_SHORT_ROWS_INL_H_
#endif

#include <cstdint>
#include <type_traits>

#include "core/cpu.h"
#include "core/kernels/combine_vectors-inl.h"
#include "core/kernels/isa-inl.h"
#include "core/kernels/join_rows-inl.h"
#include "core/kernels/monoid_traits.h"
#include "core/kernels/widening-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <Monoid M>
class ShortRows {
  using State = typename M::State;
  static constexpr int64_t kMostBytes = 32;
  using D = hn::CappedTag<State, kMostBytes / sizeof(State)>;

 public:
  // Whether it takes less time than expressions do: of float64 by AVX-512 it is
  // known of Zen 4 only, whose vectors of 512 bits are shuffled as two.
  static bool AreFast() {
    return !kHasAvx512 || kIsExact<M> || kCpuKind == CpuKind::kZen4;
  }

  // Whether lanes may be joined so: of float64, and of integers that vectors
  // join and nothing rounds.
  static constexpr bool kJoinsLanes =
      kHasExtraLoops &&
      (std::is_same_v<State, double> ||
       (std::is_integral_v<State> && kIsExact<M> && !Saturates<M>() &&
        (sizeof(State) == 4 || (sizeof(State) == 8 && !Multiplies<M>()))));

  // Whether kN elements may be: those that vectors load as states. By AVX-512
  // expressions are as fast where they are short and not widened (sums of rows
  // of 2 and 4 int32, in cache, Zen 4: 61 and 71 GB/s, by shuffles 58 and 59).
  template <int64_t kN>
  static constexpr bool kJoinsElements =
      kHasExtraLoops && (sizeof(State) == 4 || sizeof(State) == 8) &&
      !Saturates<M>() && FitsVectors<M>() &&
      (!kHasAvx512 || VectorsWiden<M>() || kN * sizeof(State) >= kMostBytes);

  // How many rows of kN are joined at once.
  template <int64_t kN>
  static constexpr int64_t kRows = kN == 2 || sizeof(State) == 8
                                       ? hn::MaxLanes(D())
                                       : 4;

  // Makes states [0, kRows<kN>) those of rows of kN elements, or of as many
  // lanes: at(d, i) gives a vector of tag d from the i'th on, of up to 32
  // bytes.
  template <int64_t kN, class At>
  static HWY_INLINE void Join(const At& at, State* HWY_RESTRICT states) {
    static_assert(kN == 2 || kN == 4 || kN == 8);
    const auto join = [](auto a, auto b) { return CombineVectors<M>(a, b); };
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
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_SHORT_ROWS_INL_H_
