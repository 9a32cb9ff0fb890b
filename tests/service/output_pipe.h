// A pipe that somebody writes and the test reads line by line.
#ifndef REDUCTOR_TESTS_SERVICE_OUTPUT_PIPE_H_
#define REDUCTOR_TESTS_SERVICE_OUTPUT_PIPE_H_

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace reductor {

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

}  // namespace reductor

#endif  // REDUCTOR_TESTS_SERVICE_OUTPUT_PIPE_H_
