// Random tensors: every rank to 6, extents of 0 and 1 among them, and values of
// several kinds, those at the edges of the type among them.
#ifndef REDUCTOR_CLIENT_CHECK_RANDOM_TENSOR_H_
#define REDUCTOR_CLIENT_CHECK_RANDOM_TENSOR_H_

#include "client/check/random.h"
#include "client/tensor.h"

namespace reductor::check {

// At most 4,096 elements, one time in a hundred some 500,000. The extents that
// are not 0 multiply to no more, so that no result is larger either.
Tensor RandomTensor(DType dtype, Random& random);

}  // namespace reductor::check

#endif  // REDUCTOR_CLIENT_CHECK_RANDOM_TENSOR_H_
