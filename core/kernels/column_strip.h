// The rows of some columns, which column_passes-inl.h walks a few at a time.
#ifndef REDUCTOR_CORE_KERNELS_COLUMN_STRIP_H_
#define REDUCTOR_CORE_KERNELS_COLUMN_STRIP_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/kernels.h"
#include "hwy/base.h"

namespace reductor {

// `rows` rows of `width` elements of kSize bytes, which begin `stride` elements
// apart, the first at x. What is folded after them begins `next` elements from
// there; it is not prefetched unless `is_prefetched`.
template <int64_t kSize>
struct ColumnStrip {
  const std::byte* HWY_RESTRICT x;
  int64_t rows;
  int64_t stride;
  int64_t width;
  int64_t next;
  bool is_prefetched;
  Source source;

  bool is_packed() const { return stride == width; }

  // Some of the rows, from `row` on.
  ColumnStrip Rows(int64_t row, int64_t most) const {
    ColumnStrip some = *this;
    some.x += row * stride * kSize;
    some.rows = std::min(rows - row, most);
    some.next =
        row + some.rows < rows ? some.rows * stride : next - row * stride;
    return some;
  }

  // Four rows: row `row` of each quarter, which is `quarter` rows.
  ColumnStrip RowsOfQuarters(int64_t row, int64_t quarter) const {
    ColumnStrip some = *this;
    some.x += row * stride * kSize;
    some.rows = 4;
    some.stride = quarter * stride;
    some.is_prefetched = false;
    return some;
  }
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_KERNELS_COLUMN_STRIP_H_
