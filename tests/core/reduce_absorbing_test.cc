// The largest and smallest, the first place of one, and products of integers:
// once the last value that a type has is found, a NaN or a zero, what follows
// is not read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "core/reduce.h"
#include "tests/core/guarded_pages.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

constexpr int64_t kMiB = 1 << 20;

// Before, at and after the ends of what is folded before a state is asked, of
// blocks and of ranges.
constexpr int64_t kPlaces[] = {
    0,        1,           255,          256,          2047,
    2048,     32767,       32768,        32768 + 2047, 32768 + 2048,
    524287,   524288,      524288 + 255, 524288 + 256, 2 * kMiB - 1,
    2 * kMiB, 5 * kMiB - 1};

template <class Result>
std::vector<Result> ResultsOf(const std::vector<Plan>& plans,
                              const absl::Cord& data) {
  return ValuesOf<Result>(Reduce(plans, data).value()[0].ToCord());
}

TEST(ReduceAbsorbing, FindsALastValueWhereverItStands) {
  const struct {
    Operator op;
    DType dtype;
    char others;
    char last;
    uint8_t result;
  } cases[] = {
      {Operator::kReduceMax, DType::kUint8, '\xfe', '\xff', 255},
      {Operator::kReduceMax, DType::kInt8, '\x7e', '\x7f', 127},
      {Operator::kReduceMin, DType::kUint8, '\x01', '\x00', 0},
      {Operator::kReduceMin, DType::kInt8, '\x81', '\x80', 128},
      {Operator::kReduceMax, DType::kBool, '\x00', '\x02', 1},
      {Operator::kReduceMin, DType::kBool, '\x02', '\x00', 0},
      {Operator::kReduceLogicalOr, DType::kBool, '\x00', '\x80', 1},
      {Operator::kReduceLogicalAnd, DType::kBool, '\x80', '\x00', 0},
  };
  for (const auto& c : cases) {
    const std::vector<Plan> plans = PlansFor(c.dtype, {5 * kMiB}, c.op, {0});
    for (const int64_t place : kPlaces) {
      std::string bytes(5 * kMiB, c.others);
      bytes[place] = c.last;
      EXPECT_THAT(ResultsOf<uint8_t>(plans, MisalignedPiece(bytes)),
                  ElementsAre(c.result))
          << NameOf(c.op) << NameOf(c.dtype) << " at " << place;
    }
  }
}

// Pieces of 30,000 bytes: rows that lie in several go by blocks.
TEST(ReduceAbsorbing, FindsALastByteInATensorOfManyPieces) {
  const std::vector<Plan> plans =
      PlansFor(DType::kUint8, {5 * kMiB}, Operator::kArgMax, {0});
  for (const int64_t place : kPlaces) {
    std::string bytes(5 * kMiB, '\x05');
    bytes[place] = '\xff';
    bytes.back() = '\xff';
    absl::Cord data;
    for (size_t begin = 0; begin < bytes.size(); begin += 30000) {
      data.Append(MisalignedPiece(bytes.substr(begin, 30000)));
    }
    EXPECT_THAT(ResultsOf<int64_t>(plans, data), ElementsAre(place));
  }
}

// Odd factors of which each multiplies the product by three, modulo 2^64: it is
// zero only where one of them is.
TEST(ReduceAbsorbing, FindsAZeroAmongFactorsOfAnyWidth) {
  constexpr int64_t kCount = 60000;
  std::vector<int64_t> x(kCount, 3);
  uint64_t product = 1;
  for (int64_t i = 0; i < kCount; ++i) product *= 3;
  const std::vector<int32_t> narrow(x.begin(), x.end());
  const ReduceSpec prod = Onnx(Operator::kReduceProd, {0});
  EXPECT_THAT(Reduced(x, {kCount}, prod),
              ElementsAre(static_cast<int64_t>(product)));
  EXPECT_THAT(Reduced(narrow, {kCount}, prod),
              ElementsAre(static_cast<int32_t>(product)));
  for (const int64_t place : {0, 255, 256, 257, 511, 40000, 59999}) {
    std::vector<int64_t> wide = x;
    wide[place] = 0;
    EXPECT_THAT(Reduced(wide, {kCount}, prod), ElementsAre(0)) << place;
    const std::vector<int32_t> also(wide.begin(), wide.end());
    EXPECT_THAT(Reduced(also, {kCount}, prod), ElementsAre(0)) << place;
  }
}

TEST(ReduceAbsorbing, FindsTheFirstOfEqualPlaces) {
  const std::vector<Plan> largest =
      PlansFor(DType::kUint8, {5 * kMiB}, Operator::kArgMax, {0});
  const std::vector<Plan> smallest =
      PlansFor(DType::kInt8, {5 * kMiB}, Operator::kArgMin, {0});
  for (const int64_t place : kPlaces) {
    std::string bytes(5 * kMiB, '\x05');
    // This one, all that stand two megabytes and more after it, and the end.
    for (size_t i = place; i < bytes.size(); i += 2 * kMiB) bytes[i] = '\xff';
    bytes.back() = '\xff';
    EXPECT_THAT(ResultsOf<int64_t>(largest, MisalignedPiece(bytes)),
                ElementsAre(place));
    for (char& byte : bytes) byte = byte == '\xff' ? '\x80' : byte;
    EXPECT_THAT(ResultsOf<int64_t>(smallest, MisalignedPiece(bytes)),
                ElementsAre(place));
  }
}

