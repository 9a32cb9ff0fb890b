#include "core/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reductor {
namespace {

using ::testing::ElementsAre;
using ::testing::IsNull;
using ::testing::NotNull;

int32_t VersionAt(Operator op, Family family, int32_t opset) {
  const Schema* schema = FindSchema(op, family, opset);
  return schema == nullptr ? 0 : schema->since_version;
}

TEST(FindSchema, ResolvesAnOnnxOpsetToTheLargestVersionNotAboveIt) {
  for (const Operator op : {Operator::kReduceL1, Operator::kReduceProd}) {
    EXPECT_EQ(VersionAt(op, Family::kOnnx, 1), 1);
    EXPECT_EQ(VersionAt(op, Family::kOnnx, 10), 1);
    EXPECT_EQ(VersionAt(op, Family::kOnnx, 11), 11);
    EXPECT_EQ(VersionAt(op, Family::kOnnx, 12), 11);
    EXPECT_EQ(VersionAt(op, Family::kOnnx, 13), 13);
    EXPECT_EQ(VersionAt(op, Family::kOnnx, 17), 13);
    EXPECT_EQ(VersionAt(op, Family::kOnnx, 18), 18);
    EXPECT_EQ(VersionAt(op, Family::kOnnx, 28), 18);
  }
}

TEST(FindSchema, ResolvesTheOperatorsThatChangedAtOtherOpsets) {
  EXPECT_EQ(VersionAt(Operator::kReduceSum, Family::kOnnx, 28), 13);
  EXPECT_EQ(VersionAt(Operator::kReduceMax, Family::kOnnx, 12), 12);
  EXPECT_EQ(VersionAt(Operator::kReduceMin, Family::kOnnx, 19), 18);
  EXPECT_EQ(VersionAt(Operator::kReduceMin, Family::kOnnx, 20), 20);
  EXPECT_EQ(VersionAt(Operator::kReduceLogSum, Family::kOnnx, 27), 18);
  EXPECT_EQ(VersionAt(Operator::kReduceLogSumExp, Family::kOnnx, 28), 28);
  EXPECT_EQ(VersionAt(Operator::kArgMax, Family::kOnnx, 12), 12);
  EXPECT_EQ(VersionAt(Operator::kArgMin, Family::kOnnx, 28), 13);
}

TEST(FindSchema, HasOpenvinoReduceL1FromOpset4) {
  EXPECT_EQ(VersionAt(Operator::kReduceL1, Family::kOpenvino, 3), 0);
  EXPECT_EQ(VersionAt(Operator::kReduceL1, Family::kOpenvino, 4), 4);
  EXPECT_EQ(VersionAt(Operator::kReduceL1, Family::kOpenvino, 16), 4);
}

TEST(FindSchema, IsNullForAnOperatorTheFamilyLacks) {
  EXPECT_THAT(FindSchema(Operator::kArgMax, Family::kOpenvino, 16), IsNull());
}

TEST(Schema, AllowsBfloat16FromOnnxVersion13) {
  EXPECT_FALSE(FindSchema(Operator::kReduceL1, Family::kOnnx, 12)
                   ->Allows(DType::kBFloat16));
  EXPECT_TRUE(FindSchema(Operator::kReduceL1, Family::kOnnx, 13)
                  ->Allows(DType::kBFloat16));
}

TEST(Schema, ListsTypesAndAttributesInTheOrderOfTheirEnumerations) {
  const Schema* schema = FindSchema(Operator::kReduceProd, Family::kOnnx, 18);
  ASSERT_THAT(schema, NotNull());
  EXPECT_THAT(schema->DTypes(),
              ElementsAre(DType::kFloat32, DType::kFloat64, DType::kFloat16,
                          DType::kBFloat16, DType::kInt32, DType::kInt64,
                          DType::kUint32, DType::kUint64));
  EXPECT_THAT(schema->Attributes(),
              ElementsAre(Attribute::kKeepDims, Attribute::kNoopWithEmptyAxes));
}

TEST(Schema, KeepsDimsByDefaultInOnnxOnly) {
  EXPECT_TRUE(FindSchema(Operator::kReduceL1, Family::kOnnx, 1)
                  ->DefaultOf(Attribute::kKeepDims));
  EXPECT_FALSE(FindSchema(Operator::kReduceL1, Family::kOnnx, 18)
                   ->DefaultOf(Attribute::kNoopWithEmptyAxes));
  EXPECT_FALSE(FindSchema(Operator::kReduceL1, Family::kOpenvino, 4)
                   ->DefaultOf(Attribute::kKeepDims));
}

TEST(Schema, TakesEveryNumericTypeInOpenvino) {
  const Schema* schema = FindSchema(Operator::kReduceL1, Family::kOpenvino, 4);
  for (const DType dtype : kDTypes) {
    EXPECT_EQ(schema->Allows(dtype), dtype != DType::kBool) << NameOf(dtype);
  }
}

TEST(Schema, AllowsWhatEachVersionOfTheOthersAllows) {
  const auto allows = [](Operator op, int32_t opset, DType dtype) {
    return FindSchema(op, Family::kOnnx, opset)->Allows(dtype);
  };
  EXPECT_FALSE(allows(Operator::kReduceMax, 11, DType::kUint8));
  EXPECT_TRUE(allows(Operator::kReduceMax, 12, DType::kUint8));
  EXPECT_FALSE(allows(Operator::kReduceMax, 12, DType::kBFloat16));
  EXPECT_TRUE(allows(Operator::kReduceMax, 13, DType::kBFloat16));
  EXPECT_FALSE(allows(Operator::kReduceMin, 19, DType::kBool));
  EXPECT_TRUE(allows(Operator::kReduceMin, 20, DType::kBool));
  EXPECT_TRUE(allows(Operator::kReduceLogSum, 27, DType::kInt32));
  EXPECT_FALSE(allows(Operator::kReduceLogSum, 28, DType::kInt32));
  EXPECT_TRUE(allows(Operator::kArgMax, 1, DType::kInt16));
  EXPECT_FALSE(allows(Operator::kArgMax, 12, DType::kBFloat16));
  EXPECT_FALSE(FindSchema(Operator::kReduceSum, Family::kOpenvino, 1)
                   ->Allows(DType::kBool));
}

TEST(Schema, HasSelectLastIndexFromArgMaxVersion12) {
  const auto has = [](int32_t opset) {
    return FindSchema(Operator::kArgMax, Family::kOnnx, opset)
        ->Has(Attribute::kSelectLastIndex);
  };
  EXPECT_FALSE(has(11));
  EXPECT_TRUE(has(12));
}

TEST(Schemas, AreGroupedByOperatorAndFamilyWithAscendingVersions) {
  const absl::Span<const Schema> rows = Schemas();
  for (size_t i = 1; i < rows.size(); ++i) {
    const auto key = [&](size_t row) {
      return std::tuple(rows[row].op, rows[row].family,
                        rows[row].since_version);
    };
    EXPECT_LT(key(i - 1), key(i)) << "row " << i;
  }
}

TEST(Schemas, AreDocumented) {
  for (const Schema& schema : Schemas()) {
    EXPECT_NE(DocumentationOf(schema.op), "") << NameOf(schema.op);
  }
}

}  // namespace
}  // namespace reductor
