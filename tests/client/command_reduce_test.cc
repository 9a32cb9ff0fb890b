#include "client/command_reduce.h"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "client/npy_reader.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/client/fake_server.h"
#include "tests/client/run_command.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A server that keeps the last request and answers the tensor itself.
class CommandReduce : public ::testing::Test {
 protected:
  CommandReduce() {
    server_.on_reduce = [this](const v1::ReduceRequest& request,
                               v1::ReduceResponse* response) {
      request_ = request;
      *response->add_results() = request.tensor();
      return grpc::Status::OK;
    };
    server_.on_stream = [this](ServedStream& stream) {
      ++streams_;
      return Echo(stream);
    };
  }

  // With the tensor [3, -4] on standard input.
  Outcome Call(std::vector<const char*> arguments) {
    arguments.insert(arguments.end(), {"--server", server_.address().c_str()});
    std::ostringstream npy;
    WriteNpy(MakeTensor<int32_t>({2}, {3, -4}), npy);
    return RunCommand(arguments, npy.str());
  }

  FakeServer server_;
  v1::ReduceRequest request_;
  int streams_ = 0;
};

// A file of the test's own, and the tensor in it.
class CommandReduceFile : public CommandReduce {
 protected:
  ~CommandReduceFile() override { std::remove(path_.c_str()); }

  void Fill(int64_t bytes) {
    std::string data(bytes, '\0');
    for (int64_t i = 0; i < bytes; ++i) data[i] = static_cast<char>(i % 251);
    tensor_ = {DType::kUint8, {bytes}, std::move(data)};
    std::ofstream file(path_, std::ios::binary);
    WriteNpy(tensor_, file);
  }

  Tensor Content() {
    std::ifstream file(path_, std::ios::binary);
    return ReadNpy(file).value();
  }

  const std::string path_ = ::testing::TempDir() + "command_reduce_file.npy";
  Tensor tensor_;
};

