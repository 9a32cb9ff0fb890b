#include "client/result_output.h"

#include <cerrno>
#include <cstring>

#include "client/format.h"
#include "client/npy.h"

namespace reductor {

absl::Status ResultOutput::Begin(const TensorType& type) {
  if (!name_.has_value()) {
    printed_ = {type.dtype, type.shape};
    return absl::OkStatus();
  }
  npy_ = *name_ == kStandardStream ? &standard_output_
                                   : &file_.emplace(*name_).stream();
  if (*npy_) WriteNpyPreamble(type, *npy_);
  return Keep(!npy_->fail());
}

absl::Status ResultOutput::Write(absl::string_view bytes) {
  if (npy_ == nullptr) {
    printed_.data.append(bytes.data(), bytes.size());
    return absl::OkStatus();
  }
  npy_->write(bytes.data(), std::ssize(bytes));
  return Keep(!npy_->fail());
}

absl::Status ResultOutput::End() {
  if (npy_ == nullptr) {
    // Whether it can be written, the command line sees to.
    standard_output_ << Format(printed_) << '\n';
    return absl::OkStatus();
  }
  if (file_.has_value()) return status_ = file_->Commit();
  return Keep(!npy_->fail());
}

absl::Status ResultOutput::Keep(bool is_written) {
  if (!is_written) status_ = absl::UnknownError(std::strerror(errno));
  return status_;
}

}  // namespace reductor
