#include "core/shape.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace reductor {

std::optional<int64_t> CountElements(const std::vector<int64_t>& extents,
                                     int64_t element_size) {
  const int64_t limit = std::numeric_limits<int64_t>::max() / element_size;
  int64_t count = 1;
  bool overflow = false;
  for (const int64_t extent : extents) {
    if (extent == 0) return 0;
    if (overflow || count > limit / extent) {
      overflow = true;
    } else {
      count *= extent;
    }
  }
  if (overflow) return std::nullopt;
  return count;
}

std::string ShapeText(const std::vector<int64_t>& shape) {
  constexpr size_t kShown = 8;
  if (shape.size() <= kShown) {
    return absl::StrCat("[", absl::StrJoin(shape, ", "), "]");
  }
  return absl::StrCat(
      "[", absl::StrJoin(shape.begin(), shape.begin() + kShown - 1, ", "),
      ", ..., ", shape.back(), "] of rank ", shape.size());
}

}  // namespace reductor
