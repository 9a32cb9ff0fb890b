// The columns of ArgMax and ArgMin, each by its leader (leaders-inl.h).
// Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_LEADER_FOLD_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_LEADER_FOLD_INL_H_
#undef REDUCTOR_CORE_KERNELS_LEADER_FOLD_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_LEADER_FOLD_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/kernels.h"
#include "core/kernels/leader_strip-inl.h"
#include "core/kernels/leaders-inl.h"
#include "core/kernels/places-inl.h"
#include "core/kernels/plain_lanes-inl.h"
#include "core/kernels/position_states-inl.h"
#include "core/kernels/read_ahead-inl.h"
#include "core/kernels/slab_fold-inl.h"
#include "core/order.h"
#include "core/reducers/extremes.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

// Positions in columns of what Extreme finds in T. The tie is an argument, so
// that both share this code.
template <template <class> class Extreme, class T>
class LeaderFolder {
 public:
  // states[c] = column c of the rows, or if kHeld Combine(states[c], that).
  static HWY_NOINLINE void Columns(Tie tie, const std::byte* HWY_RESTRICT x,
                                   int64_t rows, int64_t stride, int64_t cols,
                                   PositionState* HWY_RESTRICT states,
                                   Into into, Source source) {
    // As many rows are walked side by side as some lanes hold, but a sixteenth
    // of all at most, or to join them takes as long as to walk them (float32 of
    // 64 x 12: 5.0 GB/s without that limit, 17 so); and as kNarrowStrip lanes
    // hold, if that is a hundredth (600 x 30 int8, in cache: 13 GB/s by a
    // sixteenth, 23 so).
    constexpr int64_t kSomeLanes = 256;
    const int64_t side_by_side =
        stride == cols
            ? std::max<int64_t>({1, std::min(kSomeLanes / cols, rows / 16),
                                 std::min(kNarrowStrip / cols, rows / 100)})
            : 1;
    const int64_t at_once = kMostRowsOfPlaces * side_by_side;
    Strips strips;
    for (int64_t r = 0; r < rows; r += at_once) {
      const std::byte* const some = x + r * stride * kSize;
      const int64_t count = std::min(rows - r, at_once);
      for (int64_t c = 0; c < cols; c += Strip::kMost) {
        const int64_t width = std::min(Strip::kMost, cols - c);
        strips.Each(
            [&](const auto& strip) {
              PutPositions<Extreme>(tie, states + c, width, into,
                                    [&](int64_t l) {
                                      const auto [key, row] = strip.BestOf(l);
                                      return P::StateOf(key, row, count);
                                    });
            },
            some + c * kSize, count, stride, width,
            std::min(side_by_side, count), tie, source);
      }
      into = Into::kHeld;
    }
  }

  // Whether slabs are small and lie together, and their rows are short: fewer
  // columns than rows, or less than a line.
  static bool AreShort(int64_t rows, int64_t stride, int64_t cols) {
    return stride == cols && IsSmallSlab(rows, cols) &&
           (rows > std::max(cols, kChainRows) ||
            cols * kSize < kMinSlabRowBytes);
  }

  // The positions in columns of slabs: by strips of their rows, or by lanes if
  // these are short (ArgMax of 19 x 100 and 24 x 16 int32, in cache, Zen 3: 30
  // and 17 GB/s by strips, 19 and 24 by lanes).
  static void ReduceSlabs(Tie tie, const std::byte* HWY_RESTRICT x,
                          int64_t slabs, int64_t rows, int64_t stride,
                          int64_t cols, int64_t* HWY_RESTRICT out,
                          Source source) {
    if constexpr (kSize > 1) {  // PositionFolder finds those of bytes itself.
      if (AreShort(rows, stride, cols)) {
        return ReduceShort(tie, x, slabs, rows, cols, out);
      }
    }
    Strips strips;
    for (int64_t s = 0; s < slabs; ++s, out += cols) {
      const std::byte* const slab = x + s * rows * stride * kSize;
      for (int64_t c = 0; c < cols; c += kNarrowStrip) {
        const int64_t width = std::min(kNarrowStrip, cols - c);
        strips.Each([=](const auto& strip) { strip.PutRows(out + c); },
                    slab + c * kSize, rows, stride, width, 1, tie, source);
      }
    }
  }

 private:
  // What states hold is the same of both ties.
  using P = Position<Extreme, T, Tie::kFirst>;
  using Best = Leader<Extreme, T>;
  using Strip = LeaderStrip<Best>;
  using Tile = SlabFolder<Best, std::min<int64_t>(kGroupLanes<Best>, 16)>;
  static constexpr int64_t kSize = sizeof(T);
  // The most lanes where rows are walked side by side, and of slabs that become
  // results, of whose few rows no later pass meets the lanes again: a page of
  // their states. In cache, Zen 4, GB/s by 256 lanes, then by this:
  //   2 x 65,536 float32           29  30
  //   50 x 700 int8                35  42
  //   50 x 700 int16               50  60
  //   100 columns of int8          29  47
  //   100 columns of int16         45  52
  //   17 columns of float32        45  52
  static constexpr int64_t kNarrowStrip =
      kPageBytes / sizeof(typename Best::State);

  // The same of slabs that AreShort(), by lanes.
  static HWY_INLINE void ReduceShort(Tie tie, const std::byte* HWY_RESTRICT x,
                                     int64_t slabs, int64_t rows, int64_t cols,
                                     int64_t* HWY_RESTRICT out) {
    ReadAhead ahead(x, Ahead::kInOrder);
    Tile::Each(x, slabs, rows, cols, ahead, /*from_end=*/tie == Tie::kLast,
               [=](const Tile& tile, int64_t first, int64_t count) {
                 PutRowsOfPlaces(tie, rows, count, out + first,
                                 [&](int64_t i) { return tile.Get(i).place; });
               });
  }

  // One after the other, of floats by their values until one may be wrong: what
  // it met decides how all later ones are looked at, as they are often alike.
  class Strips {
   public:
    // Calls use(strip) with the leaders of some columns, which are those that
    // LeaderStrip makes of the arguments.
    template <class Use, class... Args>
    HWY_INLINE void Each(const Use& use, Args... args) {
      if constexpr (std::is_floating_point_v<T>) {
        if (by_values_) {
          const LeaderStrip<FloatLeader<Extreme, T>> strip(args...);
          if (!strip.may_be_wrong()) return use(strip);
          by_values_ = false;
        }
      }
      use(Strip(args...));
    }

   private:
    bool by_values_ = std::is_floating_point_v<T>;
  };
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_LEADER_FOLD_INL_H_
