// The tables of kernels, an entry per type, that the kernels/*.cc of groups
// make: one for each operator, in order, and then two more for positions of
// which the last of equal values is taken.
#ifndef REDUCTOR_CORE_KERNELS_TABLES_H_
#define REDUCTOR_CORE_KERNELS_TABLES_H_

#include <cstddef>
#include <iterator>

#include "core/kernels.h"
#include "core/operators.h"

namespace reductor {

#define REDUCTOR_KERNEL_TABLES(X) \
  REDUCTOR_OPERATORS(X)           \
  X(ArgMaxLast)                   \
  X(ArgMinLast)

using KernelTable = const Kernel* (*)();

// By the best instruction set in use, and by AVX2.
#define X(name)                  \
  const Kernel* name##Kernels(); \
  const Kernel* name##Avx2Kernels();
REDUCTOR_KERNEL_TABLES(X)
#undef X

// The place of an operator's among them. REQUIRES: IsKnown(op).
constexpr size_t IndexOfTable(Operator op, bool select_last_index) {
  if (!select_last_index || !IsPosition(op)) return IndexOf(op);
  return std::size(kOperators) + (op == Operator::kArgMax ? 0 : 1);
}

}  // namespace reductor

#endif  // REDUCTOR_CORE_KERNELS_TABLES_H_
