// One queue for all: a long computation delays nobody while a thread is free.
#include "service/workers.h"

#include <utility>

namespace reductor {

Workers::Workers(int threads) {
  for (int i = 0; i < threads; ++i) {
    threads_.emplace_back([this](const std::stop_token& stop) { Work(stop); });
  }
}

void Workers::Run(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    work_.push_back(std::move(work));
  }
  more_.notify_one();
}

void Workers::Work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (more_.wait(lock, stop, [this] { return !work_.empty(); })) {
    const std::function<void()> work = std::move(work_.front());
    work_.pop_front();
    lock.unlock();
    work();
    lock.lock();
  }
}

}  // namespace reductor
