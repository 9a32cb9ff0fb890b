// How elements become states, a vector of them at a time, and join others.
// Compiled once per instruction set.
#if defined(REDUCTOR_CORE_KERNELS_VECTOR_STATES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_VECTOR_STATES_INL_H_
#undef REDUCTOR_CORE_KERNELS_VECTOR_STATES_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_VECTOR_STATES_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/kernels/combine_vectors-inl.h"
#include "core/kernels/elements-inl.h"
#include "core/kernels/monoid_traits.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The states of a monoid that has vectors, as many as D names.
template <Monoid M, class D>
class VectorStates {
  using T = typename M::Input;
  using State = hn::TFromD<D>;
  using V = hn::Vec<D>;
  static_assert(std::is_same_v<State, typename M::State>);

 public:
  // The elements from `at` on in the state's numbers, and what is done to each
  // before it is squared or joins others.
  static HWY_INLINE V ValuesAt(const std::byte* HWY_RESTRICT at) {
    if constexpr (IsExtreme<M>()) {
      return KeysAt(at);
    } else if constexpr (sizeof(T) == sizeof(State)) {
      const hn::Rebind<T, D> own;
      const auto value = LoadElements(own, at, 0);
      if constexpr (kIsL1<M>) return hn::BitCast(D(), hn::Abs(value));
      return hn::BitCast(D(), value);
    } else if constexpr (FloatElement<T>) {
      return WidenedFloatsAt(at);
    } else {
      return WidenedIntegersAt(at);
    }
  }

  // The states of these values. Squares of integers that are widened are
  // products of the lower halves, which have the elements.
  static HWY_INLINE V Of(V values) {
    if constexpr (!kSquares) {
      return values;
    } else if constexpr (IntegerElement<T> && sizeof(State) == 8 &&
                         sizeof(T) < sizeof(State)) {
      const auto half = hn::BitCast(hn::Repartition<IntegerOf<4>, D>(), values);
      return hn::BitCast(D(), hn::MulEven(half, half));
    } else if constexpr (std::is_same_v<T, uint8_t>) {
      // By neighbouring halves, of which one is 0: a product of 32 bits is two
      // operations (L2 of 1,024 columns and of slabs of 64 x 256, in cache,
      // Intel, AVX-512: 19 and 18 GB/s by these, 26 and 23 so).
      const auto halves = hn::BitCast(hn::Repartition<int16_t, D>(), values);
      const hn::RebindToSigned<D> d;
      auto others = hn::Zero(d);
      return hn::BitCast(D(), hn::ReorderWidenMulAccumulate(
                                  d, halves, halves, hn::Zero(d), others));
    } else {
      return hn::Mul(values, values);
    }
  }

  // The states that these values have joined. Floats that are widened join by a
  // fused multiply-add, v * 1 or v * v, which float64 holds exactly: so it
  // rounds once, as the addition does, but leaves the adder to the conversions
  // (rows of float32, in cache, AVX-512: 83 GB/s by additions, 108 so).
  static HWY_INLINE V Append(V states, V values) {
    constexpr bool kWidensFloats =
        FloatElement<T> && !std::is_same_v<T, State> && !IsExtreme<M>();
    if constexpr (kWidensFloats && kSquares) {
      return hn::MulAdd(values, values, states);
    } else if constexpr (kWidensFloats && !Multiplies<M>() && HWY_NATIVE_FMA) {
      return hn::MulAdd(values, hn::Set(D(), 1.0), states);
    } else {
      return CombineVectors<M>(states, Of(values));
    }
  }

 private:
  static constexpr bool kSquares = SumsWideSquares<M>() || kIsSumSquare<M>;

  // An integer of this size with a sign if elements have one.
  template <size_t kSize>
  using IntegerOf =
      std::conditional_t<std::is_signed_v<T>, hwy::SignedFromSize<kSize>,
                         hwy::UnsignedFromSize<kSize>>;

