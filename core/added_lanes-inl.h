// Sums of float32 whose elements are added as they are widened. Compiled once
// per instruction set.
//
// VectorLanes adds by fused multiply-adds, which leaves AMD's adders to the
// conversions; Intel's CPUs convert where they multiply, and have others to
// add. By AVX2 alone: to widen eight elements at once takes two operations
// where four take one, and what adds beside that is closed while wider vectors
// are about (sums of all, of rows of 1,000 and of 16 columns, in cache, GB/s by
// fused multiply-adds of AVX-512, of AVX2 and so: 52, 51 and 49, 42, 43 and 39,
// 59, 57 and 53).
#if defined(REDUCTOR_CORE_ADDED_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_ADDED_LANES_INL_H_
#undef REDUCTOR_CORE_ADDED_LANES_INL_H_
#else
#define REDUCTOR_CORE_ADDED_LANES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "core/prefetch-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The kWidth states of ReduceSum<float>.
template <int64_t kWidth>
class AddedLanes {
 public:
  static constexpr int64_t kFewestRows = 1;
  // Where a row's lines are brought to (all of 512 KiB, as a loop alone: 55
  // GB/s by the L2 cache, 58 unasked, 66 so). It costs nothing that shows where
  // they come from memory, which additions do not fall behind (14.4 and 14.1).
  static constexpr Cache kCache = Cache::kL1;

  // Those of nothing.
  HWY_INLINE AddedLanes() {
    for (V& vector : vectors_) vector = hn::Zero(D());
  }

  // Those of elements [i, i + kWidth).
  HWY_INLINE AddedLanes(const std::byte* HWY_RESTRICT x, int64_t i) {
    for (int64_t v = 0; v < kVectors; ++v) vectors_[v] = StatesAt(x, i, v);
  }

  // Lane l takes element i + l.
  HWY_INLINE void Append(const std::byte* HWY_RESTRICT x, int64_t i) {
    for (int64_t v = 0; v < kVectors; ++v) {
      vectors_[v] = hn::Add(vectors_[v], StatesAt(x, i, v));
    }
  }

  // Each lane is joined with the other's.
  HWY_INLINE void Combine(const AddedLanes& other) {
    for (int64_t v = 0; v < kVectors; ++v) {
      vectors_[v] = hn::Add(vectors_[v], other.vectors_[v]);
    }
  }

  // Writes the states to `to`, which are always right.
  [[nodiscard]] HWY_INLINE bool StoreStates(double* HWY_RESTRICT to) const {
    for (int64_t v = 0; v < kVectors; ++v) {
      hn::StoreU(vectors_[v], D(), to + v * kVectorLanes);
    }
    return true;
  }

 private:
  using D = hn::CappedTag<double, kWidth>;
  using V = hn::Vec<D>;
  static constexpr int64_t kVectorLanes = hn::MaxLanes(D());
  static constexpr int64_t kVectors = kWidth / kVectorLanes;

  static HWY_INLINE V StatesAt(const std::byte* HWY_RESTRICT x, int64_t i,
                               int64_t v) {
    const auto* HWY_RESTRICT elements = reinterpret_cast<const float*>(x);
    return hn::PromoteTo(D(), hn::LoadU(hn::Rebind<float, D>(),
                                        elements + i + v * kVectorLanes));
  }

  V vectors_[kVectors];
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_ADDED_LANES_INL_H_
