// Memory for as long as a thread folds something, of any content at first.
//
// What a thread gives back it keeps for its next range, as it is in its caches
// still. By malloc, threads that share an arena would get each other's, and
// fetch it line by line from the other's cache: means of 1,024 columns of
// float32, 8 MiB on two threads, took as long as on one in a third of all
// processes, and 1.8 times less in the others. A few bytes are its own: long
// rows need no more (sums of all float64 and means of all int64, 8 MiB, Zen 4:
// 82 and 70 GB/s by malloc for each range, 88 and 74 so).
#ifndef REDUCTOR_CORE_SCRATCH_H_
#define REDUCTOR_CORE_SCRATCH_H_

#include <cstddef>
#include <cstdint>

#include "core/line_bytes.h"

namespace reductor {

class Scratch {
 public:
  Scratch() = default;
  explicit Scratch(int64_t bytes) { Reserve(bytes); }
  Scratch(Scratch&& other) noexcept;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch();

  // Makes room for so many bytes, of any content, and returns data(), which may
  // change.
  std::byte* Reserve(int64_t bytes);

  // Null as long as nothing was asked.
  std::byte* data() const { return data_; }

  // A thread keeps so many bytes and blocks at most, those it used last. None
  // smaller than these, which malloc keeps for each thread by itself.
  static constexpr int64_t kMostKept = 256 * 1024;
  static constexpr int64_t kMostKeptBlocks = 32;
  static constexpr int64_t kLeastKept = 1024;

  // So many are part of it.
  static constexpr int64_t kFewBytes = 128;

 private:
  struct Block {
    LineBytes bytes;
    int64_t size = 0;
  };
  class Kept;

  static bool IsWorthKeeping(int64_t bytes) {
    return bytes >= kLeastKept && bytes <= kMostKept;
  }
  static Kept& KeptHere();
  // A block of this thread's that is as large, as what is held is counted by
  // what was asked (footprint.h); or a new one.
  static Block Take(int64_t bytes);
  static void GiveBack(Block block) noexcept;

  bool has_few() const { return data_ == few_; }

  std::byte* data_ = nullptr;
  Block block_;
  alignas(kLineBytes) std::byte few_[kFewBytes];
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_SCRATCH_H_
