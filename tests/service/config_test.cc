// Flags, their twins in the environment, and what is refused.
#include "service/config.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "service/process.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string Refusal(const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment = {}) {
  const auto config = ParseConfig(arguments, environment);
  EXPECT_EQ(config.status().code(), absl::StatusCode::kInvalidArgument);
  const std::string text(config.status().message());
  EXPECT_EQ(text.find('\n'), text.npos);
  return text;
}

TEST(ParseConfig, GivesTheDefaults) {
  const Config config = ParseConfig({}, {}).value();
  EXPECT_THAT(config.listen, ElementsAre("127.0.0.1:50051"));
  EXPECT_TRUE(config.reflection);
  EXPECT_EQ(config.admission_wait, absl::Milliseconds(50));
  EXPECT_EQ(config.upload_grace, absl::Seconds(1));
  EXPECT_EQ(config.upload_timeout, absl::Minutes(5));
  EXPECT_EQ(config.idle_timeout, absl::Minutes(1));
  EXPECT_FALSE(config.allow_compression);
  EXPECT_EQ(config.threads, 0);
  EXPECT_EQ(config.isa, "auto");
  EXPECT_EQ(config.log_level, LogLevel::kInfo);
  EXPECT_EQ(config.drain_delay, absl::ZeroDuration());
  EXPECT_EQ(config.drain_timeout, absl::Seconds(10));
}

TEST(ParseConfig, TakesAValueJoinedOrApart) {
  EXPECT_EQ(ParseConfig({"--threads=3"}, {})->threads, 3);
  EXPECT_EQ(ParseConfig({"--threads", "4"}, {})->threads, 4);
}

TEST(ParseConfig, TakesTheLastOfARepeatedFlag) {
  EXPECT_EQ(ParseConfig({"--threads=3", "--threads=5"}, {})->threads, 5);
}

TEST(ParseConfig, TakesABooleanThreeWays) {
  EXPECT_FALSE(ParseConfig({"--reflection=false"}, {})->reflection);
  EXPECT_FALSE(ParseConfig({"--noreflection"}, {})->reflection);
  EXPECT_TRUE(ParseConfig({"--noreflection", "--reflection"}, {})->reflection);
}

TEST(ParseConfig, ForgetsWhatAnEarlierParseSet) {
  EXPECT_EQ(ParseConfig({"--isa=sse4"}, {})->isa, "sse4");
  EXPECT_EQ(ParseConfig({}, {})->isa, "auto");
}

TEST(ParseConfig, SplitsTheAddresses) {
  EXPECT_THAT(ParseConfig({"--listen=[::]:1,unix:/run/r.sock"}, {})->listen,
              ElementsAre("[::]:1", "unix:/run/r.sock"));
}

TEST(ParseConfig, ReadsTheTwinInTheEnvironment) {
  const Config config =
      ParseConfig({}, {"REDUCTOR_DRAIN_DELAY=1.5s", "HOME=/root"}).value();
  EXPECT_EQ(config.drain_delay, absl::Milliseconds(1500));
}

TEST(ParseConfig, PutsTheFlagBeforeTheEnvironment) {
  EXPECT_EQ(ParseConfig({"--threads=2"}, {"REDUCTOR_THREADS=7"})->threads, 2);
}

TEST(ParseConfig, NotesVariablesThatMeanNothing) {
  const Config config =
      ParseConfig({}, {"REDUCTOR_TREADS=7", "REDUCTOR_SERVER=x:1"}).value();
  EXPECT_THAT(config.unknown_variables, ElementsAre("REDUCTOR_TREADS"));
}

TEST(ParseConfig, BudgetsHalfTheMemoryByDefault) {
  EXPECT_EQ(ParseConfig({}, {})->memory_budget, AvailableMemory() / 2);
}

TEST(ParseConfig, LimitsTheMessageToAQuarterOfTheBudgetByDefault) {
  EXPECT_EQ(ParseConfig({"--memory-budget=1048576"}, {})->max_message_bytes,
            262144);
  EXPECT_EQ(ParseConfig({"--memory-budget=99999999999"}, {})->max_message_bytes,
            268435456);
}

TEST(ParseConfig, LimitsTheOutputAsTheMessageByDefault) {
  EXPECT_EQ(ParseConfig({"--max-message-bytes=5"}, {})->max_output_bytes, 5);
  EXPECT_EQ(ParseConfig({"--max-message-bytes=5", "--max-output-bytes=9"}, {})
                ->max_output_bytes,
            9);
}

TEST(ParseConfig, RefusesAnUnknownFlag) {
  EXPECT_EQ(Refusal({"--bogus=1"}), "unknown flag --bogus; see --help");
  EXPECT_EQ(Refusal({"-x"}), "unknown flag -x; see --help");
  EXPECT_EQ(Refusal({"--nothreads"}), "unknown flag --nothreads; see --help");
}

TEST(ParseConfig, RefusesAStrayArgument) {
  EXPECT_EQ(Refusal({"serve"}), "unexpected argument 'serve'; see --help");
  EXPECT_EQ(Refusal({"--"}), "unexpected argument '--'; see --help");
}

TEST(ParseConfig, RefusesAFlagWithoutItsValue) {
  EXPECT_THAT(Refusal({"--isa"}), StartsWith("--isa: needs a value"));
}

TEST(ParseConfig, RefusesAValueForWhatTakesNone) {
  EXPECT_EQ(Refusal({"--help=foo"}), "--help: takes no value");
  EXPECT_EQ(Refusal({"--version=1"}), "--version: takes no value");
}

