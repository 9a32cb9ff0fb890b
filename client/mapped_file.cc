#include "client/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/string_view.h"

namespace reductor {

absl::StatusOr<MappedFile> MappedFile::Open(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return absl::NotFoundError(std::strerror(errno));
  return MappedFile(descriptor);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

MappedFile::~MappedFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

int64_t MappedFile::size() const {
  struct stat status;
  return fstat(descriptor_, &status) == 0 ? int64_t{status.st_size} : 0;
}

absl::StatusOr<absl::Cord> MappedFile::Read(int64_t offset,
                                            int64_t size) const {
  if (size == 0) return absl::Cord();
  if (this->size() < offset + size) {
    return absl::DataLossError("it was cut short while it was read");
  }
  // A mapping begins at the start of a page.
  const int64_t lead = offset % sysconf(_SC_PAGESIZE);
  const size_t length = lead + size;
  // All pages at once: faults one by one cost several times the copying.
  void* const start =
      mmap(nullptr, length, PROT_READ, MAP_SHARED | MAP_POPULATE, descriptor_,
           offset - lead);
  if (start == MAP_FAILED) return absl::DataLossError(std::strerror(errno));
  return absl::MakeCordFromExternal(
      absl::string_view(static_cast<const char*>(start) + lead, size),
      [start, length] { munmap(start, length); });
}

}  // namespace reductor
