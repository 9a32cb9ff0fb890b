// Split(): what it takes from legal bytes, what it refuses, and that it shares
// the received memory.
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "service/status.h"
#include "service/wire.h"
#include "tests/service/wire_bytes.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;

SplitRequest SplitBytes(const std::string& bytes, size_t slice_size = 1 << 16) {
  const auto split = Split(ToByteBuffer(bytes, slice_size));
  EXPECT_TRUE(split.ok()) << split.status();
  return split.ok() ? *split : SplitRequest();
}

std::string ReasonOfSplit(const std::string& bytes) {
  return ReasonOf(Split(ToByteBuffer(bytes)).status());
}

// data_type FLOAT32, shape [2], as fields of a Tensor.
const std::string kHead = "\x08\x01\x12\x01\x02";

// A length-delimited field whose tag and length take one byte each.
std::string Field(char tag, const std::string& value) {
  return std::string(1, tag) + static_cast<char>(value.size()) + value;
}

std::string TensorField(const std::string& tensor) {
  return Field('\x7a', tensor);
}

std::string DataField(const std::string& data) { return Field('\x7a', data); }

TEST(Split, SeparatesTheDataFromTheSmallMessage) {
  v1::ReduceRequest request;
  request.add_reductions()->set_operator_(v1::OPERATOR_REDUCE_L1);
  request.mutable_tensor()->set_data_type(v1::DATA_TYPE_INT8);
  request.mutable_tensor()->add_shape(3);
  request.mutable_tensor()->set_data("abc");
  const SplitRequest split = SplitBytes(request.SerializeAsString());
  request.mutable_tensor()->clear_data();
  EXPECT_EQ(split.message.SerializeAsString(), request.SerializeAsString());
  EXPECT_EQ(split.data, "abc");
}

TEST(Split, SharesTheMemoryOfTheSlicesAcrossTheirCuts) {
  std::string bytes = "\x7a\xd3\x0f\x7a\xd0\x0f";  // Tensor 2003, data 2000.
  bytes += std::string(1000, 'a') + std::string(1000, 'b');
  const grpc::ByteBuffer buffer = ToByteBuffer(bytes, 1006);
  std::vector<grpc::Slice> slices;
  ASSERT_TRUE(buffer.Dump(&slices).ok());

  const auto split = Split(buffer);

  ASSERT_TRUE(split.ok()) << split.status();
  std::vector<const void*> chunks;
  for (const absl::string_view chunk : split->data.Chunks()) {
    chunks.push_back(chunk.data());
  }
  EXPECT_THAT(chunks, ElementsAre(slices[0].begin() + 6, slices[1].begin()));
}

TEST(Split, KeepsTheDataAliveWhenTheBufferIsGone) {
  absl::Cord data;
  {
    const grpc::ByteBuffer buffer =
        ToByteBuffer("\x7a\x82\x08\x7a\xff\x07" + std::string(1023, 'x'), 600);
    data = Split(buffer)->data;
  }
  EXPECT_EQ(data, std::string(1023, 'x'));
}

TEST(Split, GivesAnEmptyRequestForNoBytes) {
  const SplitRequest split = SplitBytes("");
  EXPECT_FALSE(split.message.has_tensor());
  EXPECT_EQ(split.message.reductions_size(), 0);
}

TEST(Split, SeesATensorWithoutAnyField) {
  EXPECT_TRUE(SplitBytes(TensorField("")).message.has_tensor());
}

TEST(Split, TakesTheFieldsOfATensorInAnyOrder) {
  const SplitRequest split = SplitBytes(TensorField(DataField("ab") + kHead));
  EXPECT_EQ(split.data, "ab");
  EXPECT_THAT(split.message.tensor().shape(), ElementsAre(2));
}

TEST(Split, MergesATensorThatComesInTwoPieces) {
  const SplitRequest split = SplitBytes(TensorField(kHead + DataField("ab")) +
                                        TensorField("\x12\x01\x03"));
  EXPECT_EQ(split.message.tensor().data_type(), v1::DATA_TYPE_FLOAT32);
  EXPECT_THAT(split.message.tensor().shape(), ElementsAre(2, 3));
  EXPECT_EQ(split.data, "ab");
}

