#include "client/check/cases.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reductor::check {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::Le;

void AddSchema(v1::Operator op, v1::Family family, int32_t since_version,
               v1::ListOperatorsResponse& operators) {
  v1::OperatorSchema& schema = *operators.add_operators();
  schema.set_operator_(op);
  schema.set_family(family);
  schema.set_since_version(since_version);
  schema.add_data_types(v1::DATA_TYPE_FLOAT16);
  schema.add_data_types(v1::DATA_TYPE_INT8);
  schema.add_attributes()->set_name("keep_dims");
}

// ReduceL1 from ONNX opset 1 and 13 and from OpenVINO's 4, and an operator that
// no client knows.
v1::ListOperatorsResponse Operators() {
  v1::ListOperatorsResponse operators;
  AddSchema(v1::OPERATOR_REDUCE_L1, v1::FAMILY_ONNX, 1, operators);
  AddSchema(v1::OPERATOR_REDUCE_L1, v1::FAMILY_ONNX, 13, operators);
  AddSchema(v1::OPERATOR_REDUCE_L1, v1::FAMILY_OPENVINO, 4, operators);
  AddSchema(static_cast<v1::Operator>(99), v1::FAMILY_ONNX, 1, operators);
  operators.set_newest_onnx_opset(28);
  operators.set_newest_openvino_opset(16);
  return operators;
}

constexpr int64_t kMany = 300;

TEST(Cases, AreTheSameForTheSameSeed) {
  const Cases cases(Operators(), 7);
  const Cases again(Operators(), 7);
  const Cases others(Operators(), 8);
  bool differs = false;
  for (int64_t i = 0; i < kMany; ++i) {
    EXPECT_EQ(Describe(cases.Make(i)), Describe(again.Make(i)));
    EXPECT_EQ(cases.Make(i).tensor, again.Make(i).tensor);
    differs = differs || !(cases.Make(i).tensor == others.Make(i).tensor);
  }
  EXPECT_TRUE(differs);
}

TEST(Cases, CoverEveryPairOfKnownVersionAndType) {
  const Cases cases(Operators(), 1);
  EXPECT_EQ(cases.pair_count(), 6);
  std::set<std::pair<size_t, DType>> pairs;
  for (int64_t i = 0; i < cases.pair_count(); ++i) {
    const Case request = cases.Make(i);
    pairs.emplace(request.versions[0], request.tensor.dtype);
  }
  EXPECT_EQ(pairs.size(), 6u);
  EXPECT_FALSE(cases.versions()[3].is_known);
}

TEST(Cases, LeaveOutWhatNoRequestCanAskFor) {
  v1::ListOperatorsResponse operators;
  AddSchema(v1::OPERATOR_REDUCE_L1, v1::FAMILY_ONNX, 29, operators);
  AddSchema(v1::OPERATOR_REDUCE_PROD, v1::FAMILY_ONNX, 1, operators);
  operators.mutable_operators(1)->set_data_types(0,
                                                 static_cast<v1::DataType>(99));
  operators.set_newest_onnx_opset(28);
  const Cases cases(operators, 1);
  EXPECT_FALSE(cases.versions()[0].is_known);
  EXPECT_EQ(cases.pair_count(), 1);
}

TEST(Cases, StayWithinTheOpsetsOfTheirVersion) {
  const Cases cases(Operators(), 2);
  std::set<int32_t> first_version;
  for (int64_t i = 0; i < kMany; ++i) {
    const Case request = cases.Make(i);
    const Reduction& reduction = request.reductions[0];
    if (request.versions[0] == 0) {
      first_version.insert(reduction.onnx_opset.value());
    }
    if (request.versions[0] == 1 && reduction.onnx_opset) {
      EXPECT_THAT(*reduction.onnx_opset, AllOf(Ge(13), Le(28)));
    }
    if (request.versions[0] == 2) {
      EXPECT_THAT(reduction.openvino_opset.value(), AllOf(Ge(4), Le(16)));
    }
  }
  EXPECT_THAT(first_version, Each(AllOf(Ge(1), Le(12))));
}

TEST(Cases, AskOnlyForAttributesThatTheVersionHas) {
  const Cases cases(Operators(), 3);
  bool has_keep_dims = false;
  for (int64_t i = 0; i < kMany; ++i) {
    for (const Reduction& reduction : cases.Make(i).reductions) {
      has_keep_dims = has_keep_dims || reduction.keep_dims.has_value();
      EXPECT_FALSE(reduction.noop_with_empty_axes.has_value());
      EXPECT_FALSE(reduction.select_last_index.has_value());
    }
  }
  EXPECT_TRUE(has_keep_dims);
}

