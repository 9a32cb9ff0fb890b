// A few rows of a slab, folded side by side into a state per column. Compiled
// once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_SLAB_CHAIN_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_SLAB_CHAIN_INL_H_
#undef REDUCTOR_CORE_KERNELS_SLAB_CHAIN_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_SLAB_CHAIN_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "core/kernels.h"
#include "core/kernels/isa-inl.h"
#include "core/kernels/lanes.h"
#include "core/kernels/lanes_of-inl.h"
#include "core/kernels/limb_lanes-inl.h"
#include "core/kernels/monoid_traits.h"
#include "core/kernels/plain_lanes-inl.h"
#include "core/kernels/widening-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// How lanes take elements from i of x on, each the k'th of its column. Leaders
// note that as their place (leaders-inl.h).
template <Monoid M>
struct ElementsOf {
  static constexpr bool kHavePlaces = false;

  template <Into kInto, int64_t kCount, class L>
  static HWY_INLINE void Take(L& lanes, const std::byte* HWY_RESTRICT x,
                              int64_t i, int64_t /*k*/) {
    HWY_NAMESPACE::Take<M, kInto, kCount>(lanes, x, i);
  }
};

// Groups of lanes that take a row each in turn, so that none waits for the row
// before: where the order of rows does not count.
template <class Group, int64_t kCount>
class SlabChains {
 public:
  // They have the first kCount rows, `stride` elements apart, from element i of
  // x on,
  HWY_INLINE SlabChains(const std::byte* HWY_RESTRICT x, int64_t i,
                        int64_t stride)
      : first_(x, i, stride), others_(x, i + kHalf * stride, stride) {}

  // and take as many more.
  HWY_INLINE void Append(const std::byte* HWY_RESTRICT x, int64_t i,
                         int64_t stride) {
    first_.Append(x, i, stride);
    others_.Append(x, i + kHalf * stride, stride);
  }

  // Joins them to one.
  HWY_INLINE Group& Join() {
    Group& all = first_.Join();
    all.Combine(others_.Join());
    return all;
  }

 private:
  static constexpr int64_t kHalf = kCount / 2;
  SlabChains<Group, kHalf> first_;
  SlabChains<Group, kCount - kHalf> others_;
};

template <class Group>
class SlabChains<Group, 1> {
 public:
  HWY_INLINE SlabChains(const std::byte* HWY_RESTRICT x, int64_t i,
                        int64_t /*stride*/)
      : group_(x, i) {}
  HWY_INLINE void Append(const std::byte* HWY_RESTRICT x, int64_t i,
                         int64_t /*stride*/) {
    group_.Append(x, i);
  }
  HWY_INLINE Group& Join() { return group_; }

 private:
  Group group_;
};

// How many chains fold a slab: one; or four where rows take long to be joined
// or squared and their order does not count; or by AVX-512, if a group is one
// register, eight. Of int32, in cache, AVX-512, GB/s by one, by four and by
// eight:
//   L2 of slabs of 70 x 16            16  46   -
//   SumSquare of 8 columns            50   -  69
//   products of slabs of 691 x 8       -  33  51
//   products of 8 columns              -  61 100
template <Monoid M, class Group>
constexpr int64_t ChainsOf() {
  constexpr bool kTakesLong =
      HasLongLatency<M>() || (kIsSumSquare<M> && kIsExact<M>);
  constexpr bool kIsOneRegister = kHasAvx512 && sizeof(Group) <= 64;
  return !kTakesLong ? 1 : kIsOneRegister ? 8 : 4;
}

// Folds rows of kWidth columns each, `stride` elements apart, from element i of
// x on, into states [at, at + kWidth) of `to`. Where `first_row` rows of the
// slab came before, these states hold them, and are joined.
template <Monoid M, int64_t kWidth, class L>
HWY_INLINE void FoldChain(const std::byte* HWY_RESTRICT x, int64_t i,
                          int64_t rows, int64_t stride, int64_t first_row,
                          L& to, int64_t at) {
  if constexpr (HasNamedVectors<M>() || LimbsOf<M>::kAreThere) {
    // What is added in limbs stays in registers as well (L2 of slabs of 172 x
    // 17 int64, in cache, Intel: 11 GB/s by lanes in memory, 14 so).
    using Group = GroupOf<M, kWidth>;
    const auto fold_others = [=, &to](Group& lanes, int64_t r) {
      for (; r < rows; ++r) lanes.Append(x, i + r * stride);
      if (first_row > 0) {
        lanes.CombineInto(to, at);
      } else {
        lanes.Store(to, at);
      }
    };
    constexpr int64_t kChains = ChainsOf<M, Group>();
    if constexpr (kChains > 1) {
      if (rows >= kChains) {
        SlabChains<Group, kChains> chains(x, i, stride);
        int64_t r = kChains;
        for (; r + kChains <= rows; r += kChains) {
          chains.Append(x, i + r * stride, stride);
        }
        return fold_others(chains.Join(), r);
      }
    }
    Group lanes(x, i);
    fold_others(lanes, 1);
  } else {
    using Elements = ElementsOf<M>;
    Lanes<typename M::State, kWidth> lanes;
    Elements::template Take<Into::kNew, kWidth>(lanes, x, i, first_row);
    for (int64_t r = 1; r < rows; ++r) {
      Elements::template Take<Into::kHeld, kWidth>(lanes, x, i + r * stride,
                                                   first_row + r);
    }
    if (first_row > 0) {
#pragma GCC unroll 1
      for (int64_t l = 0; l < kWidth; ++l) {
        lanes.Set(l, M::Combine(to.Get(at + l), lanes.Get(l)));
      }
    }
    CopyLanes<kWidth>(lanes, to, at);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_SLAB_CHAIN_INL_H_
