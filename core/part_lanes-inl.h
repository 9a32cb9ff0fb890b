// Lanes of integers of 64 bits, whose states have several members: vectors by
// name, as g++ 12 multiplies halves of 64 bits as if they were whole (L2 of
// rows of 1,000 and of 100 columns of int64, in cache, GB/s by its choice and
// by ours: 9 and 9, 17 and 18 by AVX2; 32 and 28, 40 and 42 by AVX-512).
// Compiled once per instruction set.
#if defined(REDUCTOR_CORE_PART_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_PART_LANES_INL_H_
#undef REDUCTOR_CORE_PART_LANES_INL_H_
#else
#define REDUCTOR_CORE_PART_LANES_INL_H_
#endif

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/lanes.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// What the members of M's state add of elements, if it is one of these: Of(d,
// elements) gives a vector each.
template <Monoid M>
struct PartsOf {
  static constexpr bool kAre = false;
};

template <IntegerElement T>
requires(sizeof(T) == 8) struct PartsOf<NarrowSum<T>> {
  static constexpr bool kAre = true;
  template <class D>
  static HWY_INLINE auto Of(D d, hn::Vec<hn::Rebind<T, D>> x) {
    const auto all = hn::BitCast(d, x);
    if constexpr (std::is_signed_v<T> && HWY_TARGET > HWY_AVX3) {
      // No vector shifts the sign in, but a product of the upper halves has it.
      const hn::Repartition<int32_t, D> half;
      const auto upper = hn::BitCast(half, hn::ShiftRight<32>(all));
      return std::array{all,
                        hn::BitCast(d, hn::MulEven(upper, hn::Set(half, 1)))};
    } else {
      return std::array{all, hn::BitCast(d, hn::ShiftRight<32>(x))};
    }
  }
};

template <IntegerElement T>
requires(sizeof(T) == 8) struct PartsOf<NarrowSquares<T>> {
  static constexpr bool kAre = true;
  template <class D>
  static HWY_INLINE auto Of(D d, hn::Vec<hn::Rebind<T, D>> x) {
    const hn::Repartition<uint32_t, D> half;
    const auto product = [=](auto a, auto b) {
      return hn::MulEven(hn::BitCast(half, a), hn::BitCast(half, b));
    };
    const auto lower = [=](auto v) {
      return hn::And(v, hn::Set(d, 0xffffffff));
    };
    auto magnitude = hn::BitCast(d, x);
    if constexpr (std::is_signed_v<T>) {
      magnitude = hn::BitCast(d, hn::Abs(x));
    }
    const auto upper = hn::ShiftRight<32>(magnitude);
    const auto aa = product(upper, upper);
    const auto ab = product(upper, magnitude);
    const auto bb = product(magnitude, magnitude);
    return std::array{
        lower(bb), hn::Add(hn::ShiftRight<32>(bb), hn::ShiftLeft<1>(lower(ab))),
        hn::Add(hn::ShiftLeft<1>(hn::ShiftRight<32>(ab)), lower(aa)),
        hn::ShiftRight<32>(aa)};
  }
};

// kWidth states of a monoid whose elements are added in parts.
template <Monoid M, int64_t kWidth>
class PartLanes {
  using T = typename M::Input;
  using State = typename M::State;
  template <Monoid, int64_t>
  friend class PartLanes;

  using D = hn::CappedTag<uint64_t, kWidth>;
  using Elements = hn::Rebind<T, D>;
  static constexpr int64_t kMembers = kMemberCount<State>;
  static constexpr int64_t kVector = hn::MaxLanes(D());
  static constexpr int64_t kVectors = kWidth / kVector;

 public:
  // Those of nothing.
  HWY_INLINE PartLanes() {
    for (auto& parts : parts_) parts.fill(hn::Zero(D()));
  }

