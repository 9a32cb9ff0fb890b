// What is refused, where and with which words: through MakePlans, which is how
// every request is checked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/plan.h"
#include "core/violations.h"
#include "tests/core/requests.h"
#include "tests/core/violations_of.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int64_t kHuge = int64_t{1} << 40;

TEST(Checks, RefusesNegativeDims) {
  RequestSpec request = RequestOf({1}, {0});
  request.tensor->shape = {2, -1, INT64_MIN};
  EXPECT_THAT(
      ViolationsOf(request),
      ElementsAre("tensor.shape[1] DIM_NEGATIVE: -1 is negative",
                  "tensor.shape[2] DIM_NEGATIVE: -9223372036854775808 is "
                  "negative"));
}

TEST(Checks, RefusesMoreBytesThanInt64Counts) {
  RequestSpec request = RequestOf({1}, {0});
  request.tensor->shape = {kHuge, kHuge};
  EXPECT_THAT(ViolationsOf(request),
              ElementsAre("tensor.shape SHAPE_TOO_LARGE: [1099511627776, "
                          "1099511627776] has more bytes than int64 counts"));
  // 2^61 float32 are 2^63 bytes.
  request.tensor->shape = {int64_t{1} << 61};
  EXPECT_THAT(ViolationsOf(request),
              ElementsAre("tensor.shape SHAPE_TOO_LARGE: "
                          "[2305843009213693952] has more bytes than int64 "
                          "counts"));
}

TEST(Checks, RefusesAResultOfMoreBytesThanInt64Counts) {
  RequestSpec request = RequestOf({0}, {1});
  request.tensor->shape = {kHuge, 0, kHuge};
  EXPECT_THAT(ViolationsOf(request),
              ElementsAre("tensor.shape SHAPE_TOO_LARGE: reductions[0]: the "
                          "result [1099511627776, 1, 1099511627776] of "
                          "[1099511627776, 0, 1099511627776] has more bytes "
                          "than int64 counts"));
}

// An error travels in headers, which hold 8 KiB.
TEST(Checks, AbridgesLongShapes) {
  RequestSpec request = RequestOf({0}, {63});
  request.tensor->shape.assign(64, int64_t{1} << 62);
  request.tensor->shape[63] = 0;
  const std::string text = ViolationsOf(request).front();
  EXPECT_LT(text.size(), 600u);
  EXPECT_THAT(text, testing::HasSubstr("..., 0] of rank 64"));
}

TEST(Checks, RefusesDataOfAnotherSize) {
  RequestSpec request = RequestOf({2, 3}, {0});
  for (const int64_t bytes : {23, 25}) {
    request.tensor->data_bytes = bytes;
    EXPECT_THAT(ViolationsOf(request),
                ElementsAre(absl::StrCat(
                    "tensor.data DATA_SIZE_MISMATCH: ", bytes,
                    " bytes, but shape [2, 3] of float32 has 24")));
  }
}

TEST(Checks, RefusesARankAboveTheLimit) {
  EXPECT_TRUE(
      MakePlans(RequestOf(std::vector<int64_t>(64, 1), {63, -64})).ok());
  EXPECT_THAT(
      ViolationsOf(RequestOf(std::vector<int64_t>(65, 1), {})),
      ElementsAre("tensor.shape RANK_TOO_LARGE: rank 65 is above the limit of "
                  "64"));
}

TEST(Checks, RefusesUnknownTypes) {
  RequestSpec request = RequestOf({2}, {0});
  for (const int32_t number : {0, 14, -1}) {
    request.tensor->dtype = static_cast<DType>(number);
    EXPECT_THAT(ViolationsOf(request),
                ElementsAre(absl::StrCat("tensor.data_type DATA_TYPE_UNKNOWN: ",
                                         number, " names no data type")));
  }
}

TEST(Checks, RefusesUnknownOperators) {
  RequestSpec request = RequestOf({2}, {0});
  for (const int32_t number : {0, 15, -1}) {
    request.reductions[0].op = static_cast<Operator>(number);
    EXPECT_THAT(ViolationsOf(request),
                ElementsAre(absl::StrCat(
                    "reductions[0].operator OPERATOR_UNKNOWN: ", number,
                    " names no operator")));
  }
}

TEST(Checks, RefusesUnknownOpsets) {
  RequestSpec request = RequestOf({2}, {0});
  for (const int32_t opset : {0, 29, -1}) {
    request.reductions[0].opset = opset;
    EXPECT_THAT(ViolationsOf(request),
                ElementsAre(absl::StrCat(
                    "reductions[0].onnx_opset OPSET_UNKNOWN: ", opset,
                    " is not an ONNX opset from 1 to 28")));
  }
  request.reductions[0].family = Family::kOpenvino;
  request.reductions[0].opset = 17;
  EXPECT_THAT(ViolationsOf(request),
              ElementsAre("reductions[0].openvino_opset OPSET_UNKNOWN: 17 is "
                          "not an OpenVINO opset from 1 to 16"));
}

