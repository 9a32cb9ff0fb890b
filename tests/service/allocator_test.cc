#include "service/allocator.h"

#include <unistd.h>

#include <barrier>
#include <cstring>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace reductor {
namespace {

constexpr int64_t kMiB = 1 << 20;

int64_t ResidentBytes() {
  int64_t all;
  int64_t resident;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

// What two threads took at the same time, each from its own part of the heap.
TEST(Allocator, GivesBackWhatEveryThreadHasFreed) {
  TuneAllocator(/*threads=*/2);
  const int64_t before = ResidentBytes();
  std::barrier all_hold(2);
  const auto take = [&all_hold] {
    std::vector<std::unique_ptr<char[]>> blocks;
    for (int i = 0; i < 50; ++i) {
      blocks.emplace_back(new char[kMiB]);
      std::memset(blocks.back().get(), i, kMiB);
    }
    all_hold.arrive_and_wait();
  };
  {
    const std::jthread one(take);
    const std::jthread other(take);
  }
  EXPECT_GT(ResidentBytes(), before + 40 * kMiB);
  ReturnFreeMemory();
  EXPECT_LT(ResidentBytes(), before + 8 * kMiB);
}

}  // namespace
}  // namespace reductor