  // Those at [at, at + kWidth) of `lanes`.
  template <class L>
  HWY_INLINE PartLanes(L& lanes, int64_t at) {
    EachPart([&](int64_t v, int64_t m) {
      parts_[v][m] = hn::LoadU(D(), lanes.data(m) + at + v * kVector);
    });
  }

  // Those of elements [i, i + kWidth).
  HWY_INLINE PartLanes(const std::byte* HWY_RESTRICT x, int64_t i) {
    for (int64_t v = 0; v < kVectors; ++v) {
      parts_[v] = PartsOf<M>::Of(D(), ElementsAt(x, i, v));
    }
  }

  // Lane l takes element i + l.
  HWY_INLINE void Append(const std::byte* HWY_RESTRICT x, int64_t i) {
    for (int64_t v = 0; v < kVectors; ++v) Append(v, ElementsAt(x, i, v));
  }

  // The lanes from `first` on, as masks of the others.
  class Tail {
   public:
    explicit HWY_INLINE Tail(int64_t first) {
      const hn::RebindToSigned<D> d;
      for (int64_t v = 0; v < kVectors; ++v) {
        before_[v] = hn::BitCast(
            Elements(), hn::VecFromMask(d, hn::Gt(hn::Set(d, first),
                                                  hn::Iota(d, v * kVector))));
      }
    }
    HWY_INLINE auto before(int64_t v) const { return before_[v]; }

   private:
    hn::Vec<Elements> before_[kVectors];
  };

  // Lane l takes element i + l, if it is of the tail.
  HWY_INLINE void AppendTo(const Tail& tail, const std::byte* HWY_RESTRICT x,
                           int64_t i) {
    for (int64_t v = 0; v < kVectors; ++v) {
      Append(v, hn::AndNot(tail.before(v), ElementsAt(x, i, v)));
    }
  }

  // Joins lane l with lane l + half of them, and so on by halves down to kKept,
  // which become states [at, at + kKept) of `to`.
  template <int64_t kKept, class L>
  HWY_INLINE void StoreHalved(L& to, int64_t at) const {
    if constexpr (kKept == kWidth) {
      Store(to, at);
    } else {
      using Half = PartLanes<M, kWidth / 2>;
      Half half;
      Half::EachPart([&](int64_t v, int64_t m) {
        if constexpr (kVectors > 1) {
          half.parts_[v][m] =
              hn::Add(parts_[v][m], parts_[v + kVectors / 2][m]);
        } else {
          const typename Half::D d;
          half.parts_[v][m] = hn::Add(hn::LowerHalf(d, parts_[v][m]),
                                      hn::UpperHalf(d, parts_[v][m]));
        }
      });
      half.template StoreHalved<kKept>(to, at);
    }
  }

  template <class L>
  HWY_INLINE void Store(L& lanes, int64_t at) const {
    EachPart([&](int64_t v, int64_t m) {
      hn::StoreU(parts_[v][m], D(), lanes.data(m) + at + v * kVector);
    });
  }

  HWY_INLINE Lanes<State, kWidth> ToLanes() const {
    Lanes<State, kWidth> lanes;
    Store(lanes, 0);
    return lanes;
  }

 private:
  static HWY_INLINE auto ElementsAt(const std::byte* HWY_RESTRICT x, int64_t i,
                                    int64_t v) {
    return hn::LoadU(Elements(),
                     reinterpret_cast<const T*>(x) + i + v * kVector);
  }

  HWY_INLINE void Append(int64_t v, hn::Vec<Elements> elements) {
    const auto parts = PartsOf<M>::Of(D(), elements);
    for (int64_t m = 0; m < kMembers; ++m) {
      parts_[v][m] = hn::Add(parts_[v][m], parts[m]);
    }
  }

  template <class Each>
  static HWY_INLINE void EachPart(const Each& each) {
    for (int64_t v = 0; v < kVectors; ++v) {
      for (int64_t m = 0; m < kMembers; ++m) each(v, m);
    }
  }

  std::array<hn::Vec<D>, kMembers> parts_[kVectors];
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_PART_LANES_INL_H_
