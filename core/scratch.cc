#include "core/scratch.h"

#include <cstring>
#include <utility>
#include <vector>

namespace reductor {

struct Scratch::Kept {
  std::vector<Block> blocks;
  int64_t bytes = 0;
};

Scratch::~Scratch() { GiveBack(std::move(block_)); }

std::byte* Scratch::Reserve(int64_t bytes, int64_t kept) {
  if (bytes > block_.size) {
    Block larger = Take(bytes);
    if (kept > 0) std::memcpy(larger.bytes.get(), data(), kept);
    std::swap(block_, larger);
    GiveBack(std::move(larger));
  }
  return data();
}

Scratch::Kept& Scratch::KeptHere() {
  thread_local Kept kept;
  return kept;
}

Scratch::Block Scratch::Take(int64_t bytes) {
  Kept& kept = KeptHere();
  // What was given back last has been used last.
  for (size_t i = kept.blocks.size(); i-- > 0;) {
    const int64_t size = kept.blocks[i].size;
    if (size < bytes || size / 2 > bytes) continue;
    Block block = std::move(kept.blocks[i]);
    kept.blocks.erase(kept.blocks.begin() + static_cast<ptrdiff_t>(i));
    kept.bytes -= block.size;
    return block;
  }
  Block block;
  block.bytes = std::make_unique_for_overwrite<std::byte[]>(bytes);
  block.size = bytes;
  return block;
}

void Scratch::GiveBack(Block block) {
  if (block.size == 0 || block.size > kMostKept) return;
  Kept& kept = KeptHere();
  kept.bytes += block.size;
  while (kept.bytes > kMostKept) {
    kept.bytes -= kept.blocks.front().size;
    kept.blocks.erase(kept.blocks.begin());
  }
  kept.blocks.push_back(std::move(block));
}

}  // namespace reductor
