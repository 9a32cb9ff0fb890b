// Which lanes serve a monoid: of columns, and of the elements of a row.
// Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_LANES_OF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_LANES_OF_INL_H_
#undef REDUCTOR_CORE_KERNELS_LANES_OF_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_LANES_OF_INL_H_
#endif

#include <cstdint>
#include <type_traits>

#include "core/kernels/limb_lanes-inl.h"
#include "core/kernels/neighbour_lanes-inl.h"
#include "core/kernels/plain_lanes-inl.h"
#include "core/kernels/prefetch-inl.h"
#include "core/kernels/vector_lanes-inl.h"
#include "core/kernels/widening-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// kWidth states, by vectors that are named where the monoid has them.
template <Monoid M, int64_t kWidth>
using GroupOf = std::conditional_t<
    HasNamedVectors<M>(), VectorLanes<M, kWidth>,
    std::conditional_t<LimbsOf<M>::kAreThere, LimbLanes<M, kWidth>,
                       PlainLanes<M, kWidth>>>;

// Whether the lanes of a row that takes kWidth elements at a time add up
// neighbours.
template <Monoid M, int64_t kWidth>
inline constexpr bool kTakesNeighbours = TakesNeighbours<M>() && kWidth >= 8 &&
                                         kWidth * sizeof(typename M::Input) >=
                                             16;
// What rows are folded by, kWidth elements at a time.
template <Monoid M, int64_t kWidth>
using RowGroupOf =
    std::conditional_t<kTakesNeighbours<M, kWidth>, NeighbourLanes<M, kWidth>,
                       GroupOf<M, kWidth>>;

// The elements that a row's group takes: those that fill an AVX-512 register of
// elements, or of each of the state's members.
template <Monoid M>
inline constexpr int64_t kRowGroupLanes =
    TakesNeighbours<M>() ? 64 / static_cast<int64_t>(sizeof(typename M::Input))
                         : kGroupLanes<M>;

// The cache to which loops over rows of M prefetch.
template <Monoid M>
inline constexpr Cache kRowCacheFor = TakesNeighbours<M>() ? Cache::kL1
                                                           : kCacheFor<M>;

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_LANES_OF_INL_H_
