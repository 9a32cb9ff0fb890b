// Where the result of a command goes: a .npy file, standard output, or, as
// text, a reader.
#ifndef REDUCTOR_CLIENT_RESULT_OUTPUT_H_
#define REDUCTOR_CLIENT_RESULT_OUTPUT_H_

#include <optional>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "client/output_file.h"
#include "client/tensor.h"

namespace reductor {

// Stands for standard input or output in the place of a file's name.
inline constexpr char kStandardStream[] = "-";

class ResultOutput {
 public:
  // Without a name the values are printed to `standard_output`, which outlives
  // this. Nothing is written, nor opened, before Begin().
  ResultOutput(std::optional<std::string> name, std::ostream& standard_output)
      : name_(std::move(name)), standard_output_(standard_output) {}

  // Begin(), then Write() until all bytes of that type are there, then End().
  // An error has the system's words; it is also kept.
  absl::Status Begin(const TensorType& type);
  absl::Status Write(absl::string_view bytes);
  absl::Status End();

  // The first error of all.
  const absl::Status& status() const { return status_; }

 private:
  absl::Status Keep(bool is_written);

  const std::optional<std::string> name_;
  std::ostream& standard_output_;
  std::optional<OutputFile> file_;
  std::ostream* npy_ = nullptr;  // Where a .npy file goes; or else:
  Tensor printed_;
  absl::Status status_;
};

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_RESULT_OUTPUT_H_
