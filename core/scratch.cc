#include "core/scratch.h"

#include <algorithm>
#include <cstring>
#include <iterator>
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
  const auto found =
      std::find_if(kept.blocks.rbegin(), kept.blocks.rend(),
                   [bytes](const Block& each) { return each.size >= bytes; });
  if (found == kept.blocks.rend()) {
    return {std::unique_ptr<std::byte[]>(new std::byte[bytes]), bytes};
  }
  Block block = std::move(*found);
  kept.blocks.erase(std::next(found).base());
  kept.bytes -= block.size;
  return block;
}

void Scratch::GiveBack(Block block) {
  if (block.size == 0) return;
  Kept& kept = KeptHere();
  if (kept.bytes + block.size > kMostKept) return;
  kept.bytes += block.size;
  kept.blocks.push_back(std::move(block));
}

}  // namespace reductor
