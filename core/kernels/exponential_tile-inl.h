// For ReduceLogSumExp: e^(x - m) of each element x of some rows or slabs, m
// being the largest of x's row or column. Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_EXPONENTIAL_TILE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_EXPONENTIAL_TILE_INL_H_
#undef REDUCTOR_CORE_KERNELS_EXPONENTIAL_TILE_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_EXPONENTIAL_TILE_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/kernels.h"
#include "core/kernels/elements-inl.h"
#include "core/kernels/results-inl.h"
#include "core/kernels/vector_states-inl.h"
#include "core/kernels/widening-inl.h"
#include "core/reducers/extremes.h"
#include "core/reducers/log_sum_exp.h"
#include "core/reducers/sums.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <Numeric T>
class ExponentialTile {
  using M = ReduceLogSumExp<T>;
  using State = typename M::State;

 public:
  // As many float64 fill a quarter of a 32 KiB L1 cache.
  static constexpr int64_t kElements = 1024;
  // What loops take at once, to know how often they turn.
  static constexpr int64_t kStep = 8;

  // What kernels write and read: the states of ReduceMax, the elements and the
  // states of ReduceSum.
  std::byte* largest() { return reinterpret_cast<std::byte*>(keys_); }
  std::byte* exponentials() {
    return reinterpret_cast<std::byte*>(exponentials_);
  }
  std::byte* sums() { return reinterpret_cast<std::byte*>(sums_); }

