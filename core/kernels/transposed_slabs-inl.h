// Slabs of few columns, transposed, some slabs at a time: as rows they are
// folded by vectors. Compiled once per instruction set.
//
// Places in float32, in cache, AVX-512, GB/s by columns, then by this:
//   slabs of 4 x 4     2.3  5.3
//   slabs of 20 x 3    3.0   11
//   slabs of 32 x 2    1.8   15
#if defined(REDUCTOR_CORE_KERNELS_TRANSPOSED_SLABS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_TRANSPOSED_SLABS_INL_H_
#undef REDUCTOR_CORE_KERNELS_TRANSPOSED_SLABS_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_TRANSPOSED_SLABS_INL_H_
#endif

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "absl/functional/function_ref.h"
#include "core/kernels.h"
#include "core/order.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Columns of up to so many bytes are put together an element of each slab at a
// time, so that no loop is as short as they are; longer ones slab by slab.
// Places, in cache, Intel, AVX-512, GB/s slab by slab, then by this:
//   2 x 3 float32    4.3  8.1
//   6 x 4 float32    4.4  5.1
//   8 x 4 int16      3.9  6.2
//   3 x 3 int64       11   13
inline constexpr int64_t kShortColumn = 32;

// Columns of so many bytes or more, and of 8-byte elements all that are not
// short, go row by row if their number is a constant (kCols): g++ takes several
// rows at once. In cache, Intel, AVX-512, GB/s by columns, then by this:
//   5 x 4 of 8 bytes      11  26
//   33 x 3 of 8 bytes     41  45
//   20 x 4 of 4 bytes     16  30
//   100 x 2 of 2 bytes    32  44
inline constexpr int64_t kLongColumn = 64;

// Transposes slabs of kCols columns, or of `cols` where that is 0: vectors are
// shuffled only where it is known how.
template <int64_t kCols, int64_t kSize>
HWY_NOINLINE void TransposeSlabs(const std::byte* HWY_RESTRICT from,
                                 int64_t slabs, int64_t rows, int64_t cols,
                                 std::byte* HWY_RESTRICT to) {
  if constexpr (kCols > 0) cols = kCols;
  const int64_t slab = rows * cols;
  const auto copy = [=](int64_t s, int64_t r, int64_t c) {
    std::memcpy(to + (s * slab + c * rows + r) * kSize,
                from + (s * slab + r * cols + c) * kSize, kSize);
  };
  if (rows * kSize <= kShortColumn) {
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t s = 0; s < slabs; ++s) {
        for (int64_t c = 0; c < cols; ++c) copy(s, r, c);
      }
    }
  } else if (kCols > 0 && (kSize == 8 || rows * kSize >= kLongColumn)) {
    for (int64_t s = 0; s < slabs; ++s) {
#pragma omp simd
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t c = 0; c < cols; ++c) copy(s, r, c);
      }
    }
  } else {
    for (int64_t s = 0; s < slabs; ++s) {
      for (int64_t c = 0; c < cols; ++c) {
#pragma omp simd
        for (int64_t r = 0; r < rows; ++r) copy(s, r, c);
      }
    }
  }
}

// What a shuffle takes, on every CPU.
inline constexpr int64_t kShuffled = 16;

// Whether one shuffle, the fastest way, transposes a whole slab of so many
// bytes.
inline bool AreShuffled(int64_t slab_bytes) { return slab_bytes <= kShuffled; }

// Transposes `bytes` bytes of slabs, `step` bytes of them at a time, which are
// kShuffled at most: byte b of these comes from byte sources[b] (the largest of
// float32 slabs of 2 x 2, in cache, AVX-512: 5 GB/s element by element, 18 so).
HWY_NOINLINE inline void ShuffleSlabs(const std::byte* HWY_RESTRICT from,
                                      int64_t bytes, int64_t step,
                                      const std::byte* HWY_RESTRICT sources,
                                      std::byte* HWY_RESTRICT to) {
  const hn::Full128<uint8_t> d;
  const auto table = hn::LoadU(d, reinterpret_cast<const uint8_t*>(sources));
  const auto shuffle = [&](const std::byte* x, std::byte* transposed) {
    const auto v = hn::LoadU(d, reinterpret_cast<const uint8_t*>(x));
    hn::StoreU(hn::TableLookupBytes(v, table), d,
               reinterpret_cast<uint8_t*>(transposed));
  };
  int64_t i = 0;
  for (; i + kShuffled <= bytes; i += step) shuffle(from + i, to + i);
  for (std::byte rest[kShuffled] = {}; i < bytes; i += step) {
    std::memcpy(rest, from + i, bytes - i);
    shuffle(rest, rest);
    std::memcpy(to + i, rest, bytes - i);
  }
}

// Calls use(transposed, first, count) for some slabs at a time: `transposed`
// holds the columns of these as rows, `count` of them, of which column c of
// slab s is s * cols + c; `first` columns come before them.
// A function for all types of a size: as part of each loop over slabs it was a
// fiftieth of the code of all loops.
// REQUIRES: 1 <= rows * cols <= kLargest, elements of kSize bytes.
template <int64_t kSize, int64_t kLargest = kMaxSlab>
HWY_NOINLINE void EachTransposed(
    const std::byte* HWY_RESTRICT x, int64_t slabs, int64_t rows, int64_t cols,
    absl::FunctionRef<void(const std::byte* transposed, int64_t first,
                           int64_t count)>
        use) {
  if (cols == 1) return use(x, 0, slabs);
  const int64_t slab = rows * cols;
  assert(slab <= kLargest);
  const auto transpose = cols == 2   ? &TransposeSlabs<2, kSize>
                         : cols == 3 ? &TransposeSlabs<3, kSize>
                         : cols == 4 ? &TransposeSlabs<4, kSize>
                                     : &TransposeSlabs<0, kSize>;
  // The table of the shuffle: bytes that hold their own numbers, transposed.
  const int64_t shuffled = kShuffled / (slab * kSize);
  std::byte sources[kShuffled] = {};
  if (shuffled > 0) {
    std::byte own[kShuffled];
    for (int64_t b = 0; b < kShuffled; ++b) own[b] = static_cast<std::byte>(b);
    transpose(own, shuffled, rows, cols, sources);
  }
  alignas(64) std::byte transposed[kLargest * kSize];
  for (int64_t s = 0, count = 0; s < slabs; s += count) {
    count = std::clamp<int64_t>(kMaxSlab / slab, 1, slabs - s);
    const int64_t bytes = count * slab * kSize;
    if (shuffled > 0) {
      ShuffleSlabs(x, bytes, shuffled * slab * kSize, sources, transposed);
    } else {
      transpose(x, count, rows, cols, transposed);
    }
    use(transposed, s * cols, count * cols);
    x += bytes;
  }
}

// states[s * cols + c] = column c of slab s, or if kHeld Combine(it, that), by
// the rows of the folder F. REQUIRES: as EachTransposed().
template <class F, int64_t kSize, int64_t kLargest = kMaxSlab, class State>
void FoldTransposedSlabs(const std::byte* HWY_RESTRICT x, int64_t slabs,
                         int64_t rows, int64_t cols, State* HWY_RESTRICT states,
                         Into into) {
  EachTransposed<kSize, kLargest>(
      x, slabs, rows, cols,
      [=](const std::byte* transposed, int64_t first, int64_t count) {
        F::Rows(transposed, count, rows, states + first, into,
                Source::kOwnCache);
      });
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_TRANSPOSED_SLABS_INL_H_
