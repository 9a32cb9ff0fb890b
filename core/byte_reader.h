// The bytes of a tensor, in order, wherever they were cut.
#ifndef REDUCTOR_CORE_BYTE_READER_H_
#define REDUCTOR_CORE_BYTE_READER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"
#include "core/order.h"

namespace reductor {

// The bytes, if they lie together. By TryFlat(), which writes two words to
// memory and reads them as one, the caller would wait (the sum of 24 float32,
// Zen 4: 43 ns by it, 33 so). REQUIRES: there are bytes.
inline std::optional<absl::string_view> InOnePiece(const absl::Cord& bytes) {
  const absl::string_view piece = *bytes.chunk_begin();
  if (piece.size() != bytes.size()) return std::nullopt;
  return piece;
}

// Reads bytes in order, without copying what lies together. They must outlive
// it.
class ByteReader {
 public:
  explicit ByteReader(absl::string_view bytes) : piece_(bytes) {}
  // Those of a Cord from `at` on.
  explicit ByteReader(absl::Cord::CharIterator at)
      : piece_(absl::Cord::ChunkRemaining(at)), at_(at) {}

  // How many of the next bytes lie together; at least 1.
  // REQUIRES: not all of them were taken.
  int64_t contiguous() {
    if (piece_.empty()) NextPiece();
    return static_cast<int64_t>(piece_.size());
  }

  // The next `n` bytes, gathered where they straddle a cut; valid until the
  // next call. REQUIRES: n <= contiguous(), or n <= kBlockBytes.
  const std::byte* Take(int64_t n) {
    return contiguous() >= n ? TakeFromPiece(n) : Gather(n);
  }

 private:
  const std::byte* TakeFromPiece(int64_t n) {
    const char* const taken = piece_.data();
    piece_.remove_prefix(n);
    return reinterpret_cast<const std::byte*>(taken);
  }
  const std::byte* Gather(int64_t n);
  void NextPiece();

  absl::string_view piece_;      // What is left of the piece that begins
  absl::Cord::CharIterator at_;  // here, in a Cord.
  std::array<std::byte, kBlockBytes> gathered_;
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_BYTE_READER_H_
