#include "service/watched_reads.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "service/header_blocks.h"
#include "service/log.h"
#include "tests/service/frames.h"

namespace reductor {
namespace {

// What recvmsg() gives in parts of these sizes; "reset" if that is what it
// says.
std::string Receive(int socket, const std::vector<size_t>& sizes,
                    int flags = 0) {
  std::vector<std::string> parts;
  for (const size_t size : sizes) parts.emplace_back(size, '\0');
  std::vector<iovec> places;
  for (std::string& part : parts) places.push_back({part.data(), part.size()});
  msghdr message{};
  message.msg_iov = places.data();
  message.msg_iovlen = places.size();
  const ssize_t size = recvmsg(socket, &message, flags);
  if (size < 0) return errno == ECONNRESET ? "reset" : "error";
  std::string bytes;
  for (const std::string& part : parts) bytes += part;
  return bytes.substr(0, size);
}

// Two ends of a connection, the server's being watched.
class WatchedReads : public testing::Test {
 protected:
  WatchedReads() {
    SetLogLevel(LogLevel::kError);
    Connect();
    WatchReads(server_);
  }
  ~WatchedReads() override {
    close(server_);
    close(client_);
  }

  void Connect() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) abort();
    server_ = ends[0];
    client_ = ends[1];
  }

  void Send(const std::string& bytes) {
    ASSERT_EQ(write(client_, bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
  }

  const std::string start_ = absl::StrCat(kPreface, Frame(kSettings, 0, ""));
  const std::string too_long_ = FrameHeader(kHeaders, 0, kMostBlockBytes);
  int server_;
  int client_;
};

TEST_F(WatchedReads, AreAsEverWithinTheLimits) {
  Send(start_);
  EXPECT_EQ(Receive(server_, {100}), start_);
  EXPECT_EQ(Receive(server_, {100}, MSG_DONTWAIT), "error");
  shutdown(client_, SHUT_WR);
  EXPECT_EQ(Receive(server_, {100}), "");
}

TEST_F(WatchedReads, EndWhereABlockIsTooLong) {
  Send(start_);
  EXPECT_EQ(Receive(server_, {100}), start_);
  Send(too_long_);
  EXPECT_EQ(Receive(server_, {100}), "reset");
  EXPECT_EQ(Receive(server_, {100}), "reset");
}

TEST_F(WatchedReads, AreFollowedThroughTheirParts) {
  Send(start_ + too_long_.substr(0, 8));
  EXPECT_EQ(Receive(server_, {1, 0, 30, 5, 100}),
            start_ + too_long_.substr(0, 8));
  Send(too_long_.substr(8));
  EXPECT_EQ(Receive(server_, {1, 1}), "reset");
}

TEST_F(WatchedReads, CountNothingTwiceThatIsPeekedAt) {
  Send(start_ + too_long_.substr(0, 5));
  EXPECT_EQ(Receive(server_, {3}, MSG_PEEK), "PRI");
  EXPECT_EQ(Receive(server_, {100}), start_ + too_long_.substr(0, 5));
  Send(too_long_.substr(5));
  EXPECT_EQ(Receive(server_, {100}), "reset");
}

TEST_F(WatchedReads, EndWithTheConnection) {
  Send(start_ + too_long_);
  EXPECT_EQ(Receive(server_, {100}), "reset");
  const int number = server_;
  close(server_);
  close(client_);
  Connect();
  ASSERT_EQ(server_, number);
  Send(start_ + too_long_);
  EXPECT_EQ(Receive(server_, {100}), start_ + too_long_);
}

TEST_F(WatchedReads, BeginAnewWithANewConnection) {
  Send(start_ + too_long_);
  EXPECT_EQ(Receive(server_, {100}), "reset");
  close(server_);
  close(client_);
  Connect();
  WatchReads(server_);
  Send(start_);
  EXPECT_EQ(Receive(server_, {100}), start_);
  Send(too_long_);
  EXPECT_EQ(Receive(server_, {100}), "reset");
}

TEST_F(WatchedReads, AreNotThoseOfOtherDescriptors) {
  Send(start_);
  EXPECT_EQ(write(server_, too_long_.data(), too_long_.size()), 9);
  EXPECT_EQ(Receive(client_, {100}), too_long_);
  EXPECT_EQ(Receive(-1, {100}), "error");
  EXPECT_EQ(Receive(kMostWatchedDescriptors, {100}), "error");
}

TEST_F(WatchedReads, GoFromThreadToThread) {
  Send(start_);
  std::thread([this] {
    EXPECT_EQ(Receive(server_, {100}), start_);
    Send(too_long_);
  }).join();
  std::thread([this] { EXPECT_EQ(Receive(server_, {100}), "reset"); }).join();
}

}  // namespace
}  // namespace reductor
