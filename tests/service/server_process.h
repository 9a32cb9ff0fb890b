// The program reductord as a process of the test's own: its flags, its output,
// its signals, its exit code.
#ifndef REDUCTOR_TESTS_SERVICE_SERVER_PROCESS_H_
#define REDUCTOR_TESTS_SERVICE_SERVER_PROCESS_H_

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"

namespace reductor {

// A pipe that the process writes and the test reads line by line.
class OutputPipe {
 public:
  OutputPipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) abort();
    read_ = fdopen(ends[0], "r");
    write_ = ends[1];
  }
  ~OutputPipe() {
    CloseWriteEnd();
    CloseReadEnd();
  }

  int write_end() const { return write_; }
  void CloseWriteEnd() {
    if (write_ >= 0) close(write_);
    write_ = -1;
  }

  void CloseReadEnd() {
    if (read_ != nullptr) fclose(read_);
    read_ = nullptr;
  }

  // The next line with its newline; "" at the end.
  std::string ReadLine() {
    std::string line;
    for (int c = fgetc(read_); c != EOF; c = fgetc(read_)) {
      line += static_cast<char>(c);
      if (c == '\n') break;
    }
    return line;
  }

  std::string ReadAll() {
    std::string text;
    for (std::string line = ReadLine(); !line.empty(); line = ReadLine()) {
      text += line;
    }
    return text;
  }

 private:
  FILE* read_;
  int write_;
};

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