TEST(ParseConfig, TellsThatADurationHasAUnit) {
  EXPECT_THAT(Refusal({"--drain-delay=5"}), HasSubstr("such as 5s"));
}

TEST(ParseConfig, NamesTheFlagOrVariableOfABadValue) {
  EXPECT_THAT(Refusal({"--threads=many"}),
              StartsWith("--threads: bad value 'many'"));
  EXPECT_THAT(Refusal({}, {"REDUCTOR_LOG_LEVEL=loud"}),
              StartsWith("REDUCTOR_LOG_LEVEL: bad value 'loud'"));
  EXPECT_EQ(Refusal({}, {"REDUCTOR_LISTEN="}),
            "REDUCTOR_LISTEN: an address is empty");
  EXPECT_EQ(Refusal({"--threads=-1"}, {"REDUCTOR_THREADS=-2"}),
            "--threads: -1 is not in 0 to 1024");
  EXPECT_THAT(Refusal({"--drain-delay=soon"}),
              StartsWith("--drain-delay: bad value 'soon'"));
  EXPECT_THAT(Refusal({"--reflection=perhaps"}),
              StartsWith("--reflection: bad value 'perhaps'"));
}

TEST(ParseConfig, RefusesValuesOutOfRange) {
  EXPECT_EQ(Refusal({"--memory-budget=1048575"}),
            "--memory-budget: 1048575 is not in 1048576 to 1125899906842624");
  const std::string ample = "--memory-budget=99999999999";
  EXPECT_EQ(Refusal({ample, "--max-message-bytes=0"}),
            "--max-message-bytes: 0 is not in 1 to 2147483647");
  EXPECT_EQ(Refusal({ample, "--max-message-bytes=2147483648"}),
            "--max-message-bytes: 2147483648 is not in 1 to 2147483647");
  EXPECT_EQ(Refusal({"--memory-budget=2000000", "--max-message-bytes=2000001"}),
            "--max-message-bytes: 2000001 is not in 1 to 2000000, the "
            "--memory-budget");
  EXPECT_EQ(Refusal({"--max-output-bytes=0"}),
            "--max-output-bytes: 0 is not in 1 to 2147483647");
  EXPECT_EQ(Refusal({"--threads=-1"}), "--threads: -1 is not in 0 to 1024");
  EXPECT_EQ(Refusal({"--drain-timeout=-5s"}),
            "--drain-timeout: -5s is not in 0s to 24h");
  EXPECT_EQ(Refusal({"--drain-delay=inf"}),
            "--drain-delay: inf is not in 0s to 24h");
  EXPECT_EQ(Refusal({"--upload-timeout=0"}),
            "--upload-timeout: 0 is not in 1ms to 24h");
  EXPECT_EQ(Refusal({"--idle-timeout=0s"}),
            "--idle-timeout: 0 is not in 1ms to 24h");
  EXPECT_EQ(Refusal({"--listen="}), "--listen: an address is empty");
  EXPECT_EQ(Refusal({"--listen=a:1,"}), "--listen: an address is empty");
  for (const char* const address :
       {"127.0.0.1", "127.0.0.1:", "127.0.0.1:99999", "127.0.0.1:+0",
        "127.0.0.1: 0", "a:-1", "a:http", ":1", "50051",
        "unix:", "dns:///127.0.0.1:1"}) {
    EXPECT_EQ(Refusal({absl::StrCat("--listen=", address)}),
              absl::StrCat("--listen: '", address,
                           "' is neither host:port, with a port from 0 to "
                           "65535, nor unix:path"));
  }
}

TEST(ParseConfig, AsksForHelpOrVersionWhateverElseIsThere) {
  EXPECT_TRUE(ParseConfig({"--bogus", "--help"}, {})->help);
  EXPECT_TRUE(ParseConfig({"-h"}, {})->help);
  EXPECT_TRUE(ParseConfig({"--version"}, {"REDUCTOR_THREADS=x"})->version);
}

TEST(HelpText, TellsEachFlagWithDefaultAndTwin) {
  EXPECT_THAT(HelpText(),
              HasSubstr("--drain-timeout=10s  (REDUCTOR_DRAIN_TIMEOUT)"));
  EXPECT_THAT(HelpText(), HasSubstr("\nLimits:\n  --memory-budget  ("));
}

TEST(VersionText, NamesVersionAndRevision) {
  EXPECT_THAT(VersionText(),
              ::testing::MatchesRegex("reductord [0-9.]+ \\([^ ]+\\)\n"));
}

TEST(ToJson, GivesEveryFlagInItsOwnType) {
  const Config config = ParseConfig({"--log-level=error", "--drain-delay=2s",
                                     "--memory-budget=2000000000"},
                                    {})
                            .value();
  EXPECT_EQ(ToJson(config).dump(),
            R"({"listen":["127.0.0.1:50051"],"reflection":true,)"
            R"("memory_budget":2000000000,"max_message_bytes":268435456,)"
            R"("max_output_bytes":268435456,"admission_wait":"50ms",)"
            R"("upload_grace":"1s","upload_timeout":"5m","idle_timeout":"1m",)"
            R"("allow_compression":false,)"
            R"("threads":0,"isa":"auto","log_level":"error",)"
            R"("drain_delay":"2s","drain_timeout":"10s"})");
}

}  // namespace
}  // namespace reductor