TEST(Split, TakesTheLastDataAndTheLastScalar) {
  const SplitRequest split = SplitBytes(TensorField(
      DataField("first") + "\x08\x01" + DataField("last") + "\x08\x05"));
  EXPECT_EQ(split.data, "last");
  EXPECT_EQ(split.message.tensor().data_type(), v1::DATA_TYPE_INT8);
}

TEST(Split, LetsEmptyDataReplaceEarlierData) {
  EXPECT_EQ(SplitBytes(TensorField(DataField("first") + DataField(""))).data,
            "");
}

TEST(Split, MixesPackedAndUnpackedLists) {
  const SplitRequest split =
      SplitBytes(TensorField("\x10\x04\x12\x02\x05\x06\x10\x07"));
  EXPECT_THAT(split.message.tensor().shape(), ElementsAre(4, 5, 6, 7));
}

TEST(Split, SkipsUnknownFieldsAndGroups) {
  const std::string unknown =
      "\xa0\x06\x01"              // 100: a varint
      "\xa2\x06\x02hi"            // 100: bytes
      "\xa3\x06\x08\x05\xa4\x06"  // 100: a group with field 1
      "\xa5\x06wxyz";             // 100: 4 bytes
  const SplitRequest split =
      SplitBytes(unknown + TensorField(unknown + DataField("ab")) + unknown);
  EXPECT_EQ(split.data, "ab");
  EXPECT_EQ(split.message.ByteSizeLong(), 2u);
}

TEST(Split, RefusesBytesThatAreNotTheMessage) {
  for (const std::string& bytes : {
           std::string("\x7a"),                     // A tag without a length.
           std::string("\x7a\x05xy"),               // A length past the end.
           std::string("\x7a\x03\x7a\x02x"),        // The same, one level down.
           std::string("\x7a\x02\x12\x01\x05", 4),  // A list cut by its tensor.
           std::string("\x00\x01", 2),              // Field number 0.
           std::string("\x0f"),                     // Wire type 7.
           std::string("\xa3\x06"),                 // A group without an end.
           std::string("\xa4\x06"),                 // An end without a group.
           std::string("\xa3\x06\xac\x06"),         // Another group's end.
           std::string("\x7a\x80\x80\x80\x80\x80\x00", 7),  // A long length.
           std::string(11, '\xff'),  // No varint is that long.
       }) {
    EXPECT_EQ(ReasonOfSplit(bytes), "MALFORMED_MESSAGE")
        << testing::PrintToString(bytes);
  }
}

TEST(Split, RefusesGroupsNestedTooDeep) {
  std::string open, close;
  for (int i = 0; i < 101; ++i) {
    open += "\xa3\x06";
    close += "\xa4\x06";
  }
  EXPECT_EQ(ReasonOfSplit(open + close), "MALFORMED_MESSAGE");
  EXPECT_EQ(ReasonOfSplit(open.substr(2) + close.substr(2)), "");
}

TEST(Split, RefusesASmallMessageThatIsHugeInMemory) {
  std::string bytes;
  for (int i = 0; i < (1 << 19) + 1; ++i) bytes += std::string("\x0a\0", 2);
  const absl::Status status = Split(ToByteBuffer(bytes)).status();
  EXPECT_EQ(ReasonOf(status), "MESSAGE_TOO_LARGE");
  EXPECT_EQ(status.message(),
            "the request without its tensor's data has 1048578 bytes, more "
            "than the limit of 262144");
}

TEST(Split, DoesNotCountUnknownFields) {
  const std::string unknown(2 << 20, 'u');
  const std::string bytes = std::string("\xa2\x06\x80\x80\x80\x01") + unknown;
  EXPECT_EQ(SplitBytes(bytes).message.ByteSizeLong(), 0u);
}

}  // namespace
}  // namespace reductor
