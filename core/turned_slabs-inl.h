// Slabs of few columns, turned into rows, for some slabs at a time: as rows
// they are folded by vectors (float32 positions in slabs of 4 x 4, 20 x 3 and
// 32 x 2, in cache, AVX-512, GB/s by columns and so: 2.3 and 5.3, 3.0 and 11,
// 1.8 and 15). Compiled once per instruction set.
#if defined(REDUCTOR_CORE_TURNED_SLABS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_TURNED_SLABS_INL_H_
#undef REDUCTOR_CORE_TURNED_SLABS_INL_H_
#else
#define REDUCTOR_CORE_TURNED_SLABS_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/kernels.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Turns slabs of kCols columns, or of `cols` where that is 0: vectors are
// shuffled only where it is known how.
template <int64_t kCols, int64_t kSize>
HWY_NOINLINE void TurnSlabs(const std::byte* HWY_RESTRICT from, int64_t slabs,
                            int64_t rows, int64_t cols,
                            std::byte* HWY_RESTRICT to) {
  if constexpr (kCols > 0) cols = kCols;
  const int64_t slab_bytes = rows * cols * kSize;
  for (int64_t s = 0; s < slabs; ++s, from += slab_bytes, to += slab_bytes) {
    for (int64_t c = 0; c < cols; ++c) {
      for (int64_t r = 0; r < rows; ++r) {
        std::memcpy(to + (c * rows + r) * kSize, from + (r * cols + c) * kSize,
                    kSize);
      }
    }
  }
}

// What a shuffle takes, on every CPU.
inline constexpr int64_t kShuffled = 16;

// Turns slabs of kShuffled bytes at most (the largest of float32
// slabs of 2 x 2, in cache, AVX-512: 5 GB/s element by element, 18 so).
HWY_NOINLINE inline void ShuffleSlabs(const std::byte* HWY_RESTRICT from,
                                      int64_t slabs, int64_t rows, int64_t cols,
                                      int64_t size,
                                      std::byte* HWY_RESTRICT to) {
  const hn::Full128<uint8_t> d;
  const int64_t slab_bytes = rows * cols * size;
  const int64_t at_once = kShuffled / slab_bytes;
  alignas(kShuffled) uint8_t from_of[kShuffled] = {};
  for (int64_t s = 0; s < at_once; ++s) {
    for (int64_t c = 0; c < cols; ++c) {
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t b = 0; b < size; ++b) {
          from_of[s * slab_bytes + (c * rows + r) * size + b] =
              static_cast<uint8_t>(s * slab_bytes + (r * cols + c) * size + b);
        }
      }
    }
  }
  const auto table = hn::Load(d, from_of);
  const int64_t bytes = slabs * slab_bytes;
  const auto shuffle = [&](const std::byte* x, std::byte* turned) {
    const auto v = hn::LoadU(d, reinterpret_cast<const uint8_t*>(x));
    hn::StoreU(hn::TableLookupBytes(v, table), d,
               reinterpret_cast<uint8_t*>(turned));
  };
  int64_t i = 0;
  for (; i + kShuffled <= bytes; i += at_once * slab_bytes) {
    shuffle(from + i, to + i);
  }
  for (std::byte rest[kShuffled] = {}; i < bytes; i += at_once * slab_bytes) {
    std::memcpy(rest, from + i, bytes - i);
    shuffle(rest, rest);
    std::memcpy(to + i, rest, bytes - i);
  }
}

// states[s * cols + c] = Combine(it, column c of slab s), by the rows of the
// folder F, each `rows` elements of kSize bytes.
// REQUIRES: 1 <= rows * cols <= kMaxExactSlab.
template <class F, int64_t kSize, class State>
HWY_NOINLINE void FoldTurnedSlabs(const std::byte* HWY_RESTRICT x,
                                  int64_t slabs, int64_t rows, int64_t cols,
                                  State* HWY_RESTRICT states, Into into) {
  if (cols == 1) return F::Rows(x, slabs, rows, states, into);
  const int64_t slab = rows * cols;
  const auto turn = cols == 2   ? &TurnSlabs<2, kSize>
                    : cols == 3 ? &TurnSlabs<3, kSize>
                    : cols == 4 ? &TurnSlabs<4, kSize>
                                : &TurnSlabs<0, kSize>;
  alignas(64) std::byte turned[kMaxExactSlab * kSize];
  for (int64_t count; slabs > 0; slabs -= count) {
    count = std::min(slabs, kMaxExactSlab / slab);
    if (slab * kSize <= kShuffled) {
      ShuffleSlabs(x, count, rows, cols, kSize, turned);
    } else {
      turn(x, count, rows, cols, turned);
    }
    F::Rows(turned, count * cols, rows, states, into);
    x += count * slab * kSize;
    states += count * cols;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_TURNED_SLABS_INL_H_
