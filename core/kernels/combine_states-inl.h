// States of rows that were folded on their own join those before them: a
// function for each way to join two, which reducers share. Compiled once per
// instruction set.
#if defined(REDUCTOR_CORE_KERNELS_COMBINE_STATES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_COMBINE_STATES_INL_H_
#undef REDUCTOR_CORE_KERNELS_COMBINE_STATES_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_COMBINE_STATES_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/kernels/isa-inl.h"
#include "core/reducers/words.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// kCols columns of each slab, whose rows are n states; what each has so far
// stays in a register.
template <auto kCombine, int64_t kCols, class State>
HWY_INLINE void CombineColumns(State* HWY_RESTRICT into,
                               const State* HWY_RESTRICT from, int64_t slabs,
                               int64_t rows, int64_t n) {
  for (int64_t s = 0; s < slabs; ++s) {
    State states[kCols];
    for (int64_t c = 0; c < kCols; ++c) states[c] = into[s * n + c];
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t c = 0; c < kCols; ++c) {
        states[c] = kCombine(states[c], from[c]);
      }
      from += n;
      // Hides where the next row is: g++ would take several rows that lie
      // apart as vectors, which is ten times the code, and no faster.
      asm("" : "+r"(from));
    }
    for (int64_t c = 0; c < kCols; ++c) into[s * n + c] = states[c];
  }
}

// The same of kVectors vectors of sums of 128 bits, each of which the
// compiler's vectors would store word by word. Means, in cache, AVX-512, GB/s
// by these, then by this:
//   20 x 9 x 3 of KRKR, int32     5   8
//   20 x 9 x 3 of KRKR, int64     9  15
//   91 x 2 of RKR, int64          9  13
template <int64_t kVectors>
HWY_INLINE void AddColumns(Words<int64_t>* HWY_RESTRICT into,
                           const Words<int64_t>* HWY_RESTRICT from,
                           int64_t slabs, int64_t rows, int64_t n) {
  const hn::ScalableTag<uint64_t> d;
  constexpr int64_t kWords = hn::MaxLanes(d);
  using V = hn::Vec<decltype(d)>;
  for (int64_t s = 0; s < slabs; ++s) {
    auto* const to = reinterpret_cast<uint64_t*>(into + s * n);
    V sums[kVectors];
    // How often each word has overflowed, as a negative number, which masks add
    // up to: the next sum need not wait for it.
    V carries[kVectors];
    for (int64_t v = 0; v < kVectors; ++v) {
      sums[v] = hn::LoadU(d, to + v * kWords);
      carries[v] = hn::Zero(d);
    }
    for (int64_t r = 0; r < rows; ++r) {
      const auto* const row = reinterpret_cast<const uint64_t*>(from);
      for (int64_t v = 0; v < kVectors; ++v) {
        const V more = hn::LoadU(d, row + v * kWords);
        sums[v] = hn::Add(sums[v], more);
        carries[v] =
            hn::Add(carries[v], hn::VecFromMask(d, hn::Lt(sums[v], more)));
      }
      from += n;
    }
    for (int64_t v = 0; v < kVectors; ++v) {
      hn::StoreU(hn::Sub(sums[v], hn::ShiftLeftLanes<1>(d, carries[v])), d,
                 to + v * kWords);
    }
  }
}

// The rows of a slab, wide enough for vectors of states.
template <auto kCombine, class State>
HWY_INLINE void CombineWide(State* HWY_RESTRICT into,
                            const State* HWY_RESTRICT from, int64_t rows,
                            int64_t n) {
  for (int64_t r = 0; r < rows; ++r) {
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) {
      into[i] = kCombine(into[i], from[r * n + i]);
    }
  }
}

// Whether states join by a few instructions: those that are numbers.
template <class State>
inline constexpr bool kAreNumbers = std::is_arithmetic_v<State>;
template <class Upper>
inline constexpr bool kAreNumbers<Words<Upper>> = true;

// Kernel::combine. Of narrow rows up to four columns at a time. Of KRKR, in
// cache, AVX-512, GB/s by one loop that a call enters for each slab, then by
// this:
//   sums of 3 x 5 x 2 int32             9  15
//   sums of 4 x 6 x 2 float64          14  23
//   means of 17 x 28 x 5 x 2 int64      5  13
template <class State, State (*kCombine)(State, State)>
void CombineSlabs(std::byte* into, const std::byte* from, int64_t slabs,
                  int64_t rows, int64_t n) {
  auto* const a = reinterpret_cast<State*>(into);
  auto* const b = reinterpret_cast<const State*>(from);
  // A vector of SSE4 holds one of them.
  constexpr bool kAreSums = std::is_same_v<State, Words<int64_t>> && kHasAvx2;
  // Fewer states fill no vector that is worth it.
  constexpr int64_t kFewest = 8;
  int64_t c = 0;
  if (n >= kFewest) {
    if constexpr (kAreSums) {
      constexpr int64_t kSums = hn::MaxLanes(hn::ScalableTag<uint64_t>()) / 2;
      for (; c + 4 * kSums <= n; c += 4 * kSums) {
        AddColumns<4>(a + c, b + c, slabs, rows, n);
      }
      for (; c + kSums <= n; c += kSums) {
        AddColumns<1>(a + c, b + c, slabs, rows, n);
      }
    } else {
      for (int64_t s = 0; s < slabs; ++s) {
        CombineWide<kCombine>(a + s * n, b + s * rows * n, rows, n);
      }
      return;
    }
  }
  if constexpr (kAreNumbers<State>) {
    for (; c + 4 <= n; c += 4) {
      CombineColumns<kCombine, 4>(a + c, b + c, slabs, rows, n);
    }
    if (c + 3 == n) {
      return CombineColumns<kCombine, 3>(a + c, b + c, slabs, rows, n);
    }
    if (c + 2 == n) {
      return CombineColumns<kCombine, 2>(a + c, b + c, slabs, rows, n);
    }
  }
  for (; c < n; ++c) {
    CombineColumns<kCombine, 1>(a + c, b + c, slabs, rows, n);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_COMBINE_STATES_INL_H_
