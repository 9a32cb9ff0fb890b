// Lines that go through a pipe, read when the test likes.
#include "service/async_log.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/service/output_pipe.h"

namespace reductor {
namespace {

constexpr absl::Duration kLong = absl::Hours(1);

void LogNumber(int i, AsyncLog* log) {
  log->logger().info(absl::StrCat("\"i\":", i));
}

int NumberIn(OutputPipe* pipe) {
  return nlohmann::json::parse(pipe->ReadLine()).value("i", -1);
}

TEST(AsyncLog, WritesLinesInTheirOrder) {
  OutputPipe pipe;
  AsyncLog log(pipe.write_end(), 200);
  for (int i = 0; i < 100; ++i) LogNumber(i, &log);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(NumberIn(&pipe), i);
}

TEST(AsyncLog, HasWrittenAllWhenItIsFlushed) {
  OutputPipe pipe;
  AsyncLog log(pipe.write_end(), 200);
  for (int i = 0; i < 100; ++i) LogNumber(i, &log);
  log.Flush(kLong);
  pipe.CloseWriteEnd();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(NumberIn(&pipe), i);
}

// The pipe is full, and the queue as well.
class Stalled : public testing::Test {
 protected:
  Stalled() {
    fcntl(pipe_.write_end(), F_SETPIPE_SZ, 4096);
    // The pipe, one write of 64 KiB and the queue take less.
    for (; logged_ < 5000; ++logged_) LogNumber(logged_, &log_);
  }

  OutputPipe pipe_;
  AsyncLog log_{pipe_.write_end(), 10};
  int logged_ = 0;
};

TEST_F(Stalled, KeepsTheOrderAndTellsHowManyLinesItHasDropped) {
  int seen = 0;
  int dropped = 0;
  int last = -1;
  while (seen + dropped < logged_) {
    const auto line = nlohmann::json::parse(pipe_.ReadLine());
    if (line.contains("lines")) {
      EXPECT_EQ(line["level"], "warning");
      dropped += line["lines"].get<int>();
    } else {
      EXPECT_GT(line["i"], last);
      last = line["i"];
      ++seen;
    }
  }
  EXPECT_EQ(seen + dropped, logged_);
  EXPECT_GT(dropped, 0);
}

TEST_F(Stalled, IsFlushedForNoLongerThanItMay) {
  log_.Flush(absl::Milliseconds(1));
  while (NumberIn(&pipe_) != logged_ - 1) continue;
}

TEST(AsyncLog, WaitsForADescriptorWhoseOtherUsersDoNot) {
  OutputPipe pipe;
  fcntl(pipe.write_end(), F_SETFL, O_NONBLOCK);
  AsyncLog log(pipe.write_end(), 5000);
  for (int i = 0; i < 5000; ++i) LogNumber(i, &log);
  for (int i = 0; i < 5000; ++i) ASSERT_EQ(NumberIn(&pipe), i);
}

TEST(AsyncLog, OutlivesItsReader) {
  OutputPipe pipe;
  signal(SIGPIPE, SIG_IGN);
  AsyncLog log(pipe.write_end(), 10);
  pipe.CloseReadEnd();
  LogNumber(1, &log);
  log.Flush(kLong);
}

}  // namespace
}  // namespace reductor
