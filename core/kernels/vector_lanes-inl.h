// Lanes that are vectors by name: of float64, which narrower floats are widened
// to, of integers whose sum is wider than they are, and of what vectors join as
// it is. Compiled once per instruction set.
//
// g++ 12 chooses its vectors by the narrow elements and not by the lanes: it
// sums eight lanes in halves of a register and reads them back as one, which
// waits for memory. And where loops follow each other it leaves lanes in memory
// between them. In cache, AVX-512, GB/s by its choice and by ours:
//   sums of rows of 17 float32                    11   35
//   sums of rows of 1,000 float32                 96  132
//   sums of rows of 1,000 float16                 22   49
//   exact sums of rows of 17 int32                10   33
//   L1 of rows of 99 int32                        38   85
//   the largest of slabs of 79 x 252 int32        52   70
#if defined(REDUCTOR_CORE_KERNELS_VECTOR_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_VECTOR_LANES_INL_H_
#undef REDUCTOR_CORE_KERNELS_VECTOR_LANES_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_VECTOR_LANES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "core/kernels/combine_vectors-inl.h"
#include "core/kernels/join_rows-inl.h"
#include "core/kernels/lane_tail-inl.h"
#include "core/kernels/lanes.h"
#include "core/kernels/one_nan-inl.h"
#include "core/kernels/vector_states-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The kWidth states of a monoid that has vectors.
template <Monoid M, int64_t kWidth>
class VectorLanes {
  template <Monoid, int64_t>
  friend class VectorLanes;

  using T = typename M::Input;
  using State = typename M::State;

 public:
  // Of kVectors vectors, each of kVectorLanes states.
  using D = hn::CappedTag<State, kWidth>;
  using V = hn::Vec<D>;
  static constexpr int64_t kVectorLanes = hn::MaxLanes(D());
  static constexpr int64_t kVectors = kWidth / kVectorLanes;

  // The states of no elements.
  HWY_INLINE VectorLanes() {
    for (V& v : vectors_) v = hn::Set(D(), M::Identity());
  }

  explicit HWY_INLINE VectorLanes(const State* HWY_RESTRICT states) {
    for (int64_t v = 0; v < kVectors; ++v) {
      vectors_[v] = hn::LoadU(D(), states + v * kVectorLanes);
    }
  }

  // The states of elements [i, i + kWidth).
  HWY_INLINE VectorLanes(const std::byte* HWY_RESTRICT x, int64_t i) {
    for (int64_t v = 0; v < kVectors; ++v) {
      vectors_[v] = States::Of(ValuesAt(x, i + v * kVectorLanes));
    }
  }

  // Lane l takes element i + l.
  HWY_INLINE void Append(const std::byte* HWY_RESTRICT x, int64_t i) {
    for (int64_t v = 0; v < kVectors; ++v) {
      Append(v, ValuesAt(x, i + v * kVectorLanes));
    }
  }

  // The lanes of vector v are joined with these.
  HWY_INLINE void Combine(int64_t v, V states) {
    vectors_[v] = CombineVectors<M>(vectors_[v], states);
  }

  // The lanes from one on.
  using Tail = LaneTail<D, kVectors>;

  // Lane l takes element i + l, if it is of the tail.
  HWY_INLINE void AppendTo(const Tail& tail, const std::byte* HWY_RESTRICT x,
                           int64_t i) {
    const V nothing = hn::Set(D(), M::Identity());
    for (int64_t v = 0; v < kVectors; ++v) {
      Append(v, hn::IfThenElse(tail.before(v), nothing,
                               ValuesAt(x, i + v * kVectorLanes)));
    }
  }

  // Each lane is joined with the other's.
  HWY_INLINE void Combine(const VectorLanes& other) {
    for (int64_t v = 0; v < kVectors; ++v) {
      Combine(v, other.vectors_[v]);
    }
  }

