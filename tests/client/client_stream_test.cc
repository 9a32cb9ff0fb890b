// Streams between the client and a server that does what a test wants.
#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "client/client.h"
#include "client/errors.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/client/fake_server.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;
using ::testing::Le;

// More than any window of gRPC's between a server and a client holds.
constexpr int64_t kLarge = 48 << 20;

Tensor LargeTensor() {
  std::string data(kLarge, '\0');
  for (int64_t i = 0; i < kLarge; ++i) data[i] = static_cast<char>(i % 251);
  return {DType::kUint8, {kLarge}, std::move(data)};
}

class ClientStream : public ::testing::Test {
 protected:
  absl::StatusOr<std::vector<Tensor>> Reduce(
      Tensor tensor, const StreamOptions& options = {}) {
    const Reduction reduction = {.op = Operator::kReduceL1, .axes = {-1}};
    return Client(Connect(server_.address()))
        .ReduceStream(std::move(tensor), {&reduction, 1}, options);
  }

  // The same with a tensor of `bytes` bytes from `source`, and nothing done
  // with its results.
  absl::Status Reduce(int64_t bytes, const PieceSource& source) {
    const Reduction reduction = {.op = Operator::kReduceL1};
    return Client(Connect(server_.address()))
        .ReduceStream({DType::kUint8, {bytes}}, {&reduction, 1}, source, idle_);
  }

  const ResultSink idle_ = {
      .on_types = [](const auto&) { return absl::OkStatus(); },
      .on_bytes = [](int64_t, absl::string_view) { return absl::OkStatus(); }};
  absl::Notification over_;  // Outlives the server's calls, which wait for it.
  FakeServer server_;
};

TEST_F(ClientStream, SendsTheHeaderThenPiecesOfOneMebibyte) {
  v1::ReduceStreamHeader header;
  std::vector<size_t> sizes;
  server_.on_stream = [&](ServedStream& stream) {
    header = AnswerTypes(stream);
    v1::ReduceStreamRequest request;
    while (stream.Read(&request)) sizes.push_back(request.data().size());
    return grpc::Status(grpc::StatusCode::ABORTED, "seen enough");
  };
  const std::string data((2 << 20) + 2, 'x');
  EXPECT_EQ(Reduce({DType::kUint16, {(1 << 20) + 1}, data}).status(),
            absl::AbortedError("seen enough"));
  EXPECT_EQ(header.reductions(0).operator_(), v1::OPERATOR_REDUCE_L1);
  EXPECT_THAT(header.reductions(0).axes(), ElementsAre(-1));
  EXPECT_EQ(header.data_type(), v1::DATA_TYPE_UINT16);
  EXPECT_THAT(header.shape(), ElementsAre((1 << 20) + 1));
  EXPECT_THAT(sizes, ElementsAre(1 << 20, 1 << 20, 2));
}

TEST_F(ClientStream, ReadsAnswersWhileItSends) {
  server_.on_stream = Echo;
  const Tensor tensor = LargeTensor();
  const auto results = Reduce(tensor);
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_TRUE(results->front() == tensor);
}

TEST_F(ClientStream, ReadsAnAnswerThatComesAtTheEnd) {
  server_.on_stream = [](ServedStream& stream) {
    AnswerTypes(stream);
    v1::ReduceStreamRequest request;
    v1::ReduceStreamResponse response;
    std::string& data = *response.mutable_piece()->mutable_data();
    while (stream.Read(&request)) data += request.data();
    stream.Write(response);
    return grpc::Status::OK;
  };
  const Tensor tensor = LargeTensor();
  const auto results = Reduce(tensor);
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_TRUE(results->front() == tensor);
}

TEST_F(ClientStream, CarriesTensorsWithoutElementsAndScalars) {
  server_.on_stream = Echo;
  for (const Tensor& tensor :
       {MakeTensor<float>({3, 0}, {}), MakeTensor<double>({}, {1.5})}) {
    const auto results = Reduce(tensor);
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_THAT(*results, ElementsAre(tensor));
  }
}

TEST_F(ClientStream, AnswersEveryReduction) {
  server_.on_stream = Echo;
  const std::vector<Reduction> reductions(3, {.op = Operator::kReduceMax});
  const Tensor tensor = MakeTensor<int16_t>({2}, {3, -4});
  const auto results =
      Client(Connect(server_.address())).ReduceStream(tensor, reductions);
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT(*results, ElementsAre(tensor, tensor, tensor));
}

TEST_F(ClientStream, ReportsARefusalWithoutTouchingTheSource) {
  server_.on_stream = [](ServedStream&) { return TwoViolations(); };
  int asked = 0;
  const absl::Status status =
      Reduce(100, [&asked]() -> absl::StatusOr<absl::Cord> {
        ++asked;
        return absl::Cord(std::string(100, 'x'));
      });
  EXPECT_EQ(ReasonOf(status), "AXIS_OUT_OF_RANGE");
  EXPECT_EQ(asked, 0);
}

