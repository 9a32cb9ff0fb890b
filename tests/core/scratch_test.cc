#include "core/scratch.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <thread>
#include <utility>

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

TEST(Scratch, KeepsWhatItIsToldToAsItGrows) {
  Scratch scratch(8);
  std::memcpy(scratch.data(), "reductor", 8);
  scratch.Reserve(100'000, 5);
  EXPECT_EQ(Text(scratch, 5), "reduc");
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

TEST(Scratch, TwoAtATimeDoNotOverlap) {
  const Scratch one(1000);
  const Scratch two(1000);
  EXPECT_NE(one.data(), two.data());
}

TEST(Scratch, AThreadGetsAgainWhatItGaveBack) {
  std::thread([] {
    std::byte* before;
    {
      const Scratch scratch(50'000);
      before = scratch.data();
    }
    EXPECT_EQ(Scratch(40'000).data(), before);
    EXPECT_NE(Scratch(50'001).data(), before);
  }).join();
}

TEST(Scratch, NothingIsMoreThanTwiceAsLargeAsAsked) {
  std::thread([] {
    std::byte* before;
    {
      const Scratch scratch(50'000);
      before = scratch.data();
    }
    EXPECT_NE(Scratch(24'999).data(), before);
    EXPECT_EQ(Scratch(25'000).data(), before);
  }).join();
}

TEST(Scratch, AThreadKeepsWhatItUsedLast) {
  std::thread([] {
    { const Scratch old(Scratch::kMostKept); }
    std::byte* before;
    {
      const Scratch scratch(1000);
      before = scratch.data();
    }
    EXPECT_EQ(Scratch(1000).data(), before);
  }).join();
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
