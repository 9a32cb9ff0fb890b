// Joins the states of ranges, given in order, into those of the results.
#ifndef REDUCTOR_CORE_JOIN_H_
#define REDUCTOR_CORE_JOIN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "core/cascade.h"
#include "core/kernels.h"
#include "core/nest.h"

namespace reductor {

class Join {
 public:
  // Takes the final states of the next `n` results.
  using Emit = absl::FunctionRef<void(const std::byte* states, int64_t n)>;

  // REQUIRES: !nest.ranges_are_final().
  Join(const Nest& nest, const Kernel& kernel);

  // Takes the `n` states of the next range, or of the next `ranges` of one
  // level that were folded as one, and emits what became final. REQUIRES: one
  // range, or nothing is rounded, and the level that is cut is reduced.
  void Add(const std::byte* states, int64_t n, int64_t ranges, Emit emit);

 private:
  // A level above the ranges, or the cut one counted in ranges.
  struct Loop {
    Cascade cascade;
    int64_t extent;
    bool reduced;
    int64_t step_width;
    int64_t step = 0;
  };

  // The states of one step of loop `l` are complete.
  void AddStep(int64_t l, const std::byte* states, int64_t n, Emit emit);

  const Kernel& kernel_;
  std::vector<Loop> loops_;
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_JOIN_H_