  // Makes offsets [0, n) those of the n largest elements found; clears one step
  // more, which loops read.
  void SetOffsets(int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      if constexpr (kIsFloat<T>) largest_[i] = M::Map(LargestOf(i)).max;
      offsets_[i] = M::OffsetOf(LargestOf(i));
    }
    std::fill_n(offsets_ + n, kStep, 0);
  }

  // Takes `rows` rows of `n` elements, one after the other: their differences
  // from an offset each, of integers the exponentials of these. Short ones as
  // one array, beside each element its own offset (rows of 2 and 5 float32 and
  // of 2 and 5 int32, in cache, Zen 4: 0.8, 1.4, 1.5 and 3.1 GB/s row by row,
  // 1.6, 2.4, 2.1 and 4.0 so; of 17 and 31 as fast or slower).
  // REQUIRES: rows * n <= kElements.
  HWY_INLINE void SubtractRows(const std::byte* HWY_RESTRICT x, int64_t rows,
                               int64_t n) {
    const int64_t all = rows * n;
    if (n >= 2 * kStep) {
      for (int64_t r = 0; r < rows; ++r) {
        Subtract(x, r * n, n, all, r * n, SameOffset{offsets_[r]});
      }
      return;
    }
    // By whole steps: the first, of which the next row overwrites what is not
    // its own, and the last.
    for (int64_t r = 0; r < rows; ++r) {
      std::fill_n(beside_ + r * n, kStep, offsets_[r]);
    }
    if (n > kStep) {
      for (int64_t r = 0; r < rows; ++r) {
        std::fill_n(beside_ + (r + 1) * n - kStep, kStep, offsets_[r]);
      }
    }
    SubtractBeside(x, all);
  }

  // The same of slabs of rows of `cols` elements, each from that of its column:
  // short rows as one array too (slabs of 4 x 3 float32 and int32 and of 8 x 3
  // int32: 1.0, 1.4 and 1.8 GB/s row by row, 1.4, 2.0 and 3.0 so).
  HWY_INLINE void SubtractSlabs(const std::byte* HWY_RESTRICT x, int64_t slabs,
                                int64_t rows, int64_t cols) {
    const int64_t slab = rows * cols;
    if (cols >= kStep) {
      for (int64_t s = 0; s < slabs; ++s) {
        SubtractColumns(x, s * slab, rows, cols, cols, slabs * slab, s * slab,
                        s * cols);
      }
      return;
    }
    for (int64_t s = 0; s < slabs; ++s) {
      for (int64_t i = s * slab; i < (s + 1) * slab; i += cols) {
        std::copy_n(offsets_ + s * cols, kStep, beside_ + i);
      }
    }
    SubtractBeside(x, slabs * slab);
  }

  // Makes [to, ...) the differences of `width` columns of rows that begin
  // `stride` elements apart, the first of them element `from` of x: the first
  // column from offset `at`, each other from the next. x has `end` elements,
  // which is as far as it may be read.
  HWY_INLINE void SubtractColumns(const std::byte* HWY_RESTRICT x, int64_t from,
                                  int64_t rows, int64_t stride, int64_t width,
                                  int64_t end, int64_t to, int64_t at) {
    for (int64_t r = 0; r < rows; ++r) {
      Subtract(x, from + r * stride, width, end, to + r * width,
               OwnOffsets{offsets_ + at});
    }
  }

  // Replaces n differences by their exponentials, in whole steps: what fills
  // the last one is cleared before. Of integers they are exponentials already.
  void Exponentiate(int64_t n) {
    if (!kIsFloat<T>) return;
    std::fill_n(exponentials_ + n, kStep, 0);
    for (int64_t i = 0; i < n; i += kStep) {
#pragma GCC unroll 1
      for (int64_t l = i; l < i + kStep; ++l) {
        exponentials_[l] = M::Exponential(exponentials_[l]);
      }
    }
  }

  // Writes the n states, or joins them to those held.
  void Put(int64_t n, State* HWY_RESTRICT states, Into into) {
    for (int64_t i = 0; i < n; ++i) {
      const State s = StateOf(i);
      states[i] = into == Into::kNew ? s : M::Combine(states[i], s);
    }
  }
  // Writes the results of the n states of `count` elements each.
  void PutResultsOf(int64_t count, int64_t n, T* HWY_RESTRICT out) {
    PutResults(n, out,
               [=, this](int64_t i) { return M::Finish(StateOf(i), count); });
  }

 private:
  // The offsets of elements side by side: one of all of them, or each its own.
  struct SameOffset {
    typename M::Offset offset;
    HWY_INLINE SameOffset From(int64_t /*i*/) const { return *this; }
    HWY_INLINE auto operator[](int64_t /*l*/) const { return offset; }
    template <class D>
    HWY_INLINE auto At(D d, int64_t /*l*/) const {
      return hn::Set(d, offset);
    }
  };
  struct OwnOffsets {
    const typename M::Offset* offsets;
    HWY_INLINE OwnOffsets From(int64_t i) const { return {offsets + i}; }
    HWY_INLINE auto operator[](int64_t l) const { return offsets[l]; }
    template <class D>
    HWY_INLINE auto At(D d, int64_t l) const {
      return hn::LoadU(d, offsets + l);
    }
  };

  T LargestOf(int64_t i) const { return ReduceMax<T>::Finish(keys_[i], 1); }

  State StateOf(int64_t i) const {
    if constexpr (kIsFloat<T>) {
      return {largest_[i], sums_[i]};
    } else {
      return {LargestOf(i), sums_[i]};
    }
  }

  // Those of `n` elements, each from the offset beside it.
  HWY_INLINE void SubtractBeside(const std::byte* HWY_RESTRICT x, int64_t n) {
    Subtract(x, 0, n, n, 0, OwnOffsets{beside_});
  }

  // Makes [to, to + n) the differences of elements [from, from + n) of x, which
  // has `end`, from the offsets; and may overwrite what follows.
  template <class Offsets>
  HWY_INLINE void Subtract(const std::byte* HWY_RESTRICT x, int64_t from,
                           int64_t n, int64_t end, int64_t to,
                           Offsets offsets) {
    const auto subtract = [&](int64_t l) {
      const T element = ElementAt<T>(x, from + l);
      if constexpr (kIsFloat<T>) {
        exponentials_[to + l] = M::Difference(element, offsets[l]);
      } else {
        exponentials_[to + l] =
            M::Exponential(M::BelowMax(element, offsets[l]));
      }
    };
    const int64_t all = hwy::RoundUpTo(n, kStep);
    const int64_t stepped = from + all <= end ? all : n / kStep * kStep;
    for (int64_t i = 0; i < stepped; i += kStep) {
      if constexpr (kAreWidened) {
        PutWidenedStep(x, from + i, to + i, offsets.From(i));
        continue;
      }
      if constexpr (kMayBeOutOfReach) {
        if (PutFarStep(x, from + i, to + i, offsets.From(i))) continue;
      }
#pragma GCC unroll 1
      for (int64_t l = i; l < i + kStep; ++l) subtract(l);
    }
    for (int64_t l = stepped; l < n; ++l) subtract(l);
  }

  // Whether vectors widen the elements.
  static constexpr bool kAreWidened = kIsFloat<T> && IsWidening<ReduceSum<T>>();

  // Puts the differences of a step of these from x[i] on. g++ would take as
  // many elements at a time as fill a vector before they are widened, in halves
  // (all float16 and rows of 100, in cache, AVX-512: 1.6 and 1.4 GB/s, 2.4
  // and 2.0 so; of float32 4.4 and 4.0, 4.6 and 4.2).
  template <class Offsets>
  HWY_INLINE void PutWidenedStep(const std::byte* HWY_RESTRICT x, int64_t i,
                                 int64_t to, Offsets offsets) {
    const hn::CappedTag<double, kStep> d;
    using States = VectorStates<ReduceSum<T>, hn::CappedTag<double, kStep>>;
    for (int64_t l = 0; l < kStep; l += hn::MaxLanes(d)) {
      const auto element = States::ValuesAt(x + (i + l) * sizeof(T));
      hn::StoreU(hn::Sub(element, offsets.At(d, l)), d, exponentials_ + to + l);
    }
  }

  // Whether integers may be so far below the largest that their exponential is
  // 0.
  static constexpr bool kMayBeOutOfReach = [] {
    if constexpr (kIsFloat<T>) {
      return false;
    } else {
      return std::numeric_limits<typename M::Below>::max() >= M::kOutOfReach;
    }
  }();

  // Puts the exponentials of a step of integers from x[i] on, if each is the
  // largest or out of its reach, and says whether they are: to ask costs less
  // than to look all up (rows of 18 of any int32 and int64, in cache, Zen 3:
  // 1.2 and 3.9 GB/s, 2.5 and 7.2 so). All are asked before the branch, as
  // nobody would foresee where the largest is (rows of 8 and 18 of any int64
  // and int32: 3.2 and 3.4 GB/s, 4.6 and 4.7 so).
  template <class Offsets>
  HWY_INLINE bool PutFarStep(const std::byte* HWY_RESTRICT x, int64_t i,
                             int64_t to, Offsets offsets) {
    using Below = typename M::Below;
    alignas(64) Below below[kStep];
#pragma GCC unroll 1
    for (int64_t l = 0; l < kStep; ++l) {
      below[l] = M::BelowMax(ElementAt<T>(x, i + l), offsets[l]);
    }
    const hn::CappedTag<Below, kStep> d;
    const auto in_reach = hn::Set(d, static_cast<Below>(M::kOutOfReach - 1));
    const auto is_far = [&](int64_t l) {
      const auto v = hn::Load(d, below + l);
      return hn::Or(hn::Gt(v, in_reach), hn::Eq(v, hn::Zero(d)));
    };
    auto are_far = is_far(0);
    for (int64_t l = hn::Lanes(d); l < kStep; l += hn::Lanes(d)) {
      are_far = hn::And(are_far, is_far(l));
    }
    if (!hn::AllTrue(d, are_far)) return false;
#pragma GCC unroll 1
    for (int64_t l = 0; l < kStep; ++l) {
      exponentials_[to + l] = below[l] == 0 ? 1 : 0;
    }
    return true;
  }

  alignas(64) Key<T> keys_[kElements];
  // The same of floats, as states have them.
  alignas(64) decltype(State::max) largest_[kIsFloat<T> ? kElements : 1];
  alignas(64) typename M::Offset offsets_[kElements + kStep];
  alignas(64) typename M::Offset beside_[kElements + kStep];
  alignas(64) double exponentials_[kElements + kStep];
  alignas(64) double sums_[kElements];
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_EXPONENTIAL_TILE_INL_H_
