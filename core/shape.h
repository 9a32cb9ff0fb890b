// Extents as numbers and as text.
#ifndef REDUCTOR_CORE_SHAPE_H_
#define REDUCTOR_CORE_SHAPE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace reductor {

// The product of extents, each at least 0; nullopt where it, times
// `element_size`, does not fit int64. Any zero makes it 0 whatever the others.
// REQUIRES: 1 <= element_size.
std::optional<int64_t> CountElements(const std::vector<int64_t>& extents,
                                     int64_t element_size);

// "[2, 3]". Above rank 8 abridged: "[1, 2, 3, 4, 5, 6, 7, ..., 64] of rank 64",
// because an error must fit the headers of an answer.
std::string ShapeText(const std::vector<int64_t>& shape);

}  // namespace reductor

#endif  // REDUCTOR_CORE_SHAPE_H_
