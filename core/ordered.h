// Elements as integers that are ordered as the operators want them: comparing
// the keys is exact, associative and the same on every CPU.
//
// A float's bits, read as an integer, ascend with its value from +0 up and
// descend from -0 down: the negative ones are subtracted from a constant. Taken
// so that they wrap where the infinity ends, it also puts all NaNs of either
// sign beyond the same end: three operations for the largest, four for the
// smallest, a comparison included (the largest of float32 rows of 1,000, in
// cache, AVX-512: 72 GB/s with a key by five, of which two look for NaNs).
#ifndef REDUCTOR_CORE_ORDERED_H_
#define REDUCTOR_CORE_ORDERED_H_

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/dtype.h"

namespace reductor {

namespace ordered_internal {

template <class T>
struct KeyType {
  using type = T;
};
template <>
struct KeyType<float> {
  using type = int32_t;
};
template <>
struct KeyType<double> {
  using type = int64_t;
};
template <>
struct KeyType<Float16> {
  using type = int16_t;
};
template <>
struct KeyType<BFloat16> {
  using type = int16_t;
};
template <>
struct KeyType<Bool> {
  using type = uint8_t;
};

}  // namespace ordered_internal

template <class T>
using Key = typename ordered_internal::KeyType<T>::type;

// The bits of a float's infinity, and whether others are a NaN's.
template <class T>
inline constexpr auto kInfinityBits =
    std::bit_cast<Key<T>>(Narrow<T>(std::numeric_limits<double>::infinity()));
template <class T>
constexpr bool AreOfNan(Key<T> bits) {
  return (bits & std::numeric_limits<Key<T>>::max()) > kInfinityBits<T>;
}

// By the bits alone, as many 16-bit elements fill a register: without widening
// the largest of float16 is found 3 times as fast.
template <class T>
constexpr bool IsNan(T x) {
  if constexpr (sizeof(T) == 2) {
    return AreOfNan<T>(std::bit_cast<Key<T>>(x));
  } else {
    return x != x;
  }
}

// Where the keys of all NaNs stand.
enum class NanPlace { kLowest, kHighest };

// What makes the keys of floats. Negative bits map to kOfNegative - bits,
// others to bits + kZero, modulo 2^bits. This wraps the NaNs of one sign around
// to the others': all NaN keys lie at the end that kNan names, and the infinity
// of the other end has the very last key there.
template <NanPlace kNan, class T>
struct FloatKeys {
  using K = Key<T>;
  static constexpr K kMax = std::numeric_limits<K>::max();
  static constexpr K kInfinity = kInfinityBits<T>;
  // What a negative element's bits and its key add up to.
  static constexpr K kOfNegative =
      kNan == NanPlace::kHighest ? kInfinity : kMax;
  // What another's key is above its bits.
  static constexpr K kZero =
      kNan == NanPlace::kHighest ? 0 : static_cast<K>(kMax - kInfinity);
};

namespace ordered_internal {

// Modulo 2^bits.
template <class K>
constexpr K Add(K a, K b) {
  using U = std::make_unsigned_t<K>;
  return static_cast<K>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
}
template <class K>
constexpr K Subtract(K a, K b) {
  using U = std::make_unsigned_t<K>;
  return static_cast<K>(static_cast<U>(static_cast<U>(a) - static_cast<U>(b)));
}

}  // namespace ordered_internal

template <NanPlace kNan, class T>
constexpr Key<T> KeyOf(T x) {
  using ordered_internal::Add;
  using ordered_internal::Subtract;
  if constexpr (kIsFloat<T>) {
    using Keys = FloatKeys<kNan, T>;
    const auto bits = std::bit_cast<Key<T>>(x);
    return bits < 0 ? Subtract(Keys::kOfNegative, bits)
                    : Add(bits, Keys::kZero);
  } else if constexpr (std::is_same_v<T, Bool>) {
    return x.byte;
  } else {
    return x;
  }
}

// The key by which positions are compared, where +0 and -0 are equal, and so
// are all NaNs: the magnitude and the sign as one number, which takes twice as
// many operations (places in 16 columns of float16 and in slabs of 20 x 12
// float32 and float64, in cache, Zen 4: 15, 19 and 14 GB/s by the key above,
// mended where it is that of a NaN or of -0, 35, 26 and 19 so).
template <NanPlace kNan, class T>
requires kIsFloat<T>
constexpr Key<T> KeyOfValue(T x) {
  using K = Key<T>;
  using Limits = std::numeric_limits<K>;
  constexpr K kOfNan =
      kNan == NanPlace::kHighest ? Limits::max() : Limits::min();
  const K bits = std::bit_cast<K>(x);
  const K sign = static_cast<K>(bits >> Limits::digits);  // 0 or -1.
  const K magnitude = static_cast<K>(bits & Limits::max());
  const K key = static_cast<K>((magnitude ^ sign) - sign);
  return AreOfNan<T>(bits) ? kOfNan : key;
}

// The element of which this is KeyOf().
template <NanPlace kNan, class T>
constexpr T FromKey(Key<T> key) {
  using ordered_internal::Subtract;
  if constexpr (kIsFloat<T>) {
    using Keys = FloatKeys<kNan, T>;
    const T x = std::bit_cast<T>(key < 0 ? Subtract(Keys::kOfNegative, key)
                                         : Subtract(key, Keys::kZero));
    return IsNan(x) ? Narrow<T>(std::numeric_limits<double>::quiet_NaN()) : x;
  } else {
    return Narrow<T>(key);
  }
}

// What Max begins with (NaNs highest), and Min (NaNs lowest): no key is beyond.
template <class T>
constexpr Key<T> LowestKey() {
  return std::numeric_limits<Key<T>>::lowest();
}
template <class T>
constexpr Key<T> HighestKey() {
  return std::numeric_limits<Key<T>>::max();
}

}  // namespace reductor

#endif  // REDUCTOR_CORE_ORDERED_H_
