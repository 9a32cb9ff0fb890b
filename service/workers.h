// Threads for what takes longer than those may be kept who poll the sockets.
#ifndef REDUCTOR_SERVICE_WORKERS_H_
#define REDUCTOR_SERVICE_WORKERS_H_

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "service/intrusive_list.h"

namespace reductor {

// Thread-safe. First come, first served.
class Workers {
 public:
  // Outlives its turn, or its wait for it.
  class Task : public IntrusiveList<Task>::Link {
   public:
    virtual void OnTurn() = 0;

   protected:
    ~Task() = default;
  };

  explicit Workers(int threads);

  // Calls task->OnTurn() on one of the threads, before the destructor returns.
  void Run(Task* task);

  // Returns true if `task` waited for its turn, which will not come any more.
  bool Withdraw(Task* task);

 private:
  void Work(const std::stop_token& stop);

  std::mutex mutex_;  // Guards tasks_.
  std::condition_variable_any more_;
  IntrusiveList<Task> tasks_;
  std::vector<std::jthread> threads_;  // Last: they use the ones above.
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_WORKERS_H_
