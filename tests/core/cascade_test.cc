#include "core/cascade.h"

#include <gtest/gtest.h>

#include <cstring>

namespace reductor {
namespace {

// Folds `child` into all `width` sums of the next child.
void AddChild(const Kernel& kernel, Cascade& cascade, int64_t width,
              int64_t child) {
  for (int64_t w = 0; w < width; ++w) {
    kernel.fold_rows(reinterpret_cast<const std::byte*>(&child), 1, 1,
                     cascade.open() + w * kernel.state_size, Into::kHeld,
                     Source::kSharedCache);
  }
  cascade.CloseChildren(1);
}

TEST(Cascade, JoinsEveryChildOnceForAnyNumberOfThem) {
  const Kernel& kernel = GetKernel(Operator::kReduceL1, DType::kInt64);
  constexpr int64_t kWidth = 3;
  Cascade cascade(kernel, kWidth);
  for (const int64_t children :
       {1, 2, 15, 16, 17, 31, 32, 33, 255, 256, 257, 1000, 4096, 5000}) {
    for (int64_t i = 1; i <= children; ++i) {
      AddChild(kernel, cascade, kWidth, i);
    }
    uint64_t totals[kWidth];
    std::memcpy(totals, cascade.Total(), sizeof(totals));
    for (const uint64_t total : totals) {
      EXPECT_EQ(total, static_cast<uint64_t>(children * (children + 1) / 2));
    }
  }
}

TEST(Cascade, TakesSixteenChildrenAChain) {
  const Kernel& kernel = GetKernel(Operator::kReduceL1, DType::kInt64);
  Cascade cascade(kernel, 1);
  EXPECT_EQ(cascade.room(), 16);
  AddChild(kernel, cascade, 1, 7);
  EXPECT_EQ(cascade.room(), 15);
  cascade.CloseChildren(15);
  EXPECT_EQ(cascade.room(), 16);
}

}  // namespace
}  // namespace reductor
