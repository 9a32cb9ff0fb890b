// What the kernel's loopback costs: bytes are received into one small buffer
// and discarded. A transfer is its length, then so many bytes, then one byte
// back. One connection at a time.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "tests/bench/rpc/serving.h"

namespace reductor::bench {
namespace {

bool Receive(int socket, std::vector<char>* buffer) {
  int64_t left;
  if (recv(socket, &left, sizeof(left), MSG_WAITALL) != sizeof(left)) {
    return false;
  }
  while (left > 0) {
    const ssize_t received =
        recv(socket, buffer->data(),
             std::min<size_t>(buffer->size(), static_cast<size_t>(left)), 0);
    if (received <= 0) return false;
    left -= received;
  }
  const char answer = 0;
  return send(socket, &answer, 1, MSG_NOSIGNAL) == 1;
}

void Accept(int listener) {
  std::vector<char> buffer(64 * 1024);
  while (true) {
    const int socket = accept(listener, nullptr, nullptr);
    while (Receive(socket, &buffer)) {
    }
    close(socket);
  }
}

int Main() {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  auto* const name = reinterpret_cast<sockaddr*>(&address);
  if (bind(listener, name, length) != 0 || listen(listener, 1) != 0 ||
      getsockname(listener, name, &length) != 0) {
    std::perror("tcp_server");
    return 1;
  }
  std::thread([listener] { Accept(listener); }).detach();
  SayAddress(ntohs(address.sin_port));
  AwaitEndOfInput();
  std::_Exit(0);  // The thread still waits for a connection.
}

}  // namespace
}  // namespace reductor::bench

int main() { return reductor::bench::Main(); }