TEST_F(CommandReduceFile, StreamsAboveFourMebibytes) {
  for (const int64_t bytes : {4 << 20, (4 << 20) + 1}) {
    Fill(bytes);
    const Outcome outcome = Call({"reduce-l1", path_.c_str(), "-o", "-"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    std::istringstream out(outcome.out);
    EXPECT_TRUE(ReadNpy(out).value() == tensor_);
    EXPECT_EQ(streams_, bytes > 4 << 20 ? 1 : 0);
  }
}

TEST_F(CommandReduceFile, StreamsOrNotAsItIsTold) {
  Fill(5 << 20);
  for (const char* no : {"--no-stream", "--stream=false"}) {
    ASSERT_EQ(Call({"reduce-l1", no, path_.c_str()}).exit_code, 0);
    EXPECT_EQ(streams_, 0);
  }
  ASSERT_EQ(Call({"reduce-l1", "--stream", "-"}).out, "[ 3 -4]\n");
  EXPECT_EQ(streams_, 1);
}

TEST_F(CommandReduceFile, SendsOneMessageToAServerWithoutStreams) {
  server_.on_stream = [](ServedStream&) {
    return grpc::Status(grpc::StatusCode::UNIMPLEMENTED, "unknown method");
  };
  Fill(5 << 20);
  EXPECT_EQ(Call({"reduce-l1", path_.c_str()}).exit_code, 0);
  const Outcome forced = Call({"reduce-l1", "--stream", path_.c_str()});
  EXPECT_EQ(forced.exit_code, 1);
  EXPECT_THAT(forced.err, HasSubstr("UNIMPLEMENTED: unknown method"));
}

TEST_F(CommandReduceFile, IsSentOnceToAServerThatDoesNotReduce) {
  int calls = 0;
  server_.on_reduce = [&calls](const v1::ReduceRequest&, v1::ReduceResponse*) {
    ++calls;
    return grpc::Status(grpc::StatusCode::UNIMPLEMENTED, "unknown method");
  };
  Fill(1 << 20);
  const Outcome outcome = Call({"reduce-l1", path_.c_str()});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("UNIMPLEMENTED: unknown method"));
  EXPECT_EQ(calls, 1);
}

TEST_F(CommandReduceFile, MayBeReplacedByItsOwnResult) {
  Fill(5 << 20);
  const Outcome outcome =
      Call({"reduce-l1", path_.c_str(), "-o", path_.c_str()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(Content() == tensor_);
}

TEST_F(CommandReduceFile, StaysWhereTheCallFailsHalfway) {
  server_.on_stream = [](ServedStream& stream) {
    AnswerTypes(stream);
    return grpc::Status(grpc::StatusCode::ABORTED, "broken");
  };
  Fill(5 << 20);
  const Outcome outcome =
      Call({"reduce-l1", path_.c_str(), "-o", path_.c_str()});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("ABORTED: broken"));
  EXPECT_TRUE(Content() == tensor_);
}

TEST_F(CommandReduce, NamesTheInputThatEndsWhileItIsSent) {
  std::ostringstream npy;
  WriteNpy(MakeTensor<int32_t>({2}, {3, -4}), npy);
  std::string cut = npy.str();
  cut.pop_back();
  const Outcome outcome = RunCommand(
      {"reduce-l1", "--stream", "-", "--server", server_.address().c_str()},
      cut);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err,
            "reductor: standard input: it ends after 7 of the 8 bytes of its "
            "elements, int32[2]\n");
}

TEST_F(CommandReduce, NamesTheFileThatAStreamCannotWrite) {
  const Outcome outcome =
      Call({"reduce-l1", "--stream", "-", "-o", "/dev/null/out.npy"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err, "reductor: /dev/null/out.npy: Not a directory\n");
}

TEST_F(CommandReduce, ReducesStandardInputAndPrintsTheResult) {
  const Outcome outcome = Call({"reduce-l1", "-"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "[ 3 -4]\n");
  EXPECT_EQ(request_.reductions(0).operator_(), v1::OPERATOR_REDUCE_L1);
}

TEST_F(CommandReduce, TakesNegativeAxesEitherWay) {
  EXPECT_EQ(Call({"reduce-prod", "--axes", "-1,0", "-"}).exit_code, 0);
  EXPECT_THAT(request_.reductions(0).axes(), ElementsAre(-1, 0));
  EXPECT_EQ(Call({"reduce-prod", "--axes=-2", "-"}).exit_code, 0);
  EXPECT_THAT(request_.reductions(0).axes(), ElementsAre(-2));
}

TEST_F(CommandReduce, LeavesDefaultsToTheServer) {
  ASSERT_EQ(Call({"reduce-l1", "-"}).exit_code, 0);
  const v1::Reduction& reduction = request_.reductions(0);
  EXPECT_EQ(reduction.rules_case(), v1::Reduction::RULES_NOT_SET);
  EXPECT_FALSE(reduction.has_keep_dims());
  EXPECT_FALSE(reduction.has_noop_with_empty_axes());
  EXPECT_FALSE(reduction.has_select_last_index());
}

TEST_F(CommandReduce, SendsSwitchesAsTheyAreGiven) {
  ASSERT_EQ(Call({"arg-max", "--keep-dims=false", "--noop-with-empty-axes",
                  "--select-last-index=true", "--onnx-opset", "13", "-"})
                .exit_code,
            0);
  const v1::Reduction& reduction = request_.reductions(0);
  EXPECT_EQ(reduction.operator_(), v1::OPERATOR_ARG_MAX);
  EXPECT_EQ(reduction.onnx_opset(), 13);
  EXPECT_TRUE(reduction.has_keep_dims());
  EXPECT_FALSE(reduction.keep_dims());
  EXPECT_TRUE(reduction.noop_with_empty_axes());
  EXPECT_TRUE(reduction.select_last_index());
}

TEST_F(CommandReduce, WritesTheResultToAFile) {
  const std::string path = ::testing::TempDir() + "command_reduce_test.npy";
  const Outcome outcome =
      Call({"reduce-l1", "--openvino-opset=4", "-", "-o", path.c_str()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(request_.reductions(0).openvino_opset(), 4);
  std::ifstream file(path, std::ios::binary);
  EXPECT_EQ(ReadNpy(file).value(), MakeTensor<int32_t>({2}, {3, -4}));
  std::remove(path.c_str());
}

TEST_F(CommandReduce, WritesTheResultToStandardOutput) {
  std::istringstream out(Call({"reduce-l1", "-", "-o", "-"}).out);
  EXPECT_EQ(ReadNpy(out).value(), MakeTensor<int32_t>({2}, {3, -4}));
}

TEST_F(CommandReduce, NamesTheFileThatCannotBeWritten) {
  const Outcome outcome = Call({"reduce-l1", "-", "-o", "/dev/null/out.npy"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err, "reductor: /dev/null/out.npy: Not a directory\n");
}

TEST_F(CommandReduce, PrintsTheViolationsOneALine) {
  server_.on_reduce = [](const auto&, auto*) { return TwoViolations(); };
  const Outcome outcome = Call({"reduce-l1", "-"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err,
            "reductions[0].axes[1]: 7 is out of range for rank 2\n"
            "reductions[0].axes[2]: axis 0 is given twice\n");
}

TEST(CommandReduceInput, NamesTheFileThatCannotBeRead) {
  const struct {
    const char* file;
    const char* line;
  } unreadable[] = {
      {"/dev/null/in.npy", "reductor: /dev/null/in.npy: Not a directory\n"},
      {"/dev/null",
       "reductor: /dev/null: it is no .npy file: those begin with "
       "\\x93NUMPY\n"},
      {"/", "reductor: /: it cannot be read\n"},
      {"-",
       "reductor: standard input: it is no .npy file: those begin with "
       "\\x93NUMPY\n"},
  };
  for (const auto& [file, line] : unreadable) {
    const Outcome outcome = RunCommand({"reduce-l1", file});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.err, line);
  }
}

TEST(KebabCase, SpellsOfficialNames) {
  EXPECT_EQ(KebabCase("ReduceL1"), "reduce-l1");
  EXPECT_EQ(KebabCase("ReduceLogSumExp"), "reduce-log-sum-exp");
  EXPECT_EQ(KebabCase("ArgMax"), "arg-max");
}

}  // namespace
}  // namespace reductor
