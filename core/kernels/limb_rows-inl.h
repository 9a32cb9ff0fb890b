// Rows of few integers of 64 bits whose states have several members: as many of
// them as a vector has lanes are transposed, so that each row has a lane, and
// none of its own is joined. Compiled once per instruction set.
//
// L2 of int64, in cache, Intel, GB/s by lanes of each row, or one expression
// for rows of two, and so, by AVX-512 and by AVX2:
//   rows of 2     4.4   6.0   2.3  4.0
//   rows of 5     4.9   8.7   3.2  6.1
//   rows of 17    9.3  13.8   5.9  9.1
#if defined(REDUCTOR_CORE_KERNELS_LIMB_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_LIMB_ROWS_INL_H_
#undef REDUCTOR_CORE_KERNELS_LIMB_ROWS_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_LIMB_ROWS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/kernels/elements-inl.h"
#include "core/kernels/isa-inl.h"
#include "core/kernels/limb_lanes-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// REQUIRES: LimbsOf<M>::kAreThere.
template <Monoid M>
class LimbRows {
  using T = typename M::Input;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;

 public:
  static constexpr int64_t kRows = hn::MaxLanes(D());

  // Whether `rows` rows of `n` elements are folded faster so. Longer ones are
  // not, as to transpose all elements takes longer than to join a row's lanes;
  // nor by AVX-512 those whose sums an expression shuffles (means of rows of 2,
  // 4 and 8 int64: 15, 24 and 30 GB/s by it, 15, 22 and 25 so).
  static bool AreFast(int64_t n, int64_t rows) {
    const bool have_expression =
        kAdds && kHasAvx512 && (n == 2 || n == 4 || n == 8);
    return 2 <= n && n <= kMost && !have_expression && rows >= kRows;
  }

  // The states of kRows rows of `n` elements, one after the other.
  // REQUIRES: 2 <= n.
  static HWY_INLINE LimbLanes<M, kRows> Fold(const std::byte* HWY_RESTRICT x,
                                             int64_t n) {
    const auto* HWY_RESTRICT rows = reinterpret_cast<const T*>(x);
    const D d;
    LimbLanes<M, kRows> lanes;
    const auto take = [&lanes](auto... columns) {
      (lanes.Append(0, columns), ...);
    };
    V c0;
    V c1;
    V c2;
    V c3;
    if (n == 2) {
      hn::LoadInterleaved2(d, rows, c0, c1);
      take(c0, c1);
    } else if (n == 3) {
      hn::LoadInterleaved3(d, rows, c0, c1, c2);
      take(c0, c1, c2);
    } else if (n == 4) {
      hn::LoadInterleaved4(d, rows, c0, c1, c2, c3);
      take(c0, c1, c2, c3);
    } else {
      // Elements i and i + 1 of rows 0, 2, ... and of rows 1, 3, ...
      const auto pairs_at = [x, n](int64_t i) {
        return std::pair(PairsAt(D(), x, i, 2 * n),
                         PairsAt(D(), x, n + i, 2 * n));
      };
      for (int64_t i = 0; i + 2 <= n; i += 2) {
        const auto [even, odd] = pairs_at(i);
        take(hn::InterleaveLower(d, even, odd),
             hn::InterleaveUpper(d, even, odd));
      }
      if (n % 2 != 0) {
        const auto [even, odd] = pairs_at(n - 2);
        take(hn::InterleaveUpper(d, even, odd));
      }
    }
    return lanes;
  }

 private:
  static constexpr bool kAdds = std::is_same_v<M, PartialSum<T>>;
  // GB/s by lanes of each row, then by this:
  //   L2 of rows of 33             13  15
  //   L2 of rows of 48             18  16
  //   means of rows of 9           20  25
  //   means of rows of 13          29  28
  //   means of rows of 17, AVX2    21  23
  //   means of rows of 24, AVX2    31  25
  static constexpr int64_t kMost = !kAdds ? 40 : kHasAvx512 ? 12 : 20;

  // In block b of 128 bits the two elements from i + b * apart on.
  template <class DOfSome>
  static HWY_INLINE hn::Vec<DOfSome> PairsAt(DOfSome d,
                                             const std::byte* HWY_RESTRICT x,
                                             int64_t i, int64_t apart) {
    constexpr int64_t kBlocks = hn::MaxLanes(d) / 2;
    if constexpr (kBlocks == 1) {
      return LoadElements(d, x, i);
    } else {
      const hn::Half<DOfSome> half;
      return hn::Combine(d, PairsAt(half, x, i + kBlocks / 2 * apart, apart),
                         PairsAt(half, x, i, apart));
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_LIMB_ROWS_INL_H_
