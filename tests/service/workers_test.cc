#include "service/workers.h"

#include <atomic>
#include <deque>
#include <functional>
#include <latch>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace reductor {
namespace {

class Doing final : public Workers::Task {
 public:
  explicit Doing(std::function<void()> what) : what_(std::move(what)) {}
  void OnTurn() override { what_(); }

 private:
  const std::function<void()> what_;
};

TEST(Workers, DoAllThatWasGivenBeforeTheyEnd) {
  std::atomic<int> done = 0;
  std::deque<Doing> tasks;
  {
    Workers workers(2);
    for (int i = 0; i < 100; ++i) {
      workers.Run(&tasks.emplace_back([&] { ++done; }));
    }
  }
  EXPECT_EQ(done, 100);
}

TEST(Workers, WorkBesideTheCaller) {
  std::thread::id worker;
  std::latch done(1);
  Doing task([&] {
    worker = std::this_thread::get_id();
    done.count_down();
  });
  Workers workers(1);
  workers.Run(&task);
  done.wait();
  EXPECT_NE(worker, std::this_thread::get_id());
}

TEST(Workers, GoOnWhileOneIsBusy) {
  std::latch end(1);
  Doing first([&] { end.wait(); });
  Doing second([&] { end.count_down(); });
  Workers workers(2);
  workers.Run(&first);
  workers.Run(&second);
  end.wait();
}

TEST(Workers, TakeTheFirstThatCameFirst) {
  std::vector<int> order;
  std::deque<Doing> tasks;
  {
    Workers workers(1);
    for (int i = 0; i < 3; ++i) {
      workers.Run(&tasks.emplace_back([&, i] { order.push_back(i); }));
    }
  }
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

TEST(Workers, LeaveOutATaskThatWithdraws) {
  std::latch begun(1);
  std::latch withdrawn(1);
  std::vector<int> order;
  Doing first([&] {
    begun.count_down();
    withdrawn.wait();
    order.push_back(1);
  });
  Doing second([&] { order.push_back(2); });
  Doing third([&] { order.push_back(3); });
  {
    Workers workers(1);
    for (Doing* const task : {&first, &second, &third}) workers.Run(task);
    begun.wait();
    EXPECT_FALSE(workers.Withdraw(&first));  // Its turn has come.
    EXPECT_TRUE(workers.Withdraw(&second));
    EXPECT_FALSE(workers.Withdraw(&second));
    withdrawn.count_down();
  }
  EXPECT_EQ(order, (std::vector<int>{1, 3}));
}

}  // namespace
}  // namespace reductor
