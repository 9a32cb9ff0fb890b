// Vectors are loaded whole where fewer elements are left, so that some lanes
// take what is not theirs; but nothing is read outside of the tensor. The pages
// around these tensors cannot be read: a load that leaves them ends the test.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"
#include "core/reduce.h"
#include "tests/core/same_bits.h"
#include "tests/core/seeded_test.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"

namespace reductor {
namespace {

// Some pages between two that cannot be read.
class GuardedPages {
 public:
  // Holds `size` bytes.
  explicit GuardedPages(int64_t size)
      : page_(sysconf(_SC_PAGESIZE)),
        inner_((size + page_ - 1) / page_ * page_) {
    void* all = mmap(nullptr, inner_ + 2 * page_, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    begin_ = static_cast<char*>(all) + page_;
    if (all == MAP_FAILED ||
        mprotect(begin_, inner_, PROT_READ | PROT_WRITE) != 0) {
      std::abort();
    }
  }
  GuardedPages(const GuardedPages&) = delete;
  GuardedPages& operator=(const GuardedPages&) = delete;
  ~GuardedPages() { munmap(begin_ - page_, inner_ + 2 * page_); }

  // Where the bytes begin after a guard, or end before one.
  absl::Cord AtBegin(absl::string_view bytes) { return At(begin_, bytes); }
  absl::Cord AtEnd(absl::string_view bytes) {
    return At(begin_ + inner_ - bytes.size(), bytes);
  }

 private:
  static absl::Cord At(char* place, absl::string_view bytes) {
    std::memcpy(place, bytes.data(), bytes.size());
    return absl::MakeCordFromExternal({place, bytes.size()}, [] {});
  }

  int64_t page_;
  int64_t inner_;
  char* begin_;
};

class Reads : public SeededTest {
 protected:
  // Of every operator that takes the type, on every instruction set, of tensors
  // of this shape along each of its axes and along all.
  void ExpectWithinTensor(DType dtype, const std::vector<int64_t>& shape) {
    int64_t size = SizeOf(dtype);
    for (const int64_t extent : shape) size *= extent;
    SCOPED_TRACE(testing::Message() << NameOf(dtype) << " " << shape[0] << " x "
                                    << shape[1] << " x " << shape[2]);
    const std::string bytes = RandomBytes(size, rng_);
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
