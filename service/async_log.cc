// Lines that come within a moment are written together: a call of 96 bytes, 16
// in flight, took 30 us of CPU with a thread woken for each line, 23 with a
// write by its own, and takes 21 so.
#include "service/async_log.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "service/log_fields.h"
#include "spdlog/details/null_mutex.h"
#include "spdlog/sinks/base_sink.h"

namespace reductor {
namespace {

// After a write. Who kills the process may lose the lines of so long.
constexpr std::chrono::milliseconds kRest{2};

// What a pipe holds.
constexpr size_t kMostBytesAWrite = 64 << 10;

// Writes all of it, however long its reader takes. Where nobody reads any more
// it is lost: there is nowhere to complain.
void WriteAll(int descriptor, const char* data, size_t size) {
  while (size > 0) {
    const ssize_t written = write(descriptor, data, size);
    if (written >= 0) {
      data += written;
      size -= static_cast<size_t>(written);
    } else if (errno == EAGAIN) {
      // Who shares the descriptor does not want to wait for it; we do.
      pollfd writable = {.fd = descriptor, .events = POLLOUT, .revents = 0};
      poll(&writable, 1, -1);
    } else if (errno != EINTR) {
      return;
    }
  }
}

}  // namespace

// What the pool's only thread calls, so that it needs no lock.
class LogSink final
    : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  // The pool outlives it.
  LogSink(int descriptor, spdlog::details::thread_pool* pool)
      : descriptor_(descriptor), pool_(pool) {}

  // What is left when the queue ends with lines and no flush.
  ~LogSink() override { Write(); }

  // Has ask() make the queue's thread call flush_(), and returns when it has
  // done so, or after `timeout`. For other threads, one at a time.
  template <class Ask>
  void AwaitFlush(const Ask& ask, absl::Duration timeout) {
    std::unique_lock lock(flush_mutex_);
    const int64_t before = flushes_;
    ask();
    flushed_.wait_for(lock, absl::ToChronoMilliseconds(timeout),
                      [&] { return flushes_ > before; });
  }

 private:
  void sink_it_(const spdlog::details::log_msg& line) override {
    TellDropped();
    formatter_->format(line, text_);
    if (pool_->queue_size() > 0 && text_.size() < kMostBytesAWrite) return;
    Write();
    std::this_thread::sleep_for(kRest);
  }

  void flush_() override {
    TellDropped();
    Write();
    {
      const std::lock_guard lock(flush_mutex_);
      ++flushes_;
    }
    flushed_.notify_all();
  }

  // About where they would be: some may follow the line that comes next.
  void TellDropped() {
    const size_t dropped = pool_->overrun_counter();
    if (dropped == told_dropped_) return;
    const std::string text = absl::StrCat(
        LogFields()
            .Add("level", "warning")
            .Add("msg", "lines dropped: the log is read too slowly")
            .Add("lines", static_cast<int64_t>(dropped - told_dropped_))
            .members());
    told_dropped_ = dropped;
    formatter_->format(spdlog::details::log_msg("", spdlog::level::warn, text),
                       text_);
  }

  void Write() {
    WriteAll(descriptor_, text_.data(), text_.size());
    text_.clear();
  }

  const int descriptor_;
  spdlog::details::thread_pool* const pool_;
  spdlog::memory_buf_t text_;  // Whole lines, to be written.
  size_t told_dropped_ = 0;
  std::mutex flush_mutex_;  // Guards all below.
  std::condition_variable flushed_;
  int64_t flushes_ = 0;
};

AsyncLog::AsyncLog(int descriptor, size_t most_queued)
    : pool_(std::make_shared<spdlog::details::thread_pool>(most_queued, 1)),
      sink_(std::make_shared<LogSink>(descriptor, pool_.get())),
      logger_(std::make_shared<spdlog::async_logger>(
          "", sink_, pool_, spdlog::async_overflow_policy::overrun_oldest)) {
  logger_->set_pattern("{\"ts\":\"%Y-%m-%dT%H:%M:%S.%fZ\",%v}",
                       spdlog::pattern_time_type::utc);
}

void AsyncLog::Flush(absl::Duration timeout) {
  const std::lock_guard lock(mutex_);
  sink_->AwaitFlush([this] { logger_->flush(); }, timeout);
}

}  // namespace reductor
