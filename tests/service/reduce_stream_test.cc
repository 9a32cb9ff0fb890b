// ReduceStream over a real port: right answers, as early as may be.
#include "tests/service/reduce_stream.h"

#include <random>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/service/running_server.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;

constexpr size_t kMiB = 1 << 20;

v1::ReduceRequest RequestOf(v1::DataType data_type, std::vector<int64_t> shape,
                            std::string data) {
  v1::ReduceRequest request;
  request.mutable_tensor()->set_data_type(data_type);
  request.mutable_tensor()->mutable_shape()->Add(shape.begin(), shape.end());
  request.mutable_tensor()->set_data(std::move(data));
  return request;
}

void AddReduction(v1::Operator op, std::vector<int64_t> axes,
                  v1::ReduceRequest* request) {
  v1::Reduction* const reduction = request->add_reductions();
  reduction->set_operator_(op);
  reduction->mutable_axes()->Add(axes.begin(), axes.end());
}

std::vector<float> FloatsOf(const std::string& bytes) {
  std::vector<float> floats(bytes.size() / sizeof(float));
  bytes.copy(reinterpret_cast<char*>(floats.data()), bytes.size());
  return floats;
}

class ReduceStream : public testing::Test {
 protected:
  v1::ReduceResponse Unary(const v1::ReduceRequest& request) {
    v1::ReduceResponse response;
    EXPECT_TRUE(server_.Reduce(request, &response).ok());
    return response;
  }

  void ExpectTheAnswerOfReduce(const v1::ReduceRequest& request,
                               size_t piece_size) {
    const StreamAnswer answer = Streamed(server_.stub(), request, piece_size);
    EXPECT_TRUE(answer.status.ok()) << answer.status.error_message();
    EXPECT_EQ(answer.response.SerializeAsString(),
              Unary(request).SerializeAsString());
  }

  RunningServer server_;
};

TEST_F(ReduceStream, DescribesTheResultsAndThenFillsThem) {
  const v1::ReduceRequest request = SmallRequest();
  ReduceStreamCall call(server_.stub());
  ASSERT_TRUE(call.WriteHeader(HeaderOf(request)));
  const v1::ReduceStreamResponse first = call.Read();
  ASSERT_EQ(first.results().results_size(), 1);
  EXPECT_EQ(first.results().results(0).data_type(), v1::DATA_TYPE_FLOAT32);
  EXPECT_THAT(first.results().results(0).shape(), ElementsAre(2, 1));
  EXPECT_TRUE(first.results().results(0).data().empty());
  ASSERT_TRUE(call.WriteData(request.tensor().data()));
  const v1::ReduceStreamResponse second = call.Read();
  EXPECT_EQ(second.piece().reduction(), 0);
  EXPECT_THAT(FloatsOf(second.piece().data()), ElementsAre(6, 15));
  call.WritesDone();
  EXPECT_TRUE(call.Finish().status.ok());
}

TEST_F(ReduceStream, TakesPiecesThatCutElements) {
  ExpectTheAnswerOfReduce(SmallRequest(), 1);
  ExpectTheAnswerOfReduce(SmallRequest(), 7);
}

