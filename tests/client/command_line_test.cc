#include "client/command_line.h"

#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/client/fake_server.h"
#include "tests/client/run_command.h"

namespace reductor {
namespace {

using ::testing::HasSubstr;

TEST(CommandLine, Exits2ForAMistakeInItsUse) {
  for (const std::vector<const char*>& arguments :
       std::vector<std::vector<const char*>>{
           {},
           {"--no-such-option", "operators"},
           {"reduce-l1"},
           {"reduce-l1", "a.npy", "b.npy"},
           {"reduce-l1", "--dtype", "float32", "a.npy"},
           {"reduce-l1", "--keep-dims=maybe", "a.npy"},
           {"reduce-l1", "--onnx-opset", "x", "a.npy"},
           {"reduce-l1", "--onnx-opset=13", "--openvino-opset=4", "a.npy"},
           {"operators", "--server"},
           {"operators", "--server", ""},
           {"check", "--count", "0"},
           {"check", "--seed", "x"}}) {
    const Outcome outcome = RunCommand(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << ::testing::PrintToString(arguments);
    EXPECT_THAT(outcome.err, HasSubstr("\nrun with --help for more\n"));
    EXPECT_EQ(outcome.out, "");
  }
}

TEST(CommandLine, SaysWhatWouldBeRight) {
  const struct {
    std::vector<const char*> arguments;
    const char* line;
  } mistakes[] = {
      {{"reduce-l3"}, "reduce-l3 is no command of reductor"},
      {{"reduce-l1", "--axes", "1,x", "a.npy"},
       "--axes: 1,x is not a list of integers such as 1,-1"},
      {{"reduce-l1", "--axes", "99999999999999999999", "a.npy"},
       "--axes: 99999999999999999999 is not a list of integers such as 1,-1"},
      {{"operators", "--server", ""}, "--server: the address is empty"},
      {{"reduce-l1", "--keep-dims", "false", "a.npy"},
       "a switch takes its value after '=': --keep-dims=false"},
      {{"operators", "--timeout", "5"},
       "--timeout: 5 is not a duration such as 500ms or 60s"},
      {{"operators", "--timeout", "-5s"},
       "--timeout: -5s is not a duration such as 500ms or 60s"},
  };
  for (const auto& [arguments, line] : mistakes) {
    EXPECT_EQ(RunCommand(arguments).err,
              std::string(line) + "\nrun with --help for more\n");
  }
}

TEST(CommandLine, HelpsEverywhere) {
  EXPECT_THAT(RunCommand({"--help"}).out, HasSubstr("reduce-l1"));
  for (const char* command :
       {"reduce-l1", "arg-min", "operators", "health", "check"}) {
    const Outcome outcome = RunCommand({command, "--help"});
    EXPECT_EQ(outcome.exit_code, 0) << command;
    EXPECT_THAT(outcome.out, HasSubstr(command));
    EXPECT_EQ(outcome.err, "");
  }
}

TEST(CommandLine, SaysHowLongACallMayTake) {
  EXPECT_THAT(RunCommand({"--help"}).out,
              HasSubstr("Default: 60s; of a stream to be taken by the server, "
                        "and no limit after that"));
  EXPECT_THAT(RunCommand({"reduce-l1", "--help"}).out,
              HasSubstr("in pieces above 4 MiB"));
}

TEST(CommandLine, SaysItsVersion) {
  const Outcome outcome = RunCommand({"--version"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("reductor "));
}

TEST(CommandLine, FailsWhereNobodyListens) {
  std::string address;
  {
    FakeServer server;
    address = server.address();
  }
  const Outcome outcome =
      RunCommand({"--server", address.c_str(), "operators"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr(address + ": UNAVAILABLE: "));
}

TEST(CommandLine, FailsWhereItsAnswerCannotBeWritten) {
  FakeServer server;
  const char* arguments[] = {"reductor", "operators", "--server",
                             server.address().c_str()};
  std::istringstream in;
  std::ostream out(nullptr);
  std::ostringstream err;
  EXPECT_EQ(reductor::Run(4, arguments, {in, out, err}), 1);
  EXPECT_EQ(err.str(), "reductor: standard output cannot be written\n");
}

}  // namespace
}  // namespace reductor
