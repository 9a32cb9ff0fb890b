#include "client/download.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;

// Two results of one reduction each: int16[2] and a uint8 scalar.
v1::ReduceStreamResponse Types() {
  v1::ReduceStreamResponse message;
  v1::Tensor& first = *message.mutable_results()->add_results();
  first.set_data_type(v1::DATA_TYPE_INT16);
  first.add_shape(2);
  message.mutable_results()->add_results()->set_data_type(v1::DATA_TYPE_UINT8);
  return message;
}

v1::ReduceStreamResponse Piece(int32_t reduction, const std::string& data) {
  v1::ReduceStreamResponse message;
  message.mutable_piece()->set_reduction(reduction);
  message.mutable_piece()->set_data(data);
  return message;
}

class DownloadTest : public ::testing::Test {
 protected:
  std::vector<TensorType> types_;
  std::vector<std::string> data_ = {"", ""};
  const ResultSink sink_ = {
      .on_types =
          [this](const std::vector<TensorType>& types) {
            types_ = types;
            return absl::OkStatus();
          },
      .on_bytes =
          [this](int64_t result, absl::string_view bytes) {
            data_[result].append(bytes.data(), bytes.size());
            return absl::OkStatus();
          }};
  Download download_{sink_, 2};
};

TEST_F(DownloadTest, HandsOnTypesAndPieces) {
  EXPECT_FALSE(download_.has_types());
  for (const auto& message :
       {Types(), Piece(0, "abc"), Piece(1, "x"), Piece(0, "d")}) {
    EXPECT_EQ(download_.Take(message), absl::OkStatus());
    EXPECT_TRUE(download_.has_types());
  }
  EXPECT_THAT(types_, ElementsAre(TensorType{DType::kInt16, {2}},
                                  TensorType{DType::kUint8, {}}));
  EXPECT_THAT(data_, ElementsAre("abcd", "x"));
  EXPECT_EQ(download_.CheckComplete(), absl::OkStatus());
}

TEST_F(DownloadTest, RefusesPiecesBeforeTheTypes) {
  EXPECT_EQ(download_.Take(Piece(0, "a")),
            absl::InternalError("the server answered bytes of result 0 of 0"));
}

TEST_F(DownloadTest, RefusesTheTypesTwice) {
  ASSERT_TRUE(download_.Take(Types()).ok());
  EXPECT_EQ(
      download_.Take(Types()),
      absl::InternalError("the server answered the results' types twice"));
}

TEST_F(DownloadTest, RefusesAnotherNumberOfResults) {
  v1::ReduceStreamResponse message;
  message.mutable_results();
  EXPECT_EQ(
      download_.Take(message),
      absl::InternalError("the server answered 0 results for 2 reductions"));
}

TEST_F(DownloadTest, RefusesATypeThatIsNone) {
  v1::ReduceStreamResponse message = Types();
  message.mutable_results()->mutable_results(0)->add_shape(-1);
  EXPECT_EQ(download_.Take(message),
            absl::InternalError(
                "the server answered int16[2,-1], which is no tensor"));
}

TEST_F(DownloadTest, RefusesPiecesOfNoResult) {
  ASSERT_TRUE(download_.Take(Types()).ok());
  EXPECT_EQ(download_.Take(Piece(2, "a")),
            absl::InternalError("the server answered bytes of result 2 of 2"));
  EXPECT_TRUE(absl::IsInternal(download_.Take(Piece(-1, "a"))));
}

TEST_F(DownloadTest, RefusesMoreBytesThanAResultHas) {
  ASSERT_TRUE(download_.Take(Types()).ok());
  EXPECT_EQ(download_.Take(Piece(1, "xy")),
            absl::InternalError(
                "the server answered more bytes of result 1 than it has"));
}

TEST_F(DownloadTest, RefusesAnEndBeforeAnyOrEveryByte) {
  EXPECT_EQ(download_.CheckComplete(),
            absl::InternalError("the server ended the call without an answer"));
  ASSERT_TRUE(download_.Take(Types()).ok());
  ASSERT_TRUE(download_.Take(Piece(0, "abcd")).ok());
  EXPECT_EQ(download_.CheckComplete(),
            absl::InternalError("the server ended the call 1 bytes before the "
                                "end of result 1"));
}

TEST_F(DownloadTest, RefusesAMessageThatItDoesNotKnow) {
  EXPECT_EQ(download_.Take({}),
            absl::InternalError("the server answered a message that this "
                                "client does not know"));
}

}  // namespace
}  // namespace reductor