TEST_F(ReduceStream, SendsResultsWhileTheTensorIsStillOnItsWay) {
  // Rows of 4 KiB; a range of the fold has 128 of them.
  v1::ReduceRequest request = RequestOf(v1::DATA_TYPE_UINT32, {1024, 1024}, "");
  AddReduction(v1::OPERATOR_REDUCE_MAX, {1}, &request);
  ReduceStreamCall call(server_.stub());
  ASSERT_TRUE(call.WriteHeader(HeaderOf(request)));
  ASSERT_TRUE(call.Read().has_results());
  ASSERT_TRUE(call.WriteData(std::string(200 * 4096, '\1')));
  const v1::ReduceStreamResponse answer = call.Read();
  EXPECT_EQ(answer.piece().data(), std::string(128 * 4, '\1'));
  call.Cancel();
  EXPECT_EQ(call.Finish().status.error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(ReduceStream, GivesTheBitsOfReduceForSeveralReductions) {
  std::mt19937 rng(20'26);
  std::string data(3 * 70 * 1000 * 8, '\0');
  for (char& byte : data) byte = static_cast<char>(rng() % 64 + 16);
  v1::ReduceRequest request =
      RequestOf(v1::DATA_TYPE_FLOAT64, {3, 70, 1000}, data);
  for (const std::vector<int64_t>& axes :
       std::vector<std::vector<int64_t>>{{0}, {1}, {2}, {0, 2}, {}}) {
    AddReduction(v1::OPERATOR_REDUCE_SUM, axes, &request);
    AddReduction(v1::OPERATOR_REDUCE_LOG_SUM_EXP, axes, &request);
  }
  AddReduction(v1::OPERATOR_ARG_MAX, {1}, &request);
  for (const size_t piece_size : {size_t{1001}, 100 * kMiB}) {
    ExpectTheAnswerOfReduce(request, piece_size);
  }
}

TEST_F(ReduceStream, AnswersAScalar) {
  v1::ReduceRequest request =
      RequestOf(v1::DATA_TYPE_INT32, {}, std::string("\xfd\xff\xff\xff", 4));
  AddReduction(v1::OPERATOR_REDUCE_L1, {}, &request);
  const StreamAnswer answer = Streamed(server_.stub(), request, 4);
  EXPECT_EQ(answer.response.results(0).data(), std::string("\3\0\0\0", 4));
}

TEST_F(ReduceStream, AnswersATensorWithoutElementsAtOnce) {
  v1::ReduceRequest request = RequestOf(v1::DATA_TYPE_FLOAT32, {2, 0}, "");
  AddReduction(v1::OPERATOR_REDUCE_PROD, {1}, &request);
  AddReduction(v1::OPERATOR_REDUCE_PROD, {0}, &request);
  const StreamAnswer answer = Streamed(server_.stub(), request, 1);
  ASSERT_TRUE(answer.status.ok());
  EXPECT_THAT(FloatsOf(answer.response.results(0).data()), ElementsAre(1, 1));
  EXPECT_THAT(answer.response.results(1).shape(), ElementsAre(1, 0));
  EXPECT_EQ(answer.response.results(1).data(), "");
}

TEST_F(ReduceStream, TakesMessagesWithoutBytes) {
  const v1::ReduceRequest request = SmallRequest();
  ReduceStreamCall call(server_.stub());
  call.WriteHeader(HeaderOf(request));
  call.WriteData("");
  call.WriteData(request.tensor().data());
  call.WriteData("");
  call.WritesDone();
  EXPECT_EQ(call.Finish().response.SerializeAsString(),
            Unary(request).SerializeAsString());
}

TEST_F(ReduceStream, CarriesLargeAnswersInPiecesOfAMebibyte) {
  std::string data(5 * kMiB / 2, '\0');
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<char>(i % 251);
  v1::ReduceRequest request =
      RequestOf(v1::DATA_TYPE_UINT8, {static_cast<int64_t>(data.size())}, data);
  AddReduction(v1::OPERATOR_REDUCE_MAX, {}, &request);
  request.mutable_reductions(0)->set_openvino_opset(1);
  const StreamAnswer answer = Streamed(server_.stub(), request, data.size());
  EXPECT_EQ(answer.pieces, 3);
  EXPECT_TRUE(answer.response.results(0).data() == data);
}

TEST_F(ReduceStream, TakesTensorsThatReduceWouldNot) {
  RunningServer small({"--max-message-bytes=100000"});
  std::string data(4 * kMiB, '\2');
  v1::ReduceRequest request =
      RequestOf(v1::DATA_TYPE_UINT8, {static_cast<int64_t>(data.size())}, data);
  AddReduction(v1::OPERATOR_REDUCE_SUM, {0}, &request);
  request.mutable_reductions(0)->set_openvino_opset(1);
  const StreamAnswer answer = Streamed(small.stub(), request, 90'000);
  ASSERT_TRUE(answer.status.ok()) << answer.status.error_message();
  EXPECT_EQ(answer.response.results(0).data(), std::string(1, '\0'));
}

}  // namespace
}  // namespace reductor
