// OpenVINO's ReduceLogicalAnd and ReduceLogicalOr, by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

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

}  // namespace
}  // namespace reductor
