// Numbers that look random and are the same on every machine for one seed,
// which the standard library's distributions are not.
#ifndef REDUCTOR_CLIENT_CHECK_RANDOM_H_
#define REDUCTOR_CLIENT_CHECK_RANDOM_H_

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace reductor::check {

class Random {
 public:
  // Different streams of one seed have nothing to do with each other.
  Random(uint64_t seed, uint64_t stream) {
    std::seed_seq sequence = {seed & 0xffffffff, seed >> 32,
                              stream & 0xffffffff, stream >> 32};
    engine_.seed(sequence);
  }

  // 64 random bits.
  uint64_t Bits() { return engine_(); }

  // 0 to n - 1. REQUIRES: 0 < n, far below 2^64, so that no number is favoured.
  int64_t Below(int64_t n) {
    return static_cast<int64_t>(engine_() % static_cast<uint64_t>(n));
  }

  // True once in n times.
  bool OneIn(int64_t n) { return Below(n) == 0; }

  template <class T>
  void Shuffle(std::vector<T>& items) {
    for (size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[Below(static_cast<int64_t>(i))]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace reductor::check

#endif  // REDUCTOR_CLIENT_CHECK_RANDOM_H_
