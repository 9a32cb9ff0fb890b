#include "client/command_health.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "client/channel.h"
#include "client/health.h"

namespace reductor {
namespace {

int RunHealth(const Invocation& invocation, const std::string& service) {
  const absl::Time deadline = absl::Now() + CallTimeout(invocation);
  const std::shared_ptr<grpc::Channel> channel = Connect(invocation.server);
  if (!WaitUntilConnected(*channel, deadline)) {
    invocation.streams.err << "reductor: no connection to " << invocation.server
                           << '\n';
    return kHealthExitNoConnection;
  }
  const absl::StatusOr<ServingStatus> state =
      CheckHealth(channel, service, deadline);
  if (!state.ok()) {
    ReportFailedCall(invocation, state.status());
    return kHealthExitCallFailed;
  }
  invocation.streams.out
      << grpc::health::v1::HealthCheckResponse::ServingStatus_Name(*state)
      << '\n';
  return *state == grpc::health::v1::HealthCheckResponse::SERVING
             ? kExitOk
             : kHealthExitNotServing;
}

}  // namespace

const CLI::App* AddHealthCommand(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "health",
      "Ask whether the server takes calls. Exit code: 0 it does, 1 usage, 2 no "
      "connection, 3 the call failed, 4 it does not");
  const auto service = std::make_shared<std::string>();
  command->add_option("--service", *service,
                      "The full name of one service, instead of the server");
  command->callback([&invocation, service] {
    invocation.exit_code = RunHealth(invocation, *service);
  });
  return command;
}

}  // namespace reductor
