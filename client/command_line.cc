#include "client/command_line.h"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "client/command_check.h"
#include "client/command_health.h"
#include "client/command_operators.h"
#include "client/command_reduce.h"

namespace reductor {
namespace {

void AddSharedOptions(CLI::App& app, Invocation& invocation) {
  app.set_version_flag("--version", "reductor " REDUCTOR_VERSION);
  app.add_option("--server", invocation.server,
                 "The server: host:port or unix:path")
      ->check(CLI::Validator(
          [](const std::string& address) {
            return address.empty() ? "the address is empty" : "";
          },
          ""))
      ->envname("REDUCTOR_SERVER")
      ->capture_default_str();
  app.add_option_function<std::string>(
         "--timeout",
         [&invocation](const std::string& text) {
           absl::Duration& timeout = invocation.timeout.emplace();
           if (!absl::ParseDuration(text, &timeout) ||
               timeout <= absl::ZeroDuration()) {
             throw CLI::ValidationError(
                 "--timeout", text + " is not a duration such as 500ms or 60s");
           }
         },
         "The longest that a call may take, streams included, such as 500ms or "
         "10m. Default: 60s; of a stream to be taken by the server, and no "
         "limit after that")
      ->type_name("DURATION");
}

// The value of a switch that is given apart, as "--keep-dims false", and so
// taken for the input; empty where there is none.
std::string StrayValue(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands()) {
    const CLI::Option* input = command->get_option_no_throw("input");
    if (input == nullptr || input->empty()) continue;
    const std::string value = input->results().front();
    if (value == "true" || value == "false") return value;
  }
  return "";
}

// CLI11 would say of an unknown command only that one is required.
std::string FailureMessage(const CLI::App* app, const CLI::Error& error) {
  const std::vector<std::string> rest = app->remaining();
  std::string message = error.what();
  if (!rest.empty() && app->get_subcommands().empty()) {
    message = rest.front() + " is no command of reductor";
  }
  const std::string value = StrayValue(*app);
  if (!rest.empty() && !value.empty()) {
    message = "a switch takes its value after '=': --keep-dims=" + value;
  }
  return message + "\nrun with --help for more\n";
}

}  // namespace

int Run(int argc, const char* const* argv, const Streams& streams) {
  Invocation invocation = {.streams = streams};
  CLI::App app("Reduces tensors on a reductor server.", "reductor");
  app.require_subcommand(1);
  app.failure_message(FailureMessage);
  // So that --server and --timeout may follow the command's name.
  app.fallthrough();
  AddSharedOptions(app, invocation);
  AddReduceCommands(app, invocation);
  AddOperatorsCommand(app, invocation);
  const CLI::App* health = AddHealthCommand(app, invocation);
  AddCheckCommand(app, invocation);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and the version are errors to CLI11, of code 0.
    if (app.exit(error, streams.out, streams.err) == 0) return kExitOk;
    return health->parsed() ? kHealthExitUsage : kExitUsage;
  }
  if (streams.out.flush().fail()) {
    streams.err << "reductor: standard output cannot be written\n";
    return kExitFailed;
  }
  return invocation.exit_code;
}

}  // namespace reductor
