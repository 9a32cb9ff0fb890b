// The program: flags, environment, exit codes, signals.
#include <sys/resource.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/service/raw_connection.h"
#include "tests/service/running_server.h"
#include "tests/service/server_process.h"

namespace reductor {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kAnyPort[] = "--listen=127.0.0.1:0";

// The process ends by itself with this code and says just this on stderr.
void ExpectRefusal(const std::vector<std::string>& flags,
                   const std::vector<std::string>& environment, int exit_code,
                   const std::string& line) {
  ServerProcess process(flags, environment);
  EXPECT_EQ(process.Errors(), line);
  EXPECT_EQ(process.ExitCode(), exit_code);
}

grpc::Status Reduce(const std::string& address) {
  grpc::ClientContext context;
  context.set_wait_for_ready(true);
  v1::ReduceResponse response;
  return v1::ReductionService::NewStub(OwnChannel(address))
      ->Reduce(&context, SmallRequest(), &response);
}

TEST(Reductord, PrintsItsHelp) {
  ServerProcess process({"--help"});
  EXPECT_THAT(process.Output(), HasSubstr("--drain-delay"));
  EXPECT_EQ(process.ExitCode(), 0);
}

TEST(Reductord, PrintsItsVersion) {
  ServerProcess process({"--version"});
  EXPECT_THAT(process.Output(), StartsWith("reductord "));
  EXPECT_EQ(process.ExitCode(), 0);
}

TEST(Reductord, RefusesBadUsageInOneLine) {
  ExpectRefusal({"--bogus"}, {}, 2,
                "reductord: unknown flag --bogus; see --help\n");
  ExpectRefusal({"now"}, {}, 2,
                "reductord: unexpected argument 'now'; see --help\n");
  ExpectRefusal({}, {"REDUCTOR_THREADS=-1"}, 2,
                "reductord: REDUCTOR_THREADS: -1 is not in 0 to 1024\n");
  ExpectRefusal({}, {"REDUCTOR_ISA=mmx"}, 2,
                "reductord: REDUCTOR_ISA: 'mmx' is not one of auto, sse4, "
                "avx2, avx3\n");
  ExpectRefusal({"--isa=mmx"}, {}, 2,
                "reductord: --isa: 'mmx' is not one of auto, sse4, avx2, "
                "avx3\n");
}

TEST(Reductord, RefusesATakenPortInOneLine) {
  ServerProcess first({kAnyPort});
  const std::string address = first.AwaitAddress();
  ExpectRefusal({"--listen", address}, {}, 1,
                absl::StrCat("reductord: cannot listen on ", address,
                             ": address already in use\n"));
}

TEST(Reductord, LogsTheConfigurationInEffect) {
  ServerProcess process({kAnyPort, "--drain-delay=0s"},
                        {"REDUCTOR_MAX_MESSAGE_BYTES=1000",
                         "REDUCTOR_MAX_OUTPUT_BYTES=5", "REDUCTOR_THREADS=3"});
  const auto line = process.AwaitLine("configuration");
  EXPECT_EQ(line["max_message_bytes"], 1000);
  EXPECT_EQ(line["max_output_bytes"], 5);
  EXPECT_EQ(line["threads"], 3);
}

TEST(Reductord, WarnsOfAnUnknownVariable) {
  ServerProcess process({kAnyPort}, {"REDUCTOR_TREADS=3"});
  const auto line = process.AwaitLine("unknown variable");
  EXPECT_EQ(line["level"], "warning");
  EXPECT_EQ(line["name"], "REDUCTOR_TREADS");
}

#if defined(__x86_64__)
TEST(Reductord, UsesNoInstructionSetAboveTheOneGiven) {
  ServerProcess process({kAnyPort, "--isa=sse4"});
  EXPECT_EQ(process.AwaitLine("configuration")["isa"], "sse4");
  EXPECT_TRUE(Reduce(process.AwaitAddress()).ok());
}
#endif

TEST(Reductord, LogsOneLineForARequest) {
  ServerProcess process({kAnyPort});
  EXPECT_TRUE(Reduce(process.AwaitAddress()).ok());
  const auto line = process.AwaitLine("request");
  EXPECT_EQ(line["method"], kReduce);
  EXPECT_EQ(line["code"], "OK");
  EXPECT_EQ(line["operator"], "ReduceL1");
  EXPECT_EQ(line["dtype"], "float32");
  EXPECT_EQ(line["shape"], nlohmann::json({2, 3}));
}

TEST(Reductord, ServesAUnixSocket) {
  const std::string socket =
      absl::StrCat("unix:", testing::TempDir(), "/reductord_test.sock");
  ServerProcess process({absl::StrCat("--listen=127.0.0.1:0,", socket)});
  EXPECT_EQ(process.AwaitAddress(1), socket);
  EXPECT_TRUE(Reduce(socket).ok());
}

TEST(Reductord, LeavesTheSocketOfAnotherServerAlone) {
  const std::string socket =
      absl::StrCat("unix:", testing::TempDir(), "/taken_socket_test.sock");
  ServerProcess process({absl::StrCat("--listen=", socket)});
  process.AwaitAddress();
  ExpectRefusal({absl::StrCat("--listen=", socket)}, {}, 1,
                absl::StrCat("reductord: cannot listen on ", socket,
                             ": a server is there\n"));
  EXPECT_TRUE(Reduce(socket).ok());
}

TEST(Reductord, OutlivesTheReaderOfItsLog) {
  ServerProcess process({kAnyPort});
  const std::string address = process.AwaitAddress();
  process.CloseErrors();
  EXPECT_TRUE(Reduce(address).ok());
  EXPECT_TRUE(Reduce(address).ok());
}

// A server whose log has filled its pipe, which nobody reads.
class StalledLog : public testing::Test {
 protected:
  StalledLog()
      : process_({kAnyPort}), channel_(OwnChannel(process_.AwaitAddress())) {
    const auto stub = v1::ReductionService::NewStub(channel_);
    // Twice what the pipe holds, at 200 bytes a line.
    for (int i = 0; i < 700; ++i) {
      grpc::ClientContext context;
      context.set_wait_for_ready(true);
      v1::ReduceResponse response;
      EXPECT_TRUE(stub->Reduce(&context, SmallRequest(), &response).ok());
    }
  }

