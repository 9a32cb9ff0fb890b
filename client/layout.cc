#include "client/layout.h"

#include <algorithm>
#include <vector>

namespace reductor {

void ReverseEachElement(int64_t element_size, std::string& data) {
  for (auto element = data.begin(); element != data.end();
       element += element_size) {
    std::reverse(element, element + element_size);
  }
}

std::string RowMajorFromFortran(absl::Span<const int64_t> shape,
                                int64_t element_size,
                                const std::string& fortran) {
  std::vector<int64_t> strides(shape.size());
  int64_t stride = element_size;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  std::string row_major;
  row_major.reserve(fortran.size());
  std::vector<int64_t> index(shape.size());
  int64_t offset = 0;
  while (row_major.size() < fortran.size()) {
    row_major.append(fortran, offset, element_size);
    for (size_t axis = shape.size(); axis-- > 0;) {
      offset += strides[axis];
      if (++index[axis] < shape[axis]) break;
      offset -= strides[axis] * index[axis];
      index[axis] = 0;
    }
  }
  return row_major;
}

}  // namespace reductor
