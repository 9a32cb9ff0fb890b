// The last lanes of some vectors. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_LANE_TAIL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_LANE_TAIL_INL_H_
#undef REDUCTOR_CORE_LANE_TAIL_INL_H_
#else
#define REDUCTOR_CORE_LANE_TAIL_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The lanes of kParts vectors from `first` on, as masks of the others, which
// are made once for many rows.
template <class D, int64_t kParts>
class LaneTail {
 public:
  explicit HWY_INLINE LaneTail(int64_t first) {
    using Number = hn::TFromD<hn::RebindToSigned<D>>;
    const hn::RebindToSigned<D> d;
    const auto begin = hn::Set(d, static_cast<Number>(first));
    for (int64_t p = 0; p < kParts; ++p) {
      const auto lane = hn::Iota(d, static_cast<Number>(p * hn::MaxLanes(D())));
      before_[p] = hn::BitCast(D(), hn::VecFromMask(d, hn::Gt(begin, lane)));
    }
  }

  // Of vector p.
  HWY_INLINE auto before(int64_t p) const {
    return hn::MaskFromVec(bits_before(p));
  }
  HWY_INLINE hn::Vec<D> bits_before(int64_t p) const { return before_[p]; }

 private:
  hn::Vec<D> before_[kParts];
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_LANE_TAIL_INL_H_
