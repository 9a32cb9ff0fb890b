#include "core/scratch.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

namespace reductor {

// The blocks that a thread keeps, what was given back last at the end. To put
// one in allocates nothing, as it may be for want of memory that a fold ends.
class Scratch::Kept {
 public:
  std::optional<Block> Take(int64_t bytes) {
    for (int64_t i = count_; i-- > 0;) {
      if (blocks_[i].size == bytes) return Remove(i);
    }
    return std::nullopt;
  }

  void Put(Block block) noexcept {
    while (count_ == kMostKeptBlocks || bytes_ + block.size > kMostKept) {
      Remove(0);
    }
    bytes_ += block.size;
    blocks_[count_++] = std::move(block);
  }

 private:
  Block Remove(int64_t i) noexcept {
    Block block = std::move(blocks_[i]);
    std::move(blocks_.begin() + i + 1, blocks_.begin() + count_,
              blocks_.begin() + i);
    --count_;
    bytes_ -= block.size;
    return block;
  }

  std::array<Block, kMostKeptBlocks> blocks_;
  int64_t count_ = 0;
  int64_t bytes_ = 0;
};

Scratch::Scratch(Scratch&& other) noexcept
    : block_(std::exchange(other.block_, Block())) {
  if (other.has_few()) {
    std::memcpy(few_, other.few_, kFewBytes);
    data_ = few_;
  } else {
    data_ = block_.bytes.data();
  }
  other.data_ = nullptr;
}

Scratch::~Scratch() { GiveBack(std::move(block_)); }

std::byte* Scratch::Reserve(int64_t bytes) {
  if (bytes > kFewBytes) {
    if (bytes > block_.size) {
      data_ = nullptr;
      GiveBack(std::exchange(block_, Block()));
      block_ = Take(bytes);
    }
    data_ = block_.bytes.data();
  } else if (bytes > 0 && data_ == nullptr) {
    data_ = few_;
  }
  return data_;
}

Scratch::Kept& Scratch::KeptHere() {
  thread_local Kept kept;
  return kept;
}

Scratch::Block Scratch::Take(int64_t bytes) {
  if (IsWorthKeeping(bytes)) {
    if (std::optional<Block> kept = KeptHere().Take(bytes)) {
      return *std::move(kept);
    }
  }
  Block block;
  block.bytes = LineBytes(bytes);
  block.size = bytes;
  return block;
}

void Scratch::GiveBack(Block block) noexcept {
  if (IsWorthKeeping(block.size)) KeptHere().Put(std::move(block));
}

}  // namespace reductor
