// The kernels of some reducers for the instruction set this is compiled for,
// for loops that are made of theirs: ArgMax searches what ReduceMax has found.
// To call them costs nothing that shows in a tile of rows; to compile the same
// loops a second time took a quarter of a build. Declared once per instruction
// set; defined as tables-inl.h says.
#if defined(REDUCTOR_CORE_KERNELS_KERNELS_HERE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_KERNELS_HERE_INL_H_
#undef REDUCTOR_CORE_KERNELS_KERNELS_HERE_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_KERNELS_HERE_INL_H_
#endif

#include "core/dtype.h"
#include "core/kernels.h"
#include "core/reducers/extremes.h"
#include "core/reducers/sums.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

template <template <class> class R>
const Kernel* KernelsHere();
#define X(reducer)                              \
  const Kernel* reducer##Here();                \
  template <>                                   \
  inline const Kernel* KernelsHere<reducer>() { \
    return reducer##Here();                     \
  }
X(ReduceMax)
X(ReduceMin)
X(ReduceSum)
#undef X

// The kernel of R<T>.
template <template <class> class R, class T>
const Kernel& KernelHere() {
  return KernelsHere<R>()[IndexOf(kDTypeOf<T>)];
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_KERNELS_HERE_INL_H_
