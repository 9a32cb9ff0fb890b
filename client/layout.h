// Brings the elements of other layouts into the wire's: row-major and
// little-endian.
#ifndef REDUCTOR_CLIENT_LAYOUT_H_
#define REDUCTOR_CLIENT_LAYOUT_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"

namespace reductor {

// Reverses the bytes of each element. REQUIRES: `data` holds whole elements.
void ReverseEachElement(int64_t element_size, std::string& data);

// The same elements with the last axis the fastest, instead of the first.
// REQUIRES: `fortran` holds what the shape and the size say.
std::string RowMajorFromFortran(absl::Span<const int64_t> shape,
                                int64_t element_size,
                                const std::string& fortran);

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_LAYOUT_H_
