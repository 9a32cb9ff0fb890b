// Some columns of a slab, walked down side by side: the chains that their rows
// make, and their results, which states become without leaving the registers
// where vectors make them. Compiled once per instruction set.
//
// In cache, GB/s with a state for each column in memory, then by this:
//   sums of 17 x 85 int32, Zen 3              40  64
//   the smallest of 17 x 85 int64, Zen 3      27  44
//   L1 of 2 x 24,719 float64, Intel           38  59
//   means of 5 x 40 float32, Intel            18  27
#if defined(REDUCTOR_CORE_KERNELS_REDUCED_COLUMNS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_REDUCED_COLUMNS_INL_H_
#undef REDUCTOR_CORE_KERNELS_REDUCED_COLUMNS_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_REDUCED_COLUMNS_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/kernels.h"
#include "core/kernels/column_fold-inl.h"
#include "core/kernels/lanes_of-inl.h"
#include "core/kernels/monoid_traits.h"
#include "core/kernels/partial_of-inl.h"
#include "core/kernels/prefetch-inl.h"
#include "core/kernels/put_results-inl.h"
#include "core/kernels/results-inl.h"
#include "core/kernels/slab.h"
#include "core/kernels/special_lanes-inl.h"
#include "core/kernels/vector_lanes-inl.h"
#include "core/order.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// What lanes fold first: the trial of a reducer that has one.
template <Reducer R>
struct FoldedFirst {
  using type = R;
};
template <HasTrial R>
struct FoldedFirst<R> {
  using type = typename R::Trial;
};

template <Reducer R>
class ReducedColumns {
 public:
  using M = typename FoldedFirst<R>::type::Fold;
  using Partial = typename PartialOf<M>::type;
  using Output = typename R::Output;
  static constexpr int64_t kSize = sizeof(typename M::Input);
  using Slab = SlabOf<kSize>;

  // Puts the results of columns [c, c + kWidth) into out[c] and after it; calls
  // prefetch_row(r) before row r.
  template <int64_t kWidth, class PrefetchRow>
  static HWY_INLINE void Reduce(const Slab& slab, int64_t c,
                                const PrefetchRow& prefetch_row,
                                const ResultOf<R>& result_of,
                                Output* HWY_RESTRICT out) {
    auto group = ByChains<GroupOf<Partial, kWidth>, /*kFillRegisters=*/false>(
        slab, c, prefetch_row);
    if constexpr (HasVectorResults<R>()) {
      result_of.Store(group, out + c);
    } else if constexpr (HasTrial<R>) {
      auto&& lanes = group.ToLanes();
      if (!FinishTrials<R>(lanes.data(), kWidth, result_of, out + c)) {
        ReduceOnceMore<kWidth>(slab, c, out + c);
      }
    } else {
      auto&& lanes = group.ToLanes();
      PutResults(kWidth, out + c,
                 [&](int64_t l) { return result_of.OfPartial(lanes.Get(l)); });
    }
  }

  // The same of columns whose states are float64 and become float32.
  template <int64_t kWidth>
  static HWY_INLINE void ReduceToFloat32(const Slab& slab, int64_t c,
                                         const ResultOf<R>& result_of,
                                         Output* HWY_RESTRICT out) {
    if constexpr (kHasSpecialLanes<M>) {
      double states[kWidth];
      const auto walk = [&](auto& lanes) {
        lanes = ByChains<SpecialLanes<M, kWidth>, /*kFillRegisters=*/true>(
            slab, c, PrefetchNothing());
      };
      if (FoldSpecial<M, kWidth>(slab.rows, states, walk)) {
        return result_of.Store(VectorLanes<M, kWidth>(states), out + c);
      }
    }
    result_of.Store(ByChains<VectorLanes<M, kWidth>, /*kFillRegisters=*/true>(
                        slab, c, PrefetchNothing()),
                    out + c);
  }

 private:
  // The rows that make a chain, where there are more of them: as many as a
  // cascade's where states round, for the same bits as by fold_slabs(); and
  // where an element keeps the next one waiting, which another chain does not
  // (products of 100 x 20 int32, in cache, AVX-512: 18 GB/s by one chain, 42
  // so).
  static constexpr int64_t kChain =
      kIsExact<M> && !HasLongLatency<Partial>() ? kEndless : kChainRows;

  // The lanes of columns from c on: what chains of rows make, joined one after
  // the other; prefetch_row(r) comes before row r. Those that fill all
  // registers take longer by two rows at a time where there are few (sums of 12
  // rows of 9,000 float32, in cache, AVX2: 53 GB/s by two, 58 by one). Others
  // gain by two (the smallest of 134 x 341 int64: 38 by one, 50 by two). They
  // begin with the first row where that changes no result (products of slabs of
  // 4 x 6,110 float32, in cache, Zen 4, AVX2: 55 GB/s by the identity, 61 so;
  // L1 and sums of squares gain 3 %): of means too, which tell no -0 from 0
  // (ResultOf::Store).
  template <class Group, bool kFillRegisters, class PrefetchRow>
  static HWY_INLINE Group ByChains(const Slab& slab, int64_t c,
                                   const PrefetchRow& prefetch_row) {
    constexpr bool kBeginsWithFirst =
        kFillRegisters && (IsMean<R> || HasNeutralIdentity<M>()) &&
        std::is_constructible_v<Group, const std::byte*, int64_t>;
    const auto chain_of = [&](int64_t r, int64_t end) {
      Group chain;
      if constexpr (kBeginsWithFirst) {
        prefetch_row(r);
        chain = Group(slab.x, r * slab.stride + c);
        ++r;
      }
      const auto append = [&](int64_t row) {
        prefetch_row(row);
        chain.Append(slab.x, row * slab.stride + c);
      };
      // NOLINTNEXTLINE(bugprone-branch-clone): unrolled otherwise.
      if constexpr (kFillRegisters) {
#pragma GCC unroll 1
        for (; r < end; ++r) append(r);
      } else {
#pragma GCC unroll 2
        for (; r < end; ++r) append(r);
      }
      return chain;
    };
    const int64_t rows = slab.rows;
    Group all = chain_of(0, std::min(rows, kChain));
    if constexpr (kChain == kChainRows) {
      for (int64_t r = kChain; r < rows; r += kChain) {
        all.Combine(chain_of(r, std::min(rows, r + kChain)));
      }
    }
    return all;
  }

  // Columns from c on of which the trial's states do not all suffice. Their
  // chains join as those of fold_slabs() or of a cascade, whichever has states
  // of such slabs.
  template <int64_t kWidth>
  static HWY_NOINLINE void ReduceOnceMore(const Slab& slab, int64_t c,
                                          Output* HWY_RESTRICT out) {
    using Fold = typename R::Fold;
    const bool is_small =
        slab.stride == slab.cols && IsSmallSlab(slab.rows, slab.cols);
    typename R::State states[kWidth];
    for (int64_t r = 0; r < slab.rows; r += kChainRows) {
      typename R::State chain[kWidth];
      ColumnFolder<Fold>::Fold(slab.x + (r * slab.stride + c) * kSize,
                               std::min(slab.rows - r, kChainRows), slab.stride,
                               kWidth, chain, Into::kNew, Source::kSharedCache);
      for (int64_t l = 0; l < kWidth; ++l) {
        states[l] = r == 0     ? chain[l]
                    : is_small ? Fold::Combine(states[l], chain[l])
                               : R::CombineTotals(states[l], chain[l]);
      }
    }
    for (int64_t l = 0; l < kWidth; ++l) {
      out[l] = R::Finish(states[l], slab.rows);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_REDUCED_COLUMNS_INL_H_
