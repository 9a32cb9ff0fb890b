#include "client/command_check.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/client/fake_server.h"
#include "tests/client/run_command.h"

namespace reductor {
namespace {

using ::testing::HasSubstr;

// A server that lists ReduceL1 of OpenVINO for uint8 and answers every request
// with the tensor itself: right without axes, wrong with most.
class CommandCheck : public ::testing::Test {
 protected:
  CommandCheck() {
    v1::OperatorSchema& schema = *server_.operators.add_operators();
    schema.set_operator_(v1::OPERATOR_REDUCE_L1);
    schema.set_name("ReduceL1");
    schema.set_family(v1::FAMILY_OPENVINO);
    schema.set_since_version(4);
    schema.add_data_types(v1::DATA_TYPE_UINT8);
    server_.operators.set_newest_onnx_opset(28);
    server_.operators.set_newest_openvino_opset(16);
    server_.on_reduce = [](const v1::ReduceRequest& request,
                           v1::ReduceResponse* response) {
      for (int i = 0; i < request.reductions_size(); ++i) {
        *response->add_results() = request.tensor();
      }
      return grpc::Status::OK;
    };
    server_.on_stream = Echo;
  }

  Outcome Check(std::vector<const char*> options) {
    std::vector<const char*> arguments = {"check", "--server",
                                          server_.address().c_str()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return RunCommand(arguments);
  }

  FakeServer server_;
};

TEST_F(CommandCheck, FailsOnAWrongAnswerWithTheSeedTheRequestAndBothValues) {
  const Outcome outcome =
      Check({"--seed", "5", "--count", "50", "--seconds", "300"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("ReduceL1  OpenVINO  4 "));
  EXPECT_THAT(outcome.out, HasSubstr("50 requests, "));
  EXPECT_THAT(outcome.out, HasSubstr(" of them as streams too, "));
  EXPECT_THAT(outcome.out, HasSubstr("mismatches, seed 5\n"));
  EXPECT_THAT(outcome.err, HasSubstr("mismatch: uint8["));
  EXPECT_THAT(outcome.err, HasSubstr("expected "));
  EXPECT_THAT(outcome.err, HasSubstr("got "));
  EXPECT_THAT(outcome.err,
              HasSubstr("again: reductor check --seed 5 --count "));
}

TEST_F(CommandCheck, SendsTheSameRequestsForTheSameSeed) {
  const Outcome first =
      Check({"--seed", "5", "--count", "50", "--seconds", "300"});
  const Outcome second =
      Check({"--seed", "5", "--count", "50", "--seconds", "300"});
  EXPECT_EQ(first.out, second.out);
  EXPECT_EQ(first.err, second.err);
}

TEST_F(CommandCheck, CountsARefusalAsAMismatch) {
  server_.on_reduce = [](const auto&, auto*) { return TwoViolations(); };
  const Outcome outcome = Check({"--count", "1"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("refused: INVALID_ARGUMENT: "));
}

// Runs of one request each, of which some are answered right and are streams.
TEST_F(CommandCheck, ComparesStreamsWithTheAnswersToSingleMessages) {
  const auto count_with = [this](const std::string& text) {
    int count = 0;
    for (int seed = 0; seed < 100; ++seed) {
      const std::string number = std::to_string(seed);
      const Outcome outcome = Check({"--seed", number.c_str(), "--count", "1"});
      count += outcome.err.find(text) != std::string::npos ? 1 : 0;
    }
    return count;
  };
  EXPECT_EQ(count_with("as a stream it has"), 0);
  server_.on_stream = [](ServedStream& stream) {
    v1::ReduceStreamResponse response;
    v1::ReduceStreamRequest request;
    stream.Read(&request);
    for (int i = 0; i < request.header().reductions_size(); ++i) {
      response.mutable_results()->add_results()->set_data_type(
          v1::DATA_TYPE_BOOL);
    }
    stream.Write(response);
    for (int i = 0; i < request.header().reductions_size(); ++i) {
      response.mutable_piece()->set_reduction(i);
      response.mutable_piece()->set_data("x");
      stream.Write(response);
    }
    return grpc::Status::OK;
  };
  EXPECT_GT(count_with("as a stream it has another type, shape or bits"), 0);
  server_.on_stream = [](auto&) { return TwoViolations(); };
  EXPECT_GT(count_with("refused as a stream: INVALID_ARGUMENT"), 0);
}

TEST_F(CommandCheck, RefusesToSendNothing) {
  EXPECT_THAT(Check({"--seconds", "0"}).err,
              HasSubstr("--seconds: Value 0 not in range 0.001000 to 604800"));
  EXPECT_THAT(Check({"--count", "x"}).err,
              HasSubstr("--count: Value x not in range 1 to 1000000000"));
}

TEST_F(CommandCheck, GoesOnWithAServerWithoutStreams) {
  server_.on_stream = [](auto&) {
    return grpc::Status(grpc::StatusCode::UNIMPLEMENTED, "");
  };
  const Outcome outcome =
      Check({"--seed", "5", "--count", "50", "--seconds", "300"});
  EXPECT_THAT(outcome.out, HasSubstr("50 requests, no streams, which the "
                                     "server does not have, "));
}

TEST_F(CommandCheck, StopsAtARequestThatIsNotAnswered) {
  server_.on_reduce = [](const auto&, auto*) {
    return grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "busy");
  };
  const Outcome outcome = Check({"--seed", "5"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("seed 5:\n"));
  EXPECT_THAT(outcome.err,
              HasSubstr("RESOURCE_EXHAUSTED: busy (request 1: uint8["));
}

TEST_F(CommandCheck, SaysWhichOperatorsItDoesNotKnow) {
  server_.operators.mutable_operators(0)->set_operator_(
      static_cast<v1::Operator>(99));
  const Outcome outcome = Check({});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("not checked"));
  EXPECT_THAT(outcome.out,
              HasSubstr("0 requests, 0 of them as streams too, 0 mismatches"));
}

}  // namespace
}  // namespace reductor
