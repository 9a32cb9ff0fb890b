// A limit on what strangers can have the log say.
#ifndef REDUCTOR_SERVICE_ONCE_A_SECOND_H_
#define REDUCTOR_SERVICE_ONCE_A_SECOND_H_

#include <atomic>
#include <cstdint>

#include "absl/time/time.h"

namespace reductor {

// Thread-safe.
class OnceASecond {
 public:
  // True for the first to ask in a second of the clock.
  bool IsFirst(absl::Time now) {
    const int64_t second = absl::ToUnixSeconds(now);
    return last_.exchange(second) != second;
  }

 private:
  std::atomic<int64_t> last_ = 0;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_ONCE_A_SECOND_H_
