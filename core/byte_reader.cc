#include "core/byte_reader.h"

#include <algorithm>
#include <cstring>

namespace reductor {

const std::byte* ByteReader::Gather(int64_t n) {
  for (int64_t filled = 0; filled < n;) {
    const int64_t size = std::min(n - filled, contiguous());
    std::memcpy(gathered_.data() + filled, TakeFromPiece(size), size);
    filled += size;
  }
  return gathered_.data();
}

void ByteReader::NextPiece() {
  absl::Cord::Advance(&at_, absl::Cord::ChunkRemaining(at_).size());
  piece_ = absl::Cord::ChunkRemaining(at_);
}

}  // namespace reductor
