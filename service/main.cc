// reductord: reads its configuration, serves, and ends in order on SIGTERM.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <future>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "core/kernels.h"
#include "core/parallel.h"
#include "nlohmann/json.hpp"
#include "service/allocator.h"
#include "service/config.h"
#include "service/descriptors.h"
#include "service/library_log.h"
#include "service/log.h"
#include "service/process.h"
#include "service/receive_windows.h"
#include "service/server.h"

namespace reductor {
namespace {

constexpr int kCannotServe = 1;
constexpr int kBadUsage = 2;

std::vector<std::string> Environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    variables.emplace_back(*variable);
  }
  return variables;
}

int Fail(int exit_code, absl::string_view message) {
  std::cerr << "reductord: " << message << std::endl;
  return exit_code;
}

sigset_t EndSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

// Blocked in this thread and all that it starts: only AwaitSignal() sees them.
void BlockEndSignals() {
  const sigset_t signals = EndSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

int AwaitSignal() {
  const sigset_t signals = EndSignals();
  int number;
  sigwait(&signals, &number);
  return number;
}

// Returns at the first signal. The next one ends the process at once: in a
// thread rather than in a handler, which could not wait for the log.
void AwaitEnd() {
  std::promise<void> first;
  const std::future<void> is_over = first.get_future();
  std::thread([first = std::move(first)]() mutable {
    AwaitSignal();
    first.set_value();
    const int number = AwaitSignal();
    FlushLog();
    std::_Exit(128 + number);
  }).detach();
  is_over.wait();
}

void LogStart(const Config& config, int64_t descriptors, const Server& server) {
  for (const std::string& variable : config.unknown_variables) {
    Log(LogLevel::kWarning, "unknown variable",
        LogFields().Add("name", variable));
  }
  nlohmann::ordered_json settings = ToJson(config);
  settings["isa"] = std::string(ActiveIsa());
  settings["descriptors"] = descriptors;
  LogFields fields;
  for (const auto& [name, value] : settings.items()) {
    fields.AddJson(name, value);
  }
  Log(LogLevel::kInfo, "configuration", fields);
  Log(LogLevel::kInfo, "listening",
      LogFields().AddJson("addresses", server.addresses()));
}

int Serve(Config config) {
  if (config.threads == 0) config.threads = AvailableCpus();
  TuneAllocator(config.threads);
  // Abseil as Debian builds it looks for deadlocks at every lock, gRPC's as
  // well: a twentieth of the CPU of a small call.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  LimitReceiveWindows();
  BlockEndSignals();
  // Whoever read the log may be gone; that is no reason to go as well.
  signal(SIGPIPE, SIG_IGN);
  SetLogLevel(config.log_level);
  const absl::Cleanup flush = FlushLog;  // Whatever ends it.
  LimitIsa(config.isa);
  SetThreads(config.threads);
  const int64_t descriptors = LimitDescriptors(*config.memory_budget);
  LogLibraryMessages();
  const auto server = Server::Start(config);
  if (!server.ok()) return Fail(kCannotServe, server.status().message());
  LogStart(config, descriptors, **server);
  AwaitEnd();
  Log(LogLevel::kInfo, "draining");
  (*server)->Drain();
  Log(LogLevel::kInfo, "stopped");
  FlushLog();
  // Every request has written its line, or had the time. gRPC's own end would
  // wait up to ten seconds for a poller that a large answer has left asleep,
  // which is longer than most supervisors do before they kill.
  std::_Exit(0);
}

int Main(const std::vector<std::string>& arguments) {
  const absl::StatusOr<Config> config = ParseConfig(arguments, Environment());
  if (!config.ok()) return Fail(kBadUsage, config.status().message());
  if (config->help) {
    std::cout << HelpText();
    return 0;
  }
  if (config->version) {
    std::cout << VersionText();
    return 0;
  }
  return Serve(*config);
}

}  // namespace
}  // namespace reductor

// What libraries throw, where the system has no thread or memory left say.
int main(int argc, char** argv) try {
  return reductor::Main({argv + 1, argv + argc});
} catch (const std::exception& error) {
  return reductor::Fail(reductor::kCannotServe, error.what());
}
