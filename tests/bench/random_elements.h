// Elements to measure with: neither constant nor sorted, and no NaN, infinity
// or subnormal, with which arithmetic may be slow.
#ifndef REDUCTOR_TESTS_BENCH_RANDOM_ELEMENTS_H_
#define REDUCTOR_TESTS_BENCH_RANDOM_ELEMENTS_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>

#include "core/dtype.h"

namespace reductor {

// Of integers any that are odd, but for the largest: none ends a reduction
// (core/range_absorbing.cc). Of floats uniform in magnitude within [0.5, 2), of
// either sign. Bools are false, so that Or and the largest go to the end; And
// and the smallest end at once.
template <class T>
T RandomElement(std::mt19937& rng) {
  if constexpr (std::is_same_v<T, Bool>) {
    return {0};
  } else if constexpr (kIsFloat<T>) {
    const double magnitude = 0.5 + 1.5 * 0x1p-32 * static_cast<double>(rng());
    return Narrow<T>(rng() % 2 ? magnitude : -magnitude);
  } else {
    const uint64_t bits = static_cast<uint64_t>(rng()) << 32 | rng();
    const T most = std::numeric_limits<T>::max() - 2;
    return std::min(static_cast<T>(bits | 1), most);
  }
}

// `bytes` of elements, the same in every run.
inline std::string RandomElements(DType dtype, int64_t bytes) {
  std::string elements(bytes, '\0');
  std::mt19937 rng(1);
  const auto fill = [&]<class T>(T) {
    for (size_t i = 0; i < elements.size(); i += sizeof(T)) {
      const T x = RandomElement<T>(rng);
      std::memcpy(elements.data() + i, &x, sizeof(x));
    }
  };
  switch (dtype) {
    case DType::kUnspecified:
      break;
#define X(enumerator, type, name) \
  case DType::enumerator:         \
    fill(type{});                 \
    break;
      REDUCTOR_DTYPES(X)
#undef X
  }
  return elements;
}

}  // namespace reductor

#endif  // REDUCTOR_TESTS_BENCH_RANDOM_ELEMENTS_H_
