#include "client/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace reductor {

OutputFile::OutputFile(const std::string& path)
    : target_(path), written_(path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_regular_file(status)) {
    // A link goes on pointing at what it names.
    target_ = std::filesystem::canonical(path, error).string();
  }
  if (!std::filesystem::exists(status) ||
      std::filesystem::is_regular_file(status)) {
    written_ = absl::StrCat(target_, ".", getpid(), ".part");
  }
  stream_.open(written_, std::ios::binary);
  if (stream_ && std::filesystem::is_regular_file(status)) {
    std::filesystem::permissions(written_, status.permissions(), error);
  }
}

OutputFile::~OutputFile() {
  if (written_ != target_) std::remove(written_.c_str());
}

absl::Status OutputFile::Commit() {
  stream_.close();
  if (stream_.fail() || (written_ != target_ &&
                         std::rename(written_.c_str(), target_.c_str()) != 0)) {
    return absl::UnknownError(std::strerror(errno));
  }
  written_ = target_;
  return absl::OkStatus();
}

}  // namespace reductor
