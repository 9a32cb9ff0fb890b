#include "client/client.h"

#include <atomic>
#include <limits>
#include <string>
#include <vector>

#include "absl/synchronization/notification.h"
#include "client/errors.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/client/fake_server.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Wire, HasTheNumbersOfOurTypes) {
  EXPECT_EQ(v1::DATA_TYPE_FLOAT32, static_cast<int>(DType::kFloat32));
  EXPECT_EQ(v1::DATA_TYPE_BFLOAT16, static_cast<int>(DType::kBFloat16));
  EXPECT_EQ(v1::DATA_TYPE_BOOL, static_cast<int>(DType::kBool));
  EXPECT_EQ(v1::DataType_MAX, static_cast<int>(DType::kBool));
}

TEST(Wire, HasTheNumbersOfOurOperators) {
  EXPECT_EQ(v1::OPERATOR_REDUCE_L1, static_cast<int>(Operator::kReduceL1));
  EXPECT_EQ(v1::OPERATOR_ARG_MIN, static_cast<int>(Operator::kArgMin));
  EXPECT_EQ(v1::OPERATOR_REDUCE_LOGICAL_OR,
            static_cast<int>(Operator::kReduceLogicalOr));
  EXPECT_EQ(v1::Operator_MAX, static_cast<int>(Operator::kReduceLogicalOr));
}

// Answers one float32 scalar, 3.
grpc::Status AnswerThree(const v1::ReduceRequest&,
                         v1::ReduceResponse* response) {
  v1::Tensor& result = *response->add_results();
  result.set_data_type(v1::DATA_TYPE_FLOAT32);
  result.set_data(std::string("\0\0\x40\x40", 4));
  return grpc::Status::OK;
}

TEST(Client, SendsTheTensorAndEveryFieldOfAReduction) {
  FakeServer server;
  v1::ReduceRequest received;
  server.on_reduce = [&received](const v1::ReduceRequest& request,
                                 v1::ReduceResponse* response) {
    received = request;
    return AnswerThree(request, response);
  };
  const Client client(Connect(server.address()));
  const auto result = client.ReduceOne<float>({2, 1}, {1, -2},
                                              {.op = Operator::kReduceProd,
                                               .openvino_opset = 4,
                                               .axes = {0, -1},
                                               .keep_dims = false,
                                               .noop_with_empty_axes = true,
                                               .select_last_index = false});
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(received.reductions_size(), 1);
  const v1::Reduction& reduction = received.reductions(0);
  EXPECT_EQ(reduction.operator_(), v1::OPERATOR_REDUCE_PROD);
  EXPECT_EQ(reduction.openvino_opset(), 4);
  EXPECT_THAT(reduction.axes(), ElementsAre(0, -1));
  EXPECT_TRUE(reduction.has_keep_dims() && !reduction.keep_dims());
  EXPECT_TRUE(reduction.noop_with_empty_axes());
  EXPECT_TRUE(reduction.has_select_last_index());
  EXPECT_EQ(received.tensor().data_type(), v1::DATA_TYPE_FLOAT32);
  EXPECT_THAT(received.tensor().shape(), ElementsAre(2, 1));
  EXPECT_EQ(received.tensor().data(), std::string("\0\0\x80\x3f\0\0\0\xc0", 8));
}

TEST(Client, DeclaresTheSizeOfItsMessage) {
  FakeServer server;
  std::string declared;
  server.on_call = [&declared](grpc::ServerContext& context) {
    for (const auto& [key, value] : context.client_metadata()) {
      if (key == "reductor-message-bytes")
        declared.assign(value.data(), value.size());
    }
  };
  std::string received;
  server.on_reduce = [&received](const v1::ReduceRequest& request,
                                 v1::ReduceResponse* response) {
    received = std::to_string(request.ByteSizeLong());
    return AnswerThree(request, response);
  };
  const Client client(Connect(server.address()));
  ASSERT_TRUE(
      client.ReduceOne<float>({1}, {3}, {.op = Operator::kReduceL1}).ok());
  EXPECT_EQ(declared, received);
}

TEST(Client, LeavesOutWhatIsNotAskedFor) {
  FakeServer server;
  v1::Reduction received;
  server.on_reduce = [&received](const v1::ReduceRequest& request,
                                 v1::ReduceResponse* response) {
    received = request.reductions(0);
    return AnswerThree(request, response);
  };
  const Client client(Connect(server.address()));
  ASSERT_TRUE(
      client.ReduceOne<float>({1}, {3}, {.op = Operator::kReduceL1}).ok());
  EXPECT_EQ(received.rules_case(), v1::Reduction::RULES_NOT_SET);
  EXPECT_THAT(received.axes(), IsEmpty());
  EXPECT_FALSE(received.has_keep_dims());
  EXPECT_FALSE(received.has_noop_with_empty_axes());
  EXPECT_FALSE(received.has_select_last_index());
}

TEST(Client, AnswersTypedElements) {
  FakeServer server;
  server.on_reduce = AnswerThree;
  const Client client(Connect(server.address()));
  const auto result =
      client.ReduceOne<float>({2}, {1, -2}, {.op = Operator::kReduceL1});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->shape, IsEmpty());
  EXPECT_THAT(result->elements, ElementsAre(3.0f));
}

