// Slabs of rows, each column of which is reduced: where its elements lie.
#ifndef REDUCTOR_TESTS_CORE_SLAB_LAYOUT_H_
#define REDUCTOR_TESTS_CORE_SLAB_LAYOUT_H_

#include <cstdint>
#include <string>
#include <vector>

namespace reductor {

// Results are numbered slab by slab; of one column they are those of rows of
// `n` elements.
struct SlabLayout {
  int64_t slabs;
  int64_t n;
  int64_t cols;

  int64_t results() const { return slabs * cols; }
  int64_t elements() const { return results() * n; }
  // Of which axis 1 is reduced.
  std::vector<int64_t> shape() const { return {slabs, n, cols}; }
  // The place of element k of result r.
  int64_t At(int64_t r, int64_t k) const {
    return (r / cols * n + k) * cols + r % cols;
  }
  std::string name() const {
    return std::to_string(slabs) + " x " + std::to_string(n) + " x " +
           std::to_string(cols);
  }
};

}  // namespace reductor

#endif  // REDUCTOR_TESTS_CORE_SLAB_LAYOUT_H_