TEST_F(ClientStream, ReportsTheStatusOfAServerThatEndsWhileItStillSends) {
  server_.on_stream = [](ServedStream& stream) {
    AnswerTypes(stream);
    v1::ReduceStreamRequest request;
    stream.Read(&request);
    return grpc::Status(grpc::StatusCode::ABORTED, "enough");
  };
  // A source without an end that anybody would reach.
  const absl::Cord piece(std::string(1 << 20, 'x'));
  EXPECT_EQ(Reduce(int64_t{1} << 50,
                   [&piece]() -> absl::StatusOr<absl::Cord> { return piece; }),
            absl::AbortedError("enough"));
}

TEST_F(ClientStream, IsSentAgainWhileTheServerIsBusy) {
  std::atomic<int> calls = 0;
  server_.on_stream = [&calls](ServedStream& stream) {
    return ++calls <= 6 ? Busy(1) : Echo(stream);
  };
  const Tensor tensor = MakeTensor<int8_t>({2}, {3, -4});
  const auto results = Reduce(tensor);
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT(*results, ElementsAre(tensor));
  EXPECT_EQ(calls, 7);
}

TEST_F(ClientStream, IsSentAgainWhereTheServerGoesAway) {
  std::atomic<int> calls = 0;
  server_.on_stream = [&calls](ServedStream& stream) {
    if (++calls < 3) return grpc::Status(grpc::StatusCode::UNAVAILABLE, "");
    return Echo(stream);
  };
  EXPECT_TRUE(Reduce(MakeTensor<int8_t>({2}, {3, -4})).ok());
  EXPECT_EQ(calls, 3);
}

TEST_F(ClientStream, IsNotSentAgainOnceTheServerHasTakenIt) {
  std::atomic<int> calls = 0;
  server_.on_stream = [&calls](ServedStream& stream) {
    ++calls;
    AnswerTypes(stream);
    return Busy(1);
  };
  EXPECT_EQ(ReasonOf(Reduce(LargeTensor()).status()), "BUSY");
  EXPECT_EQ(calls, 1);
}

TEST_F(ClientStream, HoldsNoMoreThanTheServerIsAboutToRead) {
  server_.on_stream = [this](ServedStream& stream) {
    AnswerTypes(stream);
    over_.WaitForNotification();
    return grpc::Status::OK;
  };
  int64_t asked = 0;
  const absl::Cord piece(std::string(1 << 20, 'x'));
  const Reduction reduction = {.op = Operator::kReduceL1};
  const absl::Status status =
      Client(Connect(server_.address()))
          .ReduceStream({DType::kUint8, {int64_t{1} << 50}}, {&reduction, 1},
                        [&]() -> absl::StatusOr<absl::Cord> {
                          ++asked;
                          return piece;
                        },
                        idle_, {.timeout = absl::Milliseconds(200)});
  over_.Notify();
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_THAT(asked, Le(32));
}

TEST_F(ClientStream, GivesUpWhereTheServerDoesNotTakeIt) {
  server_.on_stream = [this](ServedStream&) {
    over_.WaitForNotification();
    return grpc::Status::OK;
  };
  EXPECT_EQ(Reduce(MakeTensor<float>({}, {1}),
                   {.start_timeout = absl::Milliseconds(20)})
                .status(),
            absl::DeadlineExceededError("the server did not take the call"));
  over_.Notify();
}

TEST_F(ClientStream, RefusesPiecesOfNoBytesAndOfMoreThanAMessageHas) {
  for (const int64_t bytes :
       {int64_t{0}, int64_t{-1}, (int64_t{1} << 30) + 1}) {
    EXPECT_EQ(
        Reduce({DType::kUint8, {1}, "x"}, {.piece_bytes = bytes}).status(),
        absl::InvalidArgumentError(absl::StrCat("piece_bytes: ", bytes,
                                                " is not in 1 to 1073741824")));
  }
}

TEST_F(ClientStream, EndsWithTheErrorOfItsSource) {
  server_.on_stream = Echo;
  int asked = 0;
  EXPECT_EQ(Reduce(4 << 20,
                   [&asked]() -> absl::StatusOr<absl::Cord> {
                     if (++asked > 2) return absl::DataLossError("torn");
                     return absl::Cord(std::string(1 << 20, 'x'));
                   }),
            absl::DataLossError("torn"));
}

TEST_F(ClientStream, EndsWithTheErrorOfItsSink) {
  server_.on_stream = Echo;
  const Reduction reduction = {.op = Operator::kReduceL1};
  const ResultSink full = {
      .on_types = [](const auto&) { return absl::OkStatus(); },
      .on_bytes =
          [](int64_t, absl::string_view) {
            return absl::ResourceExhaustedError("disk full");
          }};
  const absl::Cord piece(std::string(1 << 20, 'x'));
  EXPECT_EQ(
      Client(Connect(server_.address()))
          .ReduceStream(
              {DType::kUint8, {int64_t{1} << 50}}, {&reduction, 1},
              [&piece]() -> absl::StatusOr<absl::Cord> { return piece; }, full),
      absl::ResourceExhaustedError("disk full"));
}

TEST_F(ClientStream, RefusesAnAnswerThatIsNotComplete) {
  server_.on_stream = [](ServedStream& stream) {
    AnswerTypes(stream);
    return grpc::Status::OK;
  };
  EXPECT_EQ(Reduce(MakeTensor<float>({}, {1})).status(),
            absl::InternalError("the server ended the call 4 bytes before the "
                                "end of result 0"));
}

}  // namespace
}  // namespace reductor