TEST(Cases, HaveEveryRankEmptyAxesNegativeAxesAndSeveralReductions) {
  const Cases cases(Operators(), 4);
  std::set<size_t> ranks;
  bool has_zero_extent = false;
  bool has_empty_axes = false;
  bool has_negative_axis = false;
  bool has_several = false;
  for (int64_t i = 0; i < kMany; ++i) {
    const Case request = cases.Make(i);
    ranks.insert(request.tensor.shape.size());
    has_zero_extent =
        has_zero_extent || std::ranges::count(request.tensor.shape, 0) > 0;
    has_several = has_several || request.reductions.size() > 1;
    const std::vector<int64_t>& axes = request.reductions[0].axes;
    has_empty_axes = has_empty_axes || axes.empty();
    has_negative_axis =
        has_negative_axis ||
        std::ranges::any_of(axes, [](int64_t axis) { return axis < 0; });
  }
  EXPECT_EQ(ranks, (std::set<size_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(has_zero_extent);
  EXPECT_TRUE(has_empty_axes);
  EXPECT_TRUE(has_negative_axis);
  EXPECT_TRUE(has_several);
}

TEST(Cases, GoAsStreamsTooNowAndThenInPiecesThatEndWithinElements) {
  const Cases cases(Operators(), 4);
  int streams = 0;
  int odd = 0;
  for (int64_t i = 0; i < kMany; ++i) {
    const Case request = cases.Make(i);
    if (!request.piece_bytes.has_value()) continue;
    ++streams;
    odd += *request.piece_bytes % SizeOf(request.tensor.dtype) != 0 ? 1 : 0;
    EXPECT_GT(*request.piece_bytes, 0);
  }
  EXPECT_GT(streams, kMany / 8);
  EXPECT_LT(streams, kMany / 2);
  EXPECT_GT(odd, 0);
}

TEST(Cases, AskForPositionsOnlyAlongOneAxisThatHasElements) {
  v1::ListOperatorsResponse operators;
  AddSchema(v1::OPERATOR_ARG_MAX, v1::FAMILY_ONNX, 1, operators);
  AddSchema(v1::OPERATOR_ARG_MAX, v1::FAMILY_ONNX, 11, operators);
  operators.set_newest_onnx_opset(28);
  const Cases cases(operators, 5);
  bool has_scalar = false;
  bool has_default_axis = false;
  for (int64_t i = 0; i < kMany; ++i) {
    const Case request = cases.Make(i);
    const std::vector<int64_t>& shape = request.tensor.shape;
    for (size_t j = 0; j < request.reductions.size(); ++j) {
      const std::vector<int64_t>& axes = request.reductions[j].axes;
      ASSERT_LE(axes.size(), 1u);
      if (shape.empty()) {
        EXPECT_THAT(axes, IsEmpty());
        EXPECT_EQ(request.versions[j], 0u);
        has_scalar = true;
        continue;
      }
      const int64_t axis = axes.empty() ? 0 : axes[0];
      EXPECT_GT(shape[axis < 0 ? axis + shape.size() : axis], 0);
      has_default_axis = has_default_axis || axes.empty();
    }
  }
  EXPECT_TRUE(has_scalar);
  EXPECT_TRUE(has_default_axis);
}

TEST(Cases, LeaveOutTypesThatTheLocalComputationHasNotForTheOperator) {
  v1::ListOperatorsResponse operators;
  AddSchema(v1::OPERATOR_REDUCE_LOGICAL_AND, v1::FAMILY_OPENVINO, 1, operators);
  operators.set_newest_openvino_opset(16);
  EXPECT_FALSE(Cases(operators, 1).versions()[0].is_known);
  operators.mutable_operators(0)->add_data_types(v1::DATA_TYPE_BOOL);
  EXPECT_TRUE(Cases(operators, 1).versions()[0].is_known);
  EXPECT_EQ(Cases(operators, 1).pair_count(), 1);
}

TEST(Describe, SaysAllThatWasAsked) {
  Case request;
  request.tensor.dtype = DType::kFloat16;
  request.tensor.shape = {2, 0};
  request.reductions.push_back({.op = Operator::kReduceL1,
                                .onnx_opset = 13,
                                .axes = {1, -2},
                                .keep_dims = false});
  request.reductions.push_back({.op = Operator::kReduceProd});
  request.piece_bytes = 3;
  EXPECT_EQ(Describe(request),
            "float16[2,0]; ReduceL1 onnx_opset=13 axes=[1,-2] keep_dims=false; "
            "ReduceProd axes=[]; as a stream too, in pieces of 3 bytes");
}

}  // namespace
}  // namespace reductor::check
