// A file whose bytes are read where the system holds them, without a copy.
#ifndef REDUCTOR_CLIENT_MAPPED_FILE_H_
#define REDUCTOR_CLIENT_MAPPED_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/cord.h"

namespace reductor {

// Pieces of the file are mapped one by one, each for as long as its cord lives:
// so little of a large file counts as this program's memory at a time.
//
// A file that somebody else cuts short meanwhile is noticed when the next piece
// is asked for. Touching a piece after that would be a SIGBUS; but what goes
// from a cord to a socket, the kernel reads, and then the call fails.
class MappedFile {
 public:
  // REQUIRES: a regular file. NOT_FOUND, with the system's words, where it
  // cannot be opened.
  static absl::StatusOr<MappedFile> Open(const std::string& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();

  // The bytes that it has now.
  int64_t size() const;

  // The bytes at `offset`, and `size` of them. DATA_LOSS where it has fewer.
  absl::StatusOr<absl::Cord> Read(int64_t offset, int64_t size) const;

 private:
  explicit MappedFile(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_MAPPED_FILE_H_
