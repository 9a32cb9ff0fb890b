// Folds by a kernel's trial, and where that does not suffice once more by the
// kernel itself; reducers.h says why the bits are the same. Means of float64 in
// cache, AVX-512, GB/s by the kernel alone, then by this: rows of 76 36 and 50,
// slabs of 8 x 8 27 and 40, 3 columns 41 and 73.
#ifndef REDUCTOR_CORE_TRIAL_H_
#define REDUCTOR_CORE_TRIAL_H_

#include <cstddef>
#include <cstdint>

#include "core/kernels.h"

namespace reductor {

// Makes `n` states by fold(kernel, states). `scratch` has room for as many.
template <class Fold>
void FoldStates(const Kernel& kernel, int64_t n, std::byte* states,
                std::byte* scratch, const Fold& fold) {
  if (kernel.trial != nullptr) {
    fold(*kernel.trial, scratch);
    if (kernel.from_trial(scratch, n, states)) return;
  }
  fold(kernel, states);
}

// Writes the outputs of `n` states of `count` elements each, made where
// `states` are by fold(kernel, states).
template <class Fold>
void FoldOutputs(const Kernel& kernel, int64_t n, int64_t count,
                 std::byte* states, std::byte* out, const Fold& fold) {
  if (kernel.trial != nullptr) {
    fold(*kernel.trial, states);
    if (kernel.finish_trial(states, n, count, out)) return;
  }
  fold(kernel, states);
  kernel.finish(states, n, count, out);
}

}  // namespace reductor

#endif  // REDUCTOR_CORE_TRIAL_H_
