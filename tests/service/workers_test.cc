#include "service/workers.h"

#include <atomic>
#include <latch>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace reductor {
namespace {

TEST(Workers, DoAllThatWasGivenBeforeTheyEnd) {
  std::atomic<int> done = 0;
  {
    Workers workers(2);
    for (int i = 0; i < 100; ++i) workers.Run([&] { ++done; });
  }
  EXPECT_EQ(done, 100);
}

TEST(Workers, WorkBesideTheCaller) {
  Workers workers(1);
  std::thread::id worker;
  std::latch done(1);
  workers.Run([&] {
    worker = std::this_thread::get_id();
    done.count_down();
  });
  done.wait();
  EXPECT_NE(worker, std::this_thread::get_id());
}

TEST(Workers, GoOnWhileOneIsBusy) {
  std::latch second(1);
  Workers workers(2);
  workers.Run([&] { second.wait(); });
  workers.Run([&] { second.count_down(); });
  second.wait();
}

TEST(Workers, TakeTheFirstThatCameFirst) {
  std::vector<int> order;
  {
    Workers workers(1);
    for (int i = 0; i < 3; ++i) workers.Run([&, i] { order.push_back(i); });
  }
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

}  // namespace
}  // namespace reductor
