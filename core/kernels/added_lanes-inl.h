// Sums of float32 whose elements are added as they are widened. Compiled once
// per instruction set.
//
// VectorLanes adds by fused multiply-adds, which leaves AMD's adders to the
// conversions; Intel's CPUs convert where they multiply, and since Golden Cove
// have others to add. By AVX2 alone: to widen eight elements to one vector
// takes two operations, four take one, and one of the adders is closed while
// vectors of 512 bits are about. In cache, GB/s by fused multiply-adds of
// AVX-512, of AVX2, then by this:
//   all               52  42  59
//   rows of 1,000     51  43  57
//   16 columns        49  39  53
#if defined(REDUCTOR_CORE_KERNELS_ADDED_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_ADDED_LANES_INL_H_
#undef REDUCTOR_CORE_KERNELS_ADDED_LANES_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_ADDED_LANES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "core/kernels/prefetch-inl.h"
#include "core/kernels/vector_lanes-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// The kWidth states of ReduceSum<float>: VectorLanes, but for how they append.
template <int64_t kWidth>
class AddedLanes : public VectorLanes<ReduceSum<float>, kWidth> {
  using Base = VectorLanes<ReduceSum<float>, kWidth>;

 public:
  static constexpr int64_t kFewestRows = 1;
  // Where a row's lines are brought to (all of 512 KiB, as a loop alone: 55
  // GB/s by the L2 cache, 58 unprefetched, 66 so). It costs nothing that shows
  // where they come from memory, which additions do not fall behind (14.4 and
  // 14.1).
  static constexpr Cache kCache = Cache::kL1;

  // Constructors of their own: inherited ones are made without the attributes
  // of the instruction set, and are not inlined.
  HWY_INLINE AddedLanes() = default;
  HWY_INLINE AddedLanes(const std::byte* HWY_RESTRICT x, int64_t i)
      : Base(x, i) {}

  // Lane l takes element i + l.
  HWY_INLINE void Append(const std::byte* HWY_RESTRICT x, int64_t i) {
    constexpr int64_t kLanes = Base::kVectorLanes;
    for (int64_t v = 0; v < Base::kVectors; ++v) {
      const VectorLanes<ReduceSum<float>, kLanes> added(x, i + v * kLanes);
      this->Combine(v, added.vector(0));
    }
  }

  // Writes the states to `to`, which are always right.
  [[nodiscard]] HWY_INLINE bool StoreStates(double* HWY_RESTRICT to) const {
    Base::Store(to);
    return true;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_ADDED_LANES_INL_H_