TEST(Checks, RefusesAnOperatorThatTheOpsetLacks) {
  RequestSpec request = RequestOf({2}, {0});
  request.reductions[0].family = Family::kOpenvino;
  request.reductions[0].opset = 3;
  EXPECT_THAT(
      ViolationsOf(request),
      ElementsAre("reductions[0].operator OPERATOR_NOT_IN_OPSET: "
                  "OpenVINO opset 3 has no ReduceL1; ONNX has it from opset "
                  "1, OpenVINO from opset 4"));
  request.reductions[0].op = Operator::kArgMax;
  EXPECT_THAT(ViolationsOf(request),
              ElementsAre("reductions[0].operator OPERATOR_NOT_IN_OPSET: "
                          "OpenVINO opset 3 has no ArgMax; ONNX has it from "
                          "opset 1"));
  request.reductions[0] = {.op = Operator::kReduceLogicalAnd};
  EXPECT_THAT(ViolationsOf(request),
              ElementsAre("reductions[0].operator OPERATOR_NOT_IN_OPSET: ONNX "
                          "opset 28 has no ReduceLogicalAnd; OpenVINO has it "
                          "from opset 1"));
}

TEST(Checks, RefusesATypeThatTheVersionLacks) {
  RequestSpec request = RequestOf({2}, {0});
  request.tensor->dtype = DType::kBFloat16;
  request.tensor->data_bytes = 4;
  request.reductions[0].opset = 12;
  EXPECT_THAT(
      ViolationsOf(request),
      ElementsAre("tensor.data_type DATA_TYPE_NOT_ALLOWED: reductions[0]: ONNX "
                  "ReduceL1 version 11 does not allow bfloat16, it allows "
                  "float32, float64, float16, int32, int64, uint32, uint64"));
  request.reductions[0].opset = 13;
  EXPECT_THAT(ViolationsOf(request), IsEmpty());
}

TEST(Checks, RefusesAnAttributeThatTheVersionLacksEvenIfFalse) {
  RequestSpec request = RequestOf({2}, {0});
  request.reductions[0].opset = 17;
  request.reductions[0].noop_with_empty_axes = false;
  request.reductions[0].select_last_index = false;
  EXPECT_THAT(
      ViolationsOf(request),
      ElementsAre("reductions[0].noop_with_empty_axes ATTRIBUTE_NOT_ALLOWED: "
                  "ONNX ReduceL1 version 13 does not have it, it has keep_dims",
                  "reductions[0].select_last_index ATTRIBUTE_NOT_ALLOWED: "
                  "ONNX ReduceL1 version 13 does not have it, it has "
                  "keep_dims"));
}

TEST(Checks, RefusesARequestWithNothingInIt) {
  EXPECT_THAT(
      ViolationsOf({}),
      ElementsAre("tensor TENSOR_MISSING: the request has no tensor",
                  "reductions REDUCTIONS_MISSING: the request asks for no "
                  "reduction"));
}

TEST(Checks, RefusesMoreThan64Reductions) {
  RequestSpec request = RequestOf({2}, {0});
  request.reductions.resize(64, request.reductions[0]);
  EXPECT_TRUE(MakePlans(request).ok());
  request.reductions.resize(65, request.reductions[0]);
  EXPECT_THAT(ViolationsOf(request),
              ElementsAre("reductions TOO_MANY_REDUCTIONS: 65 reductions are "
                          "above the limit of 64"));
}

TEST(Checks, FindsEverythingAtOnceTheTensorsFirst) {
  RequestSpec request;
  request.tensor =
      TensorSpec{.dtype = DType::kUint8, .shape = {2, 2}, .data_bytes = 5};
  request.reductions = {
      {.op = Operator::kReduceL1, .axes = {7}},
      {.op = static_cast<Operator>(99), .opset = 99, .axes = {0, 0}},
  };
  EXPECT_THAT(
      ViolationsOf(request),
      ElementsAre(
          "tensor.data DATA_SIZE_MISMATCH: 5 bytes, but shape [2, 2] of uint8 "
          "has 4",
          "tensor.data_type DATA_TYPE_NOT_ALLOWED: reductions[0]: ONNX "
          "ReduceL1 version 18 does not allow uint8, it allows float32, "
          "float64, float16, bfloat16, int32, int64, uint32, uint64",
          "reductions[0].axes[0] AXIS_OUT_OF_RANGE: 7 is out of range [-2, 1] "
          "for rank 2",
          "reductions[1].operator OPERATOR_UNKNOWN: 99 names no operator",
          "reductions[1].onnx_opset OPSET_UNKNOWN: 99 is not an ONNX opset "
          "from 1 to 28",
          "reductions[1].axes[1] AXIS_REPEATED: 0 names axis 0 again"));
}

TEST(Checks, ListsSixteenOfTwentyFaults) {
  const absl::Status status =
      MakePlans(RequestOf({2}, std::vector<int64_t>(20, 9))).status();
  EXPECT_EQ(status.message(),
            "reductions[0].axes[0]: 9 is out of range [-1, 0] for rank 1 (and "
            "19 more violations, of which 4 are not listed)");
  EXPECT_EQ(Violations::FromStatus(status).kept().size(), 16u);
}

}  // namespace
}  // namespace reductor
