// The last lanes of some vectors. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_LANE_TAIL_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_LANE_TAIL_INL_H_
#undef REDUCTOR_CORE_KERNELS_LANE_TAIL_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_LANE_TAIL_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The lanes of kVectors vectors from `first` on, as masks of the others, which
// are made once for many rows.
template <class D, int64_t kVectors>
class LaneTail {
 public:
  explicit HWY_INLINE LaneTail(int64_t first) {
    using Number = hn::TFromD<hn::RebindToSigned<D>>;
    const hn::RebindToSigned<D> d;
    const auto begin = hn::Set(d, static_cast<Number>(first));
    for (int64_t v = 0; v < kVectors; ++v) {
      const auto lane = hn::Iota(d, static_cast<Number>(v * hn::MaxLanes(D())));
      before_[v] = hn::BitCast(D(), hn::VecFromMask(d, hn::Gt(begin, lane)));
    }
  }

  // Of vector v.
  HWY_INLINE auto before(int64_t v) const {
    return hn::MaskFromVec(bits_before(v));
  }
  HWY_INLINE hn::Vec<D> bits_before(int64_t v) const { return before_[v]; }

 private:
  hn::Vec<D> before_[kVectors];
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_LANE_TAIL_INL_H_
