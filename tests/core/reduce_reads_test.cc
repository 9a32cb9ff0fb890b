// Vectors are loaded whole where fewer elements are left, so that some lanes
// take what is not theirs; but nothing is read outside of the tensor. The pages
// around these tensors cannot be read: a load that leaves them ends the test.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/reduce.h"
#include "tests/core/guarded_pages.h"
#include "tests/core/same_bits.h"
#include "tests/core/seeded_test.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"

namespace reductor {
namespace {

class Reads : public SeededTest {
 protected:
  // Of every operator that takes the type, on every instruction set, of tensors
  // of this shape along each of its axes and along all.
  void ExpectWithinTensor(DType dtype, const std::vector<int64_t>& shape) {
    int64_t size = SizeOf(dtype);
    for (const int64_t extent : shape) size *= extent;
    SCOPED_TRACE(testing::Message() << NameOf(dtype) << " " << shape[0] << " x "
                                    << shape[1] << " x " << shape[2]);
    const std::string bytes = NeverAbsorbing(size, rng_);
    GuardedPages pages(size);
    for (const RequestSpec& request :
         EveryOperator(dtype, shape, {{0}, {1}, {2}, {}})) {
      ForEachTarget([&] {
        // Compared, as what is read must be what the tensor holds.
        EXPECT_EQ(ResultsOf(request, pages.AtBegin(bytes)),
                  ResultsOf(request, pages.AtEnd(bytes)));
      });
    }
  }
};

TEST_F(Reads, StayWithinSlabsOfFewColumns) {
  for (const DType dtype : kDTypes) {
    for (const int64_t rows : {1, 2, 3, 7, 15, 16, 37}) {
      for (const int64_t cols : {1, 2, 3, 5, 6, 7, 9, 12, 15}) {
        ExpectWithinTensor(dtype, {1, rows, cols});
        ExpectWithinTensor(dtype, {9, rows, cols});
      }
    }
    // The lanes of a batch's last slab reach further than the one that follows.
    ExpectWithinTensor(dtype, {31, 2, 17});
    ExpectWithinTensor(dtype, {257, 2, 2});
  }
}

TEST_F(Reads, StayWithinRowsAndColumnsThatFillSomeVectors) {
  for (const DType dtype : kDTypes) {
    for (const int64_t extent : {17, 31, 63, 65, 127, 200, 300, 1025}) {
      ExpectWithinTensor(dtype, {1, 2, extent});
      ExpectWithinTensor(dtype, {3, 19, extent});
    }
  }
}

}  // namespace
}  // namespace reductor
