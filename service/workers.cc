// One queue for all: a long computation delays nobody while a thread is free.
#include "service/workers.h"

namespace reductor {

Workers::Workers(int threads) {
  for (int i = 0; i < threads; ++i) {
    threads_.emplace_back([this](const std::stop_token& stop) { Work(stop); });
  }
}

void Workers::Run(Task* task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.PushBack(task);
  }
  more_.notify_one();
}

bool Workers::Withdraw(Task* task) {
  const std::lock_guard lock(mutex_);
  return tasks_.Remove(task);
}

void Workers::Work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (more_.wait(lock, stop, [this] { return !tasks_.empty(); })) {
    Task* const task = tasks_.PopFront();
    lock.unlock();
    task->OnTurn();
    lock.lock();
  }
}

}  // namespace reductor
