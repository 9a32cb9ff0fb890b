// Memory for as long as a thread folds something, of any content at first.
//
// What a thread gives back it keeps for its next range, as it is in its caches
// still. By malloc, threads that share an arena would get each other's, and
// fetch it line by line from the other's cache: means of 1,024 columns of
// float32, 8 MiB on two threads, took as long as on one in a third of all
// processes, and 1.8 times less in the others.
#ifndef REDUCTOR_CORE_SCRATCH_H_
#define REDUCTOR_CORE_SCRATCH_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace reductor {

class Scratch {
 public:
  Scratch() = default;
  explicit Scratch(int64_t bytes) { Reserve(bytes); }
  Scratch(Scratch&& other) noexcept
      : block_(std::exchange(other.block_, Block())) {}
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch();

  // Makes room for so many bytes, and keeps the first `kept` of those there
  // are. REQUIRES: kept <= size().
  std::byte* Reserve(int64_t bytes, int64_t kept = 0);

  std::byte* data() const { return block_.bytes.get(); }

  // A thread keeps as much at most, what it used last.
  static constexpr int64_t kMostKept = 256 * 1024;

 private:
  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    int64_t size = 0;
  };
  struct Kept;

  static Kept& KeptHere();
  // A block of this thread's or a new one. Not one that is more than twice as
  // large: some are held as long as a stream is open, which is counted by what
  // was asked (footprint.h).
  static Block Take(int64_t bytes);
  static void GiveBack(Block block);

  Block block_;
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_SCRATCH_H_
