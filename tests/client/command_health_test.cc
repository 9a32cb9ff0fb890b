#include "client/command_health.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/client/fake_server.h"
#include "tests/client/run_command.h"

namespace reductor {
namespace {

TEST(CommandHealth, Exits0WhereTheServerTakesCalls) {
  FakeServer server;
  const Outcome outcome =
      RunCommand({"health", "--server", server.address().c_str()});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "SERVING\n");
}

TEST(CommandHealth, Exits1ForAMistakeInItsUse) {
  EXPECT_EQ(RunCommand({"health", "--no-such-option"}).exit_code, 1);
}

TEST(CommandHealth, Exits2WhereNobodyListens) {
  std::string address;
  {
    FakeServer server;
    address = server.address();
  }
  const Outcome outcome = RunCommand({"health", "--server", address.c_str()});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err, "reductor: no connection to " + address + "\n");
}

TEST(CommandHealth, Exits3WhereTheServerDoesNotKnowTheService) {
  FakeServer server;
  EXPECT_EQ(RunCommand({"health", "--service", "no.Such", "--server",
                        server.address().c_str()})
                .exit_code,
            3);
}

TEST(CommandHealth, Exits4WhereTheServerDrains) {
  FakeServer server;
  server.health().SetServingStatus(false);
  const Outcome outcome =
      RunCommand({"health", "--server", server.address().c_str()});
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_EQ(outcome.out, "NOT_SERVING\n");
}

}  // namespace
}  // namespace reductor