  // As M::Map() gives them.
  static HWY_INLINE V KeysAt(const std::byte* HWY_RESTRICT at) {
    const D d;
    const V bits = LoadElements(d, at, 0);
    if constexpr (FloatElement<T>) {
      using Keys = FloatKeys<M::kNanPlace, T>;
      return hn::IfNegativeThenElse(
          bits, hn::Sub(hn::Set(d, Keys::kOfNegative), bits),
          hn::Add(bits, hn::Set(d, Keys::kZero)));
    } else {
      return bits;
    }
  }

  static HWY_INLINE V WidenedFloatsAt(const std::byte* HWY_RESTRICT at) {
    const auto value = FloatsAt(at);
    if constexpr (!kIsL1<M>) {
      return hn::PromoteTo(D(), value);
    } else if constexpr (std::is_same_v<T, float>) {
      // To widen what is in a register takes one step more than to widen what
      // is in memory. L1, in cache, GB/s by that, then by this:
      //   all, Zen 4, AVX2                                  43  57
      //   rows of 64, Cascade Lake, AVX-512                 20  25
      //   slabs of 12 x 300, Cascade Lake, AVX-512          21  25
      return hn::Abs(hn::PromoteTo(D(), value));
    } else {
      return hn::PromoteTo(D(), hn::Abs(value));
    }
  }

  static HWY_INLINE auto FloatsAt(const std::byte* HWY_RESTRICT at) {
    const hn::Rebind<float, D> floats;
    if constexpr (std::is_same_v<T, float>) {
      return LoadElements(floats, at, 0);
    } else if constexpr (std::is_same_v<T, Float16>) {
      const hn::Rebind<hwy::float16_t, D> halves;
      return hn::PromoteTo(floats, LoadElements(halves, at, 0));
    } else {
      return hn::BitCast(floats, UpperHalvesAt(at));
    }
  }

  // Words of which the upper halves are the elements, as those of a float32
  // are bfloat16: by one shuffle, where Highway extends and shifts (sums of
  // bfloat16, all and 16 and 100 columns, in cache, Zen 4: AVX-512 22, 21 and
  // 20 GB/s, 25, 24 and 23 so; a loop alone by AVX2 17 and 23).
  static HWY_INLINE auto UpperHalvesAt(const std::byte* HWY_RESTRICT at) {
    const hn::Repartition<uint16_t, hn::Rebind<float, D>> d;
    if constexpr (hn::MaxLanes(d) <= 8) {
      const hn::Half<decltype(d)> half;
      const auto elements = LoadElements(half, at, 0);
      return hn::InterleaveLower(d, hn::Zero(d),
                                 hn::ZeroExtendVector(d, elements));
    } else {
      // Each half of the vector takes its own from all eight.
      static_assert(hn::MaxLanes(d) == 16);
      const hn::Repartition<uint8_t, decltype(d)> bytes;
      constexpr uint8_t kZero = 0x80;
      alignas(32) static constexpr uint8_t kFrom[] = {
          kZero, kZero, 0,  1,  kZero, kZero, 2,  3,   //
          kZero, kZero, 4,  5,  kZero, kZero, 6,  7,   //
          kZero, kZero, 8,  9,  kZero, kZero, 10, 11,  //
          kZero, kZero, 12, 13, kZero, kZero, 14, 15};
      const auto elements =
          hn::LoadDup128(bytes, reinterpret_cast<const uint8_t*>(at));
      return hn::BitCast(
          d, hn::TableLookupBytesOr0(elements, hn::Load(bytes, kFrom)));
    }
  }

  static HWY_INLINE V WidenedIntegersAt(const std::byte* HWY_RESTRICT at) {
    const auto value = LoadElements(hn::Rebind<T, D>(), at, 0);
    const hn::Rebind<IntegerOf<sizeof(State)>, D> wide;
    if constexpr (sizeof(T) == 2 && sizeof(State) == 8) {
      // Highway has no name for the one step.
      const hn::Rebind<IntegerOf<4>, D> between;
      return hn::BitCast(D(),
                         hn::PromoteTo(wide, hn::PromoteTo(between, value)));
    } else {
      return hn::BitCast(D(), hn::PromoteTo(wide, value));
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_VECTOR_STATES_INL_H_
