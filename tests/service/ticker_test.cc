// The thread wakes when it is asked to, and the sooner of two times counts.
#include "service/ticker.h"

#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/notification.h"
#include "gtest/gtest.h"

namespace reductor {
namespace {

TEST(Ticker, TicksWhenItIsWoken) {
  absl::Notification ticked;
  Ticker ticker([&] {
    ticked.Notify();
    return absl::InfiniteFuture();
  });
  ticker.WakeBy(MonotonicNow());
  ticked.WaitForNotification();
}

TEST(Ticker, TicksAtTheSoonerTime) {
  absl::Notification ticked;
  Ticker ticker([&] {
    ticked.Notify();
    return absl::InfiniteFuture();
  });
  ticker.WakeBy(MonotonicNow() + absl::Hours(1));
  ticker.WakeBy(absl::InfinitePast());
  ticker.WakeBy(absl::InfiniteFuture());
  ticked.WaitForNotification();
}

TEST(Ticker, TicksAgainWhenTheLastTickAskedForIt) {
  absl::BlockingCounter left(3);
  int ticks = 0;
  Ticker ticker([&] {
    if (++ticks <= 3) left.DecrementCount();
    return ticks < 3 ? MonotonicNow() : absl::InfiniteFuture();
  });
  ticker.WakeBy(MonotonicNow());
  left.Wait();
}

}  // namespace
}  // namespace reductor
