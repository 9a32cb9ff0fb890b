#include "core/result_bytes.h"

#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/cord.h"
#include "gtest/gtest.h"
#include "tests/core/tensors.h"

namespace reductor {
namespace {

ResultBytes Within(const std::string& bytes) {
  ResultBytes result;
  std::memcpy(result.MakeWithin(bytes.size()), bytes.data(), bytes.size());
  return result;
}

TEST(ResultBytes, AreNoneAtFirst) {
  const ResultBytes none;
  EXPECT_EQ(none.size(), 0u);
  EXPECT_EQ(none.ToCord(), "");
}

TEST(ResultBytes, HoldTheResultOfASmallTensor) {
  const std::string most(ResultBytes::kMostWithin, 'm');
  for (const std::string& bytes : {std::string("abc"), most}) {
    const ResultBytes result = Within(bytes);
    EXPECT_EQ(result.cord(), nullptr);
    EXPECT_EQ(result.within(), bytes);
    EXPECT_EQ(result.size(), bytes.size());
    EXPECT_EQ(result.ToCord(), bytes);
  }
}

TEST(ResultBytes, ShareTheMemoryOfACord) {
  const absl::Cord cord = MisalignedPiece(std::string(1000, 'c'));
  const ResultBytes result(cord);
  EXPECT_EQ(result.within(), "");
  EXPECT_EQ(result.size(), 1000u);
  EXPECT_EQ(result.ToCord().TryFlat()->data(), cord.TryFlat()->data());
}

TEST(ResultBytes, GoWhereTheyAreMoved) {
  ResultBytes small = Within("abc");
  ResultBytes large(absl::Cord(std::string(1000, 'c')));
  std::swap(small, large);
  EXPECT_EQ(small.ToCord(), std::string(1000, 'c'));
  EXPECT_EQ(large.ToCord(), "abc");
}

TEST(ResultBytes, AreThoseWrittenLast) {
  ResultBytes result(absl::Cord("of before"));
  *result.MakeWithin(1) = std::byte{'x'};
  EXPECT_EQ(result.ToCord(), "x");
}

}  // namespace
}  // namespace reductor
