// The bench's client of tcp_server: one connection, whatever the command says.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "tests/bench/rpc/command.h"

namespace reductor::bench {
namespace {

int Connect(const std::string& address) {
  int port;
  if (!absl::SimpleAtoi(address.substr(address.rfind(':') + 1), &port)) {
    return -1;
  }
  sockaddr_in name = {};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  name.sin_port = htons(static_cast<uint16_t>(port));
  const int connection = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(connection, reinterpret_cast<sockaddr*>(&name), sizeof(name)) ==
      0) {
    return connection;
  }
  close(connection);
  return -1;
}

bool Transfer(int connection, int64_t bytes, const std::vector<char>& piece) {
  if (send(connection, &bytes, sizeof(bytes), MSG_NOSIGNAL) != sizeof(bytes)) {
    return false;
  }
  while (bytes > 0) {
    const ssize_t sent =
        send(connection, piece.data(),
             std::min<size_t>(piece.size(), static_cast<size_t>(bytes)),
             MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes -= sent;
  }
  char answer;
  return recv(connection, &answer, 1, MSG_WAITALL) == 1;
}

absl::StatusOr<Batch> Run(const Command& command) {
  const int connection = Connect(command.address);
  const std::vector<char> piece(kPieceBytes, 'x');
  Batch batch;
  const Clock::time_point start = Clock::now();
  do {
    if (!Transfer(connection, command.bytes, piece)) {
      close(connection);
      return absl::UnavailableError("the connection is broken");
    }
    ++batch.calls;
    batch.time = Clock::now() - start;
  } while (std::chrono::duration<double>(batch.time).count() < command.seconds);
  close(connection);
  return batch;
}

}  // namespace
}  // namespace reductor::bench

int main() { reductor::bench::ServeCommands(reductor::bench::Run); }
