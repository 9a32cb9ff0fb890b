// Tensors beside pages that cannot be read: a load of these ends the test.
#ifndef REDUCTOR_TESTS_CORE_GUARDED_PAGES_H_
#define REDUCTOR_TESTS_CORE_GUARDED_PAGES_H_

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"

namespace reductor {

// Some pages with one before them that cannot be read, and others after them.
class GuardedPages {
 public:
  // Holds `size` bytes. Of those after its pages `guard` bytes, and one page
  // more, cannot be read.
  explicit GuardedPages(int64_t size, int64_t guard = 0)
      : page_(sysconf(_SC_PAGESIZE)),
        inner_(WholePages(size)),
        all_(inner_ + WholePages(guard) + 2 * page_) {
    void* all =
        mmap(nullptr, all_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    begin_ = static_cast<char*>(all) + page_;
    if (all == MAP_FAILED ||
        mprotect(begin_, inner_, PROT_READ | PROT_WRITE) != 0) {
      std::abort();
    }
  }
  GuardedPages(const GuardedPages&) = delete;
  GuardedPages& operator=(const GuardedPages&) = delete;
  ~GuardedPages() { munmap(begin_ - page_, all_); }

  // Where the bytes begin after a guard, or end before one.
  absl::Cord AtBegin(absl::string_view bytes) {
    return At(begin_, bytes, static_cast<int64_t>(bytes.size()));
  }
  absl::Cord AtEnd(absl::string_view bytes) {
    return At(begin_ + inner_ - bytes.size(), bytes,
              static_cast<int64_t>(bytes.size()));
  }
  // A tensor of `size` bytes of which these are the first; what is not in the
  // same pages cannot be read.
  absl::Cord BeginOf(int64_t size, absl::string_view bytes) {
    return At(begin_, bytes, size);
  }

 private:
  int64_t WholePages(int64_t size) const {
    return (size + page_ - 1) / page_ * page_;
  }
  static absl::Cord At(char* place, absl::string_view bytes, int64_t size) {
    std::memcpy(place, bytes.data(), bytes.size());
    return absl::MakeCordFromExternal(
        absl::string_view(place, static_cast<size_t>(size)), [] {});
  }

  int64_t page_;
  int64_t inner_;
  int64_t all_;
  char* begin_;
};

}  // namespace reductor

#endif  // REDUCTOR_TESTS_CORE_GUARDED_PAGES_H_
