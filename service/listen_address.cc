// Sockets of the system's own: gRPC offers no way to ask.
#include "service/listen_address.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace reductor {
namespace {

constexpr absl::string_view kUnix = "unix:";
constexpr int32_t kMaxPort = 65535;

bool IsHostAndPort(absl::string_view address) {
  const size_t colon = address.rfind(':');
  if (colon == absl::string_view::npos || colon == 0) return false;
  const absl::string_view host = address.substr(0, colon);
  const bool is_bracketed = host.front() == '[' && host.back() == ']';
  if (!is_bracketed && absl::StrContains(host, ':')) return false;
  const absl::string_view digits = address.substr(colon + 1);
  int32_t port;
  return absl::c_all_of(digits, absl::ascii_isdigit) &&
         absl::SimpleAtoi(digits, &port) && port <= kMaxPort;
}

}  // namespace

absl::Status CheckListenAddress(const std::string& address) {
  if (address.empty()) {
    return absl::InvalidArgumentError("an address is empty");
  }
  if (IsUnixAddress(address) ? address.size() > kUnix.size()
                             : IsHostAndPort(address)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("'", address, "' is neither host:port, with a port from 0 ",
                   "to 65535, nor unix:path"));
}

bool IsUnixAddress(const std::string& address) {
  return absl::StartsWith(address, kUnix);
}

bool IsServedUnixAddress(const std::string& address) {
  if (!IsUnixAddress(address)) return false;
  const std::string path = address.substr(kUnix.size());
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (path.size() >= sizeof(name.sun_path)) return false;
  std::memcpy(name.sun_path, path.data(), path.size());
  const int socket_fd =
      socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket_fd < 0) return false;
  // EAGAIN: it is there, and takes no more connections now.
  const bool is_served =
      connect(socket_fd, reinterpret_cast<const sockaddr*>(&name),
              sizeof(name)) == 0 ||
      errno == EAGAIN;
  close(socket_fd);
  return is_served;
}

}  // namespace reductor
