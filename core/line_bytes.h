// Bytes that begin with a cache line, at the cost of up to one more: what
// vectors write there never straddles two, which takes twice as long (float64
// sums of 1,000 columns and of slabs of 3 x 1,024, in cache, AVX-512: 78 and 60
// GB/s where malloc puts them, 85 and 70 so).
#ifndef REDUCTOR_CORE_LINE_BYTES_H_
#define REDUCTOR_CORE_LINE_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "core/cpu.h"

namespace reductor {

class LineBytes {
 public:
  LineBytes() = default;
  // `n` bytes that are not cleared.
  explicit LineBytes(int64_t n)
      : block_(
            std::make_unique_for_overwrite<std::byte[]>(n + kLineBytes - 1)) {
    void* first = block_.get();
    auto size = static_cast<size_t>(n + kLineBytes - 1);
    data_ = static_cast<std::byte*>(std::align(kLineBytes, n, first, size));
  }
  LineBytes(LineBytes&& other) noexcept
      : block_(std::move(other.block_)),
        data_(std::exchange(other.data_, nullptr)) {}
  LineBytes& operator=(LineBytes&& other) noexcept {
    block_ = std::move(other.block_);
    data_ = std::exchange(other.data_, nullptr);
    return *this;
  }

  // Null as long as none were asked for.
  std::byte* data() const { return data_; }

 private:
  std::unique_ptr<std::byte[]> block_;
  std::byte* data_ = nullptr;
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_LINE_BYTES_H_