TEST(ReduceAbsorbing, FindsTheLastOfEqualPlacesToTheEnd) {
  const std::vector<Plan> plans =
      PlansFor(DType::kUint8, {5 * kMiB}, Operator::kArgMax, {0},
               /*select_last_index=*/true);
  std::string bytes(5 * kMiB, '\xff');
  EXPECT_THAT(ResultsOf<int64_t>(plans, absl::Cord(bytes)),
              ElementsAre(5 * kMiB - 1));
  bytes.replace(3 * kMiB, 2 * kMiB, 2 * kMiB, '\xfe');
  EXPECT_THAT(ResultsOf<int64_t>(plans, absl::Cord(bytes)),
              ElementsAre(3 * kMiB - 1));
}

// Most of the first fifty rows end early, of the others few: there the rest of
// a range is folded as ever.
TEST(ReduceAbsorbing, FindsWhatEachOfManyRowsHolds) {
  constexpr int64_t kRows = 300;
  constexpr int64_t kCols = 25001;
  std::string bytes(kRows * kCols, '\x07');
  std::vector<uint8_t> largest(kRows, 7);
  std::vector<int64_t> places(kRows, 0);
  for (int64_t r = 0; r < kRows; ++r) {
    if (r < 50 ? r % 7 == 6 : r % 3 == 0) continue;
    const int64_t place = r * (r < 50 ? 31 : 4999) % kCols;
    bytes[r * kCols + place] = '\xff';
    bytes[r * kCols + kCols - 1] = '\xff';
    largest[r] = 255;
    places[r] = place;
  }
  ForEachTarget([&] {
    for (const absl::Cord& data : {MisalignedPiece(bytes), absl::Cord(bytes)}) {
      EXPECT_THAT(ResultsOf<uint8_t>(PlansFor(DType::kUint8, {kRows, kCols},
                                              Operator::kReduceMax, {1}),
                                     data),
                  ElementsAreArray(largest));
      EXPECT_THAT(ResultsOf<int64_t>(PlansFor(DType::kUint8, {kRows, kCols},
                                              Operator::kArgMax, {1}),
                                     data),
                  ElementsAreArray(places));
    }
  });
}

TEST(ReduceAbsorbing, FindsTheFirstPlaceInATensorThatComesInPieces) {
  const std::vector<Plan> plans =
      PlansFor(DType::kUint8, {8 * kMiB}, Operator::kArgMin, {0});
  std::string bytes(8 * kMiB, '\x01');
  for (const int64_t place : {3 * kMiB + 5, 3 * kMiB + 6, 6 * kMiB}) {
    bytes[place] = '\x00';
  }
  PiecewiseReduce reduce(plans);
  for (int64_t begin = 0; begin < 8 * kMiB; begin += kMiB) {
    ASSERT_TRUE(
        reduce
            .Consume(MisalignedPiece(bytes.substr(begin, kMiB)), NeverCancelled)
            .ok());
  }
  EXPECT_THAT(ValuesOf<int64_t>(reduce.TakeResults(0)),
              ElementsAre(3 * kMiB + 5));
}

// Operators that need no more than three ones and a zero, and their results.
constexpr struct {
  Operator op;
  DType dtype;
  char result;
} kOfMasks[] = {
    {Operator::kReduceLogicalAnd, DType::kBool, 0},
    {Operator::kReduceMin, DType::kBool, 0},
    {Operator::kReduceMin, DType::kUint8, 0},
    {Operator::kReduceProd, DType::kUint8, 0},
    {Operator::kArgMin, DType::kUint8, 3},
};

// That, and that nothing else of as many elements is read.
void ExpectOnlyTheBeginIsRead(int64_t n) {
  const std::string begin = "\1\1\1" + std::string(2045, '\0');
  GuardedPages pages(static_cast<int64_t>(begin.size()), n);
  for (const auto& c : kOfMasks) {
    const std::vector<Plan> plans = PlansFor(c.dtype, {n}, c.op, {0});
    const std::string result(
        Reduce(plans, pages.BeginOf(n, begin)).value()[0].ToCord());
    EXPECT_EQ(result.front(), c.result) << NameOf(c.op) << NameOf(c.dtype);
  }
}

TEST(ReduceAbsorbing, LeavesUnreadWhatCannotChangeARow) {
  ForEachTarget([] {
    ExpectOnlyTheBeginIsRead(60000);
    ExpectOnlyTheBeginIsRead(200000);
  });
}

TEST(ReduceAbsorbing, LeavesUnreadWhatCannotChangeRowsAndTheirResults) {
  constexpr int64_t kCols = 200000;
  const std::string row = std::string(1, '\0') + std::string(kCols - 1, '\1');
  const std::string bytes = row + row + "\1\1\1" + std::string(2045, '\0');
  GuardedPages pages(static_cast<int64_t>(bytes.size()), kCols);
  ForEachTarget([&] {
    EXPECT_THAT(ResultsOf<int64_t>(
                    PlansFor(DType::kUint8, {3, kCols}, Operator::kArgMin, {1}),
                    pages.BeginOf(3 * kCols, bytes)),
                ElementsAre(0, 0, 3));
    EXPECT_THAT(ResultsOf<uint8_t>(PlansFor(DType::kUint8, {3, kCols},
                                            Operator::kReduceMin, {1}),
                                   pages.BeginOf(3 * kCols, bytes)),
                ElementsAre(0, 0, 0));
    EXPECT_THAT(ResultsOf<uint8_t>(PlansFor(DType::kUint8, {3, kCols},
                                            Operator::kReduceProd, {1}),
                                   pages.BeginOf(3 * kCols, bytes)),
                ElementsAre(0, 0, 0));
  });
}

TEST(ReduceAbsorbing, LeavesRangesUnreadThatCannotChangeATensorByAnyThread) {
  for (const int threads : {1, 4, 2}) {
    SetThreads(threads);
    ExpectOnlyTheBeginIsRead(20 * kMiB);
  }
}

}  // namespace
}  // namespace reductor
