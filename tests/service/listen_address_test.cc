// Sockets that are asked whether somebody serves them. What addresses may be
// stands in config_test.
#include "service/listen_address.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace reductor {
namespace {

TEST(IsUnixAddress, IsNotTrueOfAHostWhoseNameBeginsSo) {
  EXPECT_TRUE(IsUnixAddress("unix:/run/reductor.sock"));
  EXPECT_FALSE(IsUnixAddress("unixbox:50051"));
}

class UnixSocket : public testing::Test {
 protected:
  UnixSocket() {
    path_ = absl::StrCat(testing::TempDir(), "/listen_address_test.sock");
    unlink(path_.c_str());
    name_.sun_family = AF_UNIX;
    std::strcpy(name_.sun_path, path_.c_str());
    server_ = NewSocket();
    EXPECT_EQ(bind(server_, name(), sizeof(name_)), 0);
  }

  ~UnixSocket() override {
    for (const int each : sockets_) close(each);
    unlink(path_.c_str());
  }

  int NewSocket() {
    return sockets_.emplace_back(
        socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0));
  }

  const sockaddr* name() const {
    return reinterpret_cast<const sockaddr*>(&name_);
  }

  std::string address() const { return absl::StrCat("unix:", path_); }

  std::string path_;
  sockaddr_un name_{};
  int server_;
  std::vector<int> sockets_;
};

TEST_F(UnixSocket, IsServedWhereSomebodyListens) {
  ASSERT_EQ(listen(server_, 1), 0);
  EXPECT_TRUE(IsServedUnixAddress(address()));
}

TEST_F(UnixSocket, IsServedWhereSomebodyListensAndTakesNoMoreConnections) {
  ASSERT_EQ(listen(server_, 1), 0);
  while (connect(NewSocket(), name(), sizeof(name_)) == 0) continue;
  EXPECT_TRUE(IsServedUnixAddress(address()));
}

TEST_F(UnixSocket, IsNotServedWhereNobodyListensAnyMore) {
  EXPECT_FALSE(IsServedUnixAddress(address()));
  EXPECT_FALSE(IsServedUnixAddress(address() + ".other"));
  EXPECT_FALSE(IsServedUnixAddress("127.0.0.1:50051"));
}

}  // namespace
}  // namespace reductor