  // Joins lane l with lane l + half of them, and so on by halves down to kKept,
  // which become states [at, at + kKept) of `to`.
  template <int64_t kKept, class L>
  HWY_INLINE void StoreHalved(L& to, int64_t at) const {
    StoreHalved<kKept>(to.data() + at);
  }
  template <int64_t kKept>
  HWY_INLINE void StoreHalved(State* HWY_RESTRICT to) const {
    if constexpr (kKept == kWidth) {
      Store(to);
    } else if constexpr (kVectors > 1) {
      VectorLanes<M, kWidth / 2> half;
      for (int64_t v = 0; v < kVectors / 2; ++v) {
        half.vectors_[v] =
            CombineVectors<M>(vectors_[v], vectors_[v + kVectors / 2]);
      }
      half.template StoreHalved<kKept>(to);
    } else {
      const auto kept = JoinHalves<kKept>(D(), vectors_[0], [](auto a, auto b) {
        return CombineVectors<M>(a, b);
      });
      hn::StoreU(kept, hn::DFromV<decltype(kept)>(), to);
    }
  }

  // The states of vector v.
  HWY_INLINE V vector(int64_t v) const { return vectors_[v]; }

  // They become states [at, at + kWidth) of `to`,
  template <class L>
  HWY_INLINE void Store(L& to, int64_t at) const {
    Store(to.data() + at);
  }
  // or join these.
  template <class L>
  HWY_INLINE void CombineInto(L& to, int64_t at) const {
    CombineInto(to.data() + at);
  }

  HWY_INLINE void CombineInto(State* HWY_RESTRICT to) const {
    VectorLanes joined(to);
    joined.Combine(*this);
    joined.Store(to);
  }
  HWY_INLINE void Store(State* HWY_RESTRICT to) const {
    for (int64_t v = 0; v < kVectors; ++v) {
      hn::StoreU(vectors_[v], D(), to + v * kVectorLanes);
    }
  }

  // As elements again, each what Narrow() makes of result(its state).
  template <class Result>
  HWY_INLINE void StoreElements(T* HWY_RESTRICT to,
                                const Result& result) const {
    const Elements d;
    for (int64_t v = 0; v < kVectors; ++v) {
      auto narrow = Narrowed(result(vectors_[v]));
      if constexpr (FloatElement<T>) {
        narrow = OneNan(d, narrow);
      }
      hn::StoreU(narrow, d, to + v * kVectorLanes);
    }
  }

  // The same, right if no result is a NaN; says whether none is.
  template <class Result>
  HWY_INLINE bool StoreNumbers(T* HWY_RESTRICT to, const Result& result) const {
    const Elements d;
    auto are_nan = hn::FirstN(d, 0);
    for (int64_t v = 0; v < kVectors; ++v) {
      const auto narrow = Narrowed(result(vectors_[v]));
      are_nan = hn::Or(are_nan, hn::IsNaN(narrow));
      hn::StoreU(narrow, d, to + v * kVectorLanes);
    }
    return hn::AllFalse(d, are_nan);
  }

  HWY_INLINE Lanes<State, kWidth> ToLanes() const {
    Lanes<State, kWidth> lanes;
    Store(lanes.data());
    return lanes;
  }

 private:
  using States = VectorStates<M, D>;
  using Elements = hn::Rebind<T, D>;

  static HWY_INLINE V ValuesAt(const std::byte* HWY_RESTRICT x, int64_t i) {
    return States::ValuesAt(x + i * static_cast<int64_t>(sizeof(T)));
  }

  static HWY_INLINE hn::Vec<Elements> Narrowed(V states) {
    if constexpr (sizeof(T) == sizeof(State)) {
      return hn::BitCast(Elements(), states);
    } else {
      return hn::DemoteTo(Elements(), states);
    }
  }

  HWY_INLINE void Append(int64_t v, V values) {
    vectors_[v] = States::Append(vectors_[v], values);
  }

  V vectors_[kVectors];
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_VECTOR_LANES_INL_H_
