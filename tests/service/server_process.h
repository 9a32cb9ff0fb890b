// The program reductord as a process of the test's own: its flags, its output,
// its signals, its exit code.
#ifndef REDUCTOR_TESTS_SERVICE_SERVER_PROCESS_H_
#define REDUCTOR_TESTS_SERVICE_SERVER_PROCESS_H_

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "tests/service/output_pipe.h"

namespace reductor {

class ServerProcess {
 public:
  // Starts it with this environment beside the test's own.
  explicit ServerProcess(const std::vector<std::string>& flags,
                         const std::vector<std::string>& environment = {}) {
    std::vector<std::string> words = {REDUCTORD};
    words.insert(words.end(), flags.begin(), flags.end());
    std::vector<std::string> variables = environment;
    for (char** variable = environ; *variable != nullptr; ++variable) {
      if (!std::string(*variable).starts_with("REDUCTOR_")) {
        variables.emplace_back(*variable);
      }
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out_.write_end(), 1);
    posix_spawn_file_actions_adddup2(&actions, err_.write_end(), 2);
    if (posix_spawn(&pid_, REDUCTORD, &actions, nullptr, Pointers(words).data(),
                    Pointers(variables).data()) != 0) {
      abort();
    }
    posix_spawn_file_actions_destroy(&actions);
    out_.CloseWriteEnd();
    err_.CloseWriteEnd();
  }

  // Kills it if the test has not waited for its end.
  ~ServerProcess() {
    if (pid_ == 0) return;
    Signal(SIGKILL);
    ExitCode();
  }

  std::string Output() { return out_.ReadAll(); }
  std::string Errors() { return err_.ReadAll(); }

  // Stops reading its log, as a reader does that goes away.
  void CloseErrors() { err_.CloseReadEnd(); }

  // The next line of its log with this message; null at the end.
  nlohmann::json AwaitLine(const std::string& msg) {
    for (std::string line = err_.ReadLine(); !line.empty();
         line = err_.ReadLine()) {
      const auto json = nlohmann::json::parse(line, nullptr, false);
      if (json.is_object() && json.value("msg", "") == msg) return json;
    }
    return nullptr;
  }

  // Waits until it listens; its i-th address.
  std::string AwaitAddress(size_t i = 0) {
    return AwaitLine("listening").at("addresses").at(i);
  }

  pid_t pid() const { return pid_; }

  // The most memory that it has ever had resident, as the system sees it.
  int64_t PeakBytes() const {
    std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
    std::string word;
    while (status >> word && word != "VmHWM:") {
    }
    int64_t kibibytes = 0;
    status >> kibibytes;
    return kibibytes * 1024;
  }

  void Signal(int number) { kill(pid_, number); }

  // Waits for its end; -1 if it did not exit by itself.
  int ExitCode() {
    int status;
    waitpid(pid_, &status, 0);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  static std::vector<char*> Pointers(std::vector<std::string>& strings) {
    std::vector<char*> pointers;
    for (std::string& string : strings) pointers.push_back(string.data());
    pointers.push_back(nullptr);
    return pointers;
  }

  OutputPipe out_;
  OutputPipe err_;
  pid_t pid_ = 0;
};

}  // namespace reductor

#endif  // REDUCTOR_TESTS_SERVICE_SERVER_PROCESS_H_
