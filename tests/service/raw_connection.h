// A connection of which the test sends every byte.
#ifndef REDUCTOR_TESTS_SERVICE_RAW_CONNECTION_H_
#define REDUCTOR_TESTS_SERVICE_RAW_CONNECTION_H_

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "absl/strings/numbers.h"

namespace reductor {

class RawConnection {
 public:
  // To a port of this machine: "127.0.0.1:50051".
  explicit RawConnection(const std::string& address)
      : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in server{};
    server.sin_family = AF_INET;
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int port;
    if (!absl::SimpleAtoi(address.substr(address.rfind(':') + 1), &port)) {
      abort();
    }
    server.sin_port = htons(port);
    if (connect(socket_, reinterpret_cast<const sockaddr*>(&server),
                sizeof(server)) != 0) {
      abort();
    }
  }
  ~RawConnection() { close(socket_); }
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;

  // False if the server has closed it.
  bool Send(const std::string& bytes) {
    for (size_t sent = 0; sent < bytes.size();) {
      const ssize_t size =
          send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (size < 0) return false;
      sent += size;
    }
    return true;
  }

  // Waits until the server closes it, or resets it.
  void AwaitEnd() {
    char piece[4096];
    while (recv(socket_, piece, sizeof(piece), 0) > 0) continue;
  }

 private:
  const int socket_;
};

}  // namespace reductor

#endif  // REDUCTOR_TESTS_SERVICE_RAW_CONNECTION_H_
