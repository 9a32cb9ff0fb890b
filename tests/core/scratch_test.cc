#include "core/scratch.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "tests/core/allocated_bytes.h"

namespace reductor {
namespace {

absl::string_view Text(const Scratch& scratch, size_t n) {
  return {reinterpret_cast<const char*>(scratch.data()), n};
}

TEST(Scratch, HasNothingUntilItIsAsked) {
  EXPECT_EQ(Scratch().data(), nullptr);
  EXPECT_EQ(Scratch(0).data(), nullptr);
}

TEST(Scratch, StaysWhereItIsWhereThereIsRoom) {
  Scratch scratch(1000);
  std::byte* const before = scratch.data();
  EXPECT_EQ(scratch.Reserve(10), before);
  EXPECT_EQ(scratch.Reserve(1000), before);
}

TEST(Scratch, IsMovedWithItsBytes) {
  Scratch from(8);
  std::memcpy(from.data(), "reductor", 8);
  const Scratch to = std::move(from);
  EXPECT_EQ(Text(to, 8), "reductor");
  // NOLINTNEXTLINE(bugprone-use-after-move,clang-analyzer-cplusplus.Move)
  EXPECT_NE(from.Reserve(8), to.data());
}

TEST(Scratch, IsMovedWithItsBytesIfTheyAreMany) {
  Scratch from(1000);
  std::memcpy(from.data() + 992, "reductor", 8);
  std::byte* const before = from.data();
  const Scratch to = std::move(from);
  EXPECT_EQ(to.data(), before);
  EXPECT_EQ(std::memcmp(to.data() + 992, "reductor", 8), 0);
}

TEST(Scratch, HasRoomForWhateverWasAskedBefore) {
  Scratch scratch;
  for (const int64_t bytes :
       {int64_t{8}, Scratch::kFewBytes, Scratch::kFewBytes + 1, int64_t{8},
        int64_t{5000}}) {
    std::byte* const data = scratch.Reserve(bytes);
    EXPECT_EQ(data, scratch.data());
    std::memset(data, 1, bytes);
  }
}

TEST(Scratch, TwoAtATimeDoNotOverlap) {
  const Scratch one(1000);
  const Scratch two(1000);
  EXPECT_NE(one.data(), two.data());
}

// Whether so many bytes come without an allocation.
bool AreKept(int64_t bytes) {
  const int64_t before = allocated_bytes::now;
  const Scratch scratch(bytes);
  return allocated_bytes::now == before;
}

// Takes so many bytes and gives them back.
void Use(int64_t bytes) { const Scratch scratch(bytes); }

TEST(Scratch, AThreadGetsAgainWhatItGaveBack) {
  std::thread([] {
    Use(50'000);
    EXPECT_TRUE(AreKept(50'000));
    EXPECT_TRUE(AreKept(50'000));
  }).join();
}

TEST(Scratch, AnotherSizeIsOtherMemory) {
  std::thread([] {
    Use(50'000);
    EXPECT_FALSE(AreKept(49'999));
    EXPECT_FALSE(AreKept(50'001));
  }).join();
}

TEST(Scratch, AThreadKeepsWhatItUsedLast) {
  std::thread([] {
    Use(Scratch::kMostKept);
    Use(2000);
    EXPECT_TRUE(AreKept(2000));
    EXPECT_FALSE(AreKept(Scratch::kMostKept));
  }).join();
}

TEST(Scratch, AThreadKeepsSeveralSizes) {
  std::thread([] {
    Use(2000);
    Use(3000);
    Use(4000);
    EXPECT_TRUE(AreKept(3000));
    EXPECT_TRUE(AreKept(2000));
    EXPECT_TRUE(AreKept(4000));
  }).join();
}

TEST(Scratch, BeginsWithACacheLine) {
  for (const int64_t bytes : {1, 100, 5000, 100'000, 1'000'000}) {
    const Scratch scratch(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(scratch.data()) % 64, 0) << bytes;
  }
}

TEST(Scratch, AThreadKeepsSoManyBlocksAndNoMore) {
  std::thread([] {
    const int64_t before = allocated_bytes::now;
    {
      std::vector<Scratch> many;
      many.reserve(1000);
      for (int i = 0; i < 1000; ++i) many.emplace_back(1024);
    }
    const int64_t kept = allocated_bytes::now - before;
    EXPECT_GE(kept, Scratch::kMostKeptBlocks * 1024);
    // Each begins with a cache line.
    EXPECT_LT(kept, (Scratch::kMostKeptBlocks + 1) * (1024 + 64));
  }).join();
}

TEST(Scratch, LittleMemoryIsNotKept) {
  std::thread([] {
    Use(Scratch::kLeastKept - 1);
    EXPECT_FALSE(AreKept(Scratch::kLeastKept - 1));
  }).join();
}

TEST(Scratch, GivesUpWhatItHadBeforeItTakesMore) {
  const int64_t peak = allocated_bytes::PeakOf([] {
    Scratch scratch(1'000'000);
    scratch.Reserve(2'000'000);
  });
  EXPECT_GE(peak, 2'000'000);
  EXPECT_LT(peak, 2'100'000);
}

TEST(Scratch, AThreadDoesNotGetWhatAnotherGaveBack) {
  std::byte* ours;
  {
    const Scratch scratch(50'000);
    ours = scratch.data();
  }
  std::thread([ours] { EXPECT_NE(Scratch(50'000).data(), ours); }).join();
}

TEST(Scratch, AThreadKeepsSoMuchAndNoMore) {
  const auto kept_of = [](int64_t bytes) {
    int64_t kept = 0;
    std::thread([&] {
      const int64_t before = allocated_bytes::now;
      { const Scratch scratch(bytes); }
      kept = allocated_bytes::now - before;
    }).join();
    return kept;
  };
  EXPECT_GE(kept_of(Scratch::kMostKept), Scratch::kMostKept);
  EXPECT_LT(kept_of(Scratch::kMostKept + 1), 1000);
}

TEST(Scratch, WhatAThreadKeptIsGoneWithIt) {
  const int64_t before = allocated_bytes::now;
  std::thread([] { const Scratch scratch(100'000); }).join();
  EXPECT_LT(allocated_bytes::now - before, 1000);
}

}  // namespace
}  // namespace reductor
