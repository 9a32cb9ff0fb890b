// Lines on their way to whoever reads the log: queued by those who have no
// time, written by the one thread that may wait.
#ifndef REDUCTOR_SERVICE_ASYNC_LOG_H_
#define REDUCTOR_SERVICE_ASYNC_LOG_H_

#include <cstddef>
#include <memory>
#include <mutex>

#include "absl/time/time.h"
#include "spdlog/async.h"
#include "spdlog/logger.h"

namespace reductor {

class LogSink;

// Thread-safe.
class AsyncLog {
 public:
  // Writes to `descriptor`, which outlives it. When more than `most_queued`
  // lines and flushes wait the oldest are dropped; a line tells how many, once
  // there is somebody to read it.
  AsyncLog(int descriptor, size_t most_queued);

  // Its lines are what their message is, between the braces and after the time.
  spdlog::logger& logger() { return *logger_; }

  // Returns when all lines that were logged before are written; after `timeout`
  // in any case.
  void Flush(absl::Duration timeout);

 private:
  // Ends last, and writes what is queued, which keeps the others alive.
  const std::shared_ptr<spdlog::details::thread_pool> pool_;
  const std::shared_ptr<LogSink> sink_;
  const std::shared_ptr<spdlog::async_logger> logger_;
  std::mutex mutex_;  // Held by a flush.
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_ASYNC_LOG_H_
