// A file that appears whole or not at all: what was there before stays until
// then, so that it may be what the new one is made from.
#ifndef REDUCTOR_CLIENT_OUTPUT_FILE_H_
#define REDUCTOR_CLIENT_OUTPUT_FILE_H_

#include <fstream>
#include <string>

#include "absl/status/status.h"

namespace reductor {

class OutputFile {
 public:
  // A file of another kind, such as a pipe or a device, is written as it is.
  explicit OutputFile(const std::string& path);

  // Without a Commit() that succeeded nothing is left of it.
  ~OutputFile();

  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Failures show in its state.
  std::ostream& stream() { return stream_; }

  // Call it once, when all is written. An error has the system's words.
  absl::Status Commit();

 private:
  std::string target_;
  std::string written_;  // The name until Commit(); or the same.
  std::ofstream stream_;
};

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_OUTPUT_FILE_H_