  ServerProcess process_;
  const std::shared_ptr<grpc::Channel> channel_;
};

TEST_F(StalledLog, StopsNoCallAndLosesNoLineIfItsReaderGoesOn) {
  for (int i = 0; i < 700; ++i) {
    EXPECT_EQ(process_.AwaitLine("request")["code"], "OK");
  }
}

TEST_F(StalledLog, DoesNotKeepTheProcessFromEnding) {
  process_.Signal(SIGTERM);
  EXPECT_EQ(process_.ExitCode(), 0);
}

TEST(Reductord, TurnsConnectionsAwayWhenNoDescriptorIsLeftAndGoesOn) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "UndefinedBehaviorSanitizer needs descriptors of its own, to "
                  "look at what an object's type is";
#endif
  ServerProcess process({kAnyPort});
  const std::string address = process.AwaitAddress();
  const rlimit few = {40, 40};
  ASSERT_EQ(prlimit(process.pid(), RLIMIT_NOFILE, &few, nullptr), 0);
  std::deque<RawConnection> connections;
  for (int i = 0; i < 50; ++i) connections.emplace_back(address);
  connections.back().AwaitEnd();
  EXPECT_EQ(process.AwaitLine(
                "connections turned away: no descriptor is left")["level"],
            "warning");
  connections.clear();
  EXPECT_TRUE(Reduce(address).ok());
}

TEST(Reductord, ExitsWithZeroOnSigterm) {
  ServerProcess process({kAnyPort});
  process.AwaitAddress();
  process.Signal(SIGTERM);
  EXPECT_EQ(process.ExitCode(), 0);
}

TEST(Reductord, StopsAtOnceOnTheSecondSignal) {
  ServerProcess process({kAnyPort, "--drain-delay=1h"});
  process.AwaitAddress();
  process.Signal(SIGTERM);
  process.AwaitLine("draining");
  process.Signal(SIGTERM);
  EXPECT_EQ(process.ExitCode(), 128 + SIGTERM);
}

}  // namespace
}  // namespace reductor
