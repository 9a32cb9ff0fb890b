// ReduceLogSum: the natural logarithm of the sum.
#ifndef REDUCTOR_CORE_REDUCERS_LOG_SUM_H_
#define REDUCTOR_CORE_REDUCERS_LOG_SUM_H_

#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/dtype.h"
#include "core/elementary.h"
#include "core/reducers/sums.h"
#include "core/reducers/wide.h"
#include "core/reducers/words.h"

namespace reductor {

// Of nothing: -infinity.
template <HighPrecision T>
struct ReduceLogSum : ReduceSum<T> {
  static T Finish(double total, int64_t /*count*/) {
    // A NaN is the quiet one already: to ask once more takes as long as the
    // logarithm (two rows of 65,536 float32, AVX-512: 61 us, 36 so).
    if constexpr (std::is_same_v<T, double>) {
      return Log(total);
    } else if constexpr (std::is_same_v<T, float>) {
      return static_cast<float>(LogForFloat32(total));
    } else {
      return Narrow<T>(LogForFloat32(total));
    }
  }
};

// Integers truncate toward zero; a sum of 0 or less gives the smallest value.
template <HighPrecisionInteger T>
struct ReduceLogSum<T> : ExactSum<T> {
  using Output = T;
  static T Finish(typename ExactSum<T>::State total, int64_t /*count*/) {
    return LogOf(ToDouble(total));
  }
  // The same of what one row makes, in less time (rows of 3 and 8 int32, in
  // cache, Zen 3, AVX2: 2.7 and 4.5 GB/s by way of the other, 3.6 and 5.4 so).
  static T FinishPartial(typename ExactSum<T>::Partial::State total) {
    return LogOf(ExactSum<T>::Partial::ToDouble(total));
  }

 private:
  static T LogOf(double x) {
    // From 0 to 88, as a sum has 127 bits at most. All of it in numbers of 64
    // bits, which g++ vectorises (rows of 4 int32: 1.3 GB/s by numbers of each
    // type, 7.4 so).
    const uint64_t log = NearestSmall(std::floor(x > 0 ? Log(x) : 0));
    constexpr auto kSmallest =
        static_cast<uint64_t>(std::numeric_limits<T>::lowest());
    return static_cast<T>(x > 0 ? log : kSmallest);
  }
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_REDUCERS_LOG_SUM_H_
