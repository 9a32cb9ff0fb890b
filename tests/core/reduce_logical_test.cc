// OpenVINO's ReduceLogicalAnd and ReduceLogicalOr, by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "tests/core/targets.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<int> Reduced(const std::vector<Bool>& x, std::vector<int64_t> shape,
                         Operator op, std::vector<int64_t> axes) {
  std::vector<int> bytes;
  for (const Bool b :
       reductor::Reduced(x, std::move(shape), Openvino(op, std::move(axes)))) {
    bytes.push_back(b.byte);
  }
  return bytes;
}

constexpr Operator kAnd = Operator::kReduceLogicalAnd;
constexpr Operator kOr = Operator::kReduceLogicalOr;

TEST(ReduceLogicalAnd, IsTrueWhereAllAre) {
  const std::vector<Bool> x = {{1}, {0}, {1}, {2}, {0}, {255}};
  EXPECT_THAT(Reduced(x, {2, 3}, kAnd, {0}), ElementsAre(1, 0, 1));
  EXPECT_THAT(Reduced(x, {2, 3}, kAnd, {1}), ElementsAre(0, 0));
}

TEST(ReduceLogicalOr, IsTrueWhereAnyIs) {
  const std::vector<Bool> x = {{1}, {0}, {0}, {2}, {0}, {0}};
  EXPECT_THAT(Reduced(x, {2, 3}, kOr, {0}), ElementsAre(1, 0, 0));
  EXPECT_THAT(Reduced(x, {2, 3}, kOr, {1}), ElementsAre(1, 1));
}

TEST(ReduceLogicalAnd, IsTrueOfNothingAndOrIsFalse) {
  EXPECT_THAT(Reduced({}, {0, 2}, kAnd, {0}), ElementsAre(1, 1));
  EXPECT_THAT(Reduced({}, {0}, kOr, {0}), ElementsAre(0));
  EXPECT_THAT(Reduced({}, {2, 0}, kAnd, {0}), IsEmpty());
}

TEST(ReduceLogicalAnd, MakesZeroOrOneOfEachByteWithoutAxes) {
  EXPECT_THAT(Reduced({{0}, {1}, {2}, {255}}, {4}, kAnd, {}),
              ElementsAre(0, 1, 1, 1));
  EXPECT_THAT(Reduced({{0}, {1}, {2}, {255}}, {4}, kOr, {}),
              ElementsAre(0, 1, 1, 1));
}

// Columns of slabs in which about one byte is not as all others: any is true of
// zeros and it, or not all of true ones and it.
void ExpectAnyAndAll(int64_t slabs, int64_t rows, int64_t cols) {
  std::mt19937 random(1);
  for (const bool is_any : {true, false}) {
    std::vector<Bool> x(slabs * rows * cols);
    std::vector<int> expected(slabs * cols, is_any ? 0 : 1);
    for (size_t i = 0; i < x.size(); ++i) {
      constexpr uint8_t kTrue[] = {1, 2, 128, 255};
      const bool is_rare = random() % rows == 0;
      x[i].byte = is_rare == is_any ? kTrue[random() % 4] : 0;
      const size_t column = i / (rows * cols) * cols + i % cols;
      if (is_rare) expected[column] = is_any ? 1 : 0;
    }
    const std::vector<int64_t> shape = {slabs, rows, cols};
    EXPECT_EQ(Reduced(x, shape, is_any ? kOr : kAnd, {1}), expected)
        << slabs << " x " << rows << " x " << cols;
  }
}

TEST(ReduceLogicalAnd, IsRightOfRowsColumnsAndSlabs) {
  ForEachTarget([] {
    for (const int64_t n : {2, 3, 7, 17, 64, 1000, 20000}) {
      ExpectAnyAndAll(33, n, 1);
      ExpectAnyAndAll(1, n, 33);
      ExpectAnyAndAll(9, n, 5);
    }
    ExpectAnyAndAll(1, 9, 70000);
  });
}

}  // namespace
}  // namespace reductor