TEST(Client, RefusesATypedAnswerOfAnotherType) {
  FakeServer server;
  server.on_reduce = AnswerThree;
  const Client client(Connect(server.address()));
  const auto result = client.ReduceOne<float, int64_t>(
      {2}, {1, -2}, {.op = Operator::kReduceL1});
  EXPECT_EQ(result.status(),
            absl::InvalidArgumentError("the result is float32, not int64"));
}

TEST(Client, NamesEveryViolationOfARefusedRequest) {
  FakeServer server;
  server.on_reduce = [](const auto&, auto*) { return TwoViolations(); };
  const Client client(Connect(server.address()));
  const absl::Status status =
      client.ReduceOne<float>({1}, {3}, {.op = Operator::kReduceL1}).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_EQ(ReasonOf(status), "AXIS_OUT_OF_RANGE");
  EXPECT_THAT(
      ViolationsOf(status),
      ElementsAre(FieldViolation{"reductions[0].axes[1]", "AXIS_OUT_OF_RANGE",
                                 "7 is out of range for rank 2"},
                  FieldViolation{"reductions[0].axes[2]", "AXIS_REPEATED",
                                 "axis 0 is given twice"}));
}

TEST(Client, NamesNoViolationWhereTheServerNamedNone) {
  FakeServer server;
  server.on_reduce = [](const auto&, auto*) {
    return grpc::Status(grpc::StatusCode::INTERNAL, "broken", "no details");
  };
  const Client client(Connect(server.address()));
  const absl::Status status = client.Reduce({}, {}).status();
  EXPECT_EQ(status, absl::InternalError("broken"));
  EXPECT_THAT(ViolationsOf(status), IsEmpty());
  EXPECT_EQ(ReasonOf(status), "");
}

TEST(Client, RetriesACallThatTheServerDidNotTake) {
  FakeServer server;
  std::atomic<int> calls = 0;
  server.on_reduce = [&calls](const v1::ReduceRequest& request,
                              v1::ReduceResponse* response) {
    if (++calls < 3) return grpc::Status(grpc::StatusCode::UNAVAILABLE, "");
    return AnswerThree(request, response);
  };
  const Client client(Connect(server.address()));
  // 512 KiB: above gRPC's default limit of what is kept for a retry.
  const std::vector<float> elements(1 << 17);
  EXPECT_TRUE(
      client.ReduceOne<float>({1 << 17}, elements, {.op = Operator::kReduceL1})
          .ok());
  EXPECT_EQ(calls, 3);
}

TEST(Client, GivesUpAtTheDeadline) {
  absl::Notification over;  // Outlives the server's call, which waits for it.
  FakeServer server;
  server.on_reduce = [&over](const auto&, auto*) {
    over.WaitForNotification();
    return grpc::Status::OK;
  };
  const Client client(Connect(server.address()));
  const absl::Status status =
      client.Reduce({}, {}, {.timeout = absl::Milliseconds(20)}).status();
  over.Notify();
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
}

TEST(Client, IsUnavailableWhereNobodyListens) {
  std::string address;
  {
    FakeServer server;
    address = server.address();
  }
  const Client client(Connect(address));
  EXPECT_TRUE(absl::IsUnavailable(client.ListOperators().status()));
}

// The status of a call that the server answers with this one result.
absl::Status StatusOfAnswer(const v1::Tensor& result) {
  FakeServer server;
  server.on_reduce = [&result](const auto&, v1::ReduceResponse* response) {
    *response->add_results() = result;
    return grpc::Status::OK;
  };
  const Client client(Connect(server.address()));
  return client.ReduceOne<float>({1}, {3}, {.op = Operator::kReduceL1})
      .status();
}

TEST(Client, DoesNotTrustTheSizeOfAnAnswer) {
  v1::Tensor result;
  result.set_data_type(v1::DATA_TYPE_FLOAT32);
  result.add_shape(2);
  result.set_data("four");
  EXPECT_EQ(StatusOfAnswer(result),
            absl::InternalError("the server answered 4 bytes of float32, "
                                "which is not what its shape says"));
}

TEST(Client, DoesNotTrustTheShapeOfAnAnswer) {
  v1::Tensor result;
  result.set_data_type(v1::DATA_TYPE_FLOAT32);
  result.add_shape(std::numeric_limits<int64_t>::max());
  result.add_shape(8);
  EXPECT_EQ(
      StatusOfAnswer(result),
      absl::InternalError("the server answered float32[9223372036854775807"
                          ",8], which is no tensor"));
}

TEST(Client, DoesNotTrustTheTypeOfAnAnswer) {
  v1::Tensor result;
  result.set_data_type(static_cast<v1::DataType>(99));
  EXPECT_EQ(StatusOfAnswer(result),
            absl::InternalError("the server answered data type 99, which this "
                                "client does not know"));
}

TEST(Client, DoesNotTrustTheNumberOfAnswers) {
  FakeServer server;
  server.on_reduce = [](const auto&, auto*) { return grpc::Status::OK; };
  const Client client(Connect(server.address()));
  const Reduction reduction = {.op = Operator::kReduceL1};
  EXPECT_EQ(
      client.Reduce({}, {&reduction, 1}).status(),
      absl::InternalError("the server answered 0 results for 1 reductions"));
}

}  // namespace
}  // namespace reductor
