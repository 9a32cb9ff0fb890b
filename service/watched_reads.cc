#include "service/watched_reads.h"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "absl/time/clock.h"
#include "absl/types/span.h"
#include "service/header_blocks.h"
#include "service/log.h"
#include "service/once_a_second.h"

namespace reductor {
namespace {

// On a cache line of its own: neighbours are read by other threads.
struct alignas(64) Connection {
  // Acquired before each use of `blocks` and released after it: that hands them
  // on from thread to thread, however gRPC hands on the connection.
  std::atomic<bool> is_watched = false;
  HeaderBlocks blocks;
};

// By their descriptors, of which the system gives out the least that is free:
// 16 MiB of addresses, but memory only for as many as there were at once.
constinit Connection connections[kMostWatchedDescriptors];

bool IsInTable(int descriptor) {
  return descriptor >= 0 && descriptor < kMostWatchedDescriptors;
}

// Null if it is not watched.
Connection* FindWatched(int descriptor) {
  if (!IsInTable(descriptor)) return nullptr;
  Connection& connection = connections[descriptor];
  return connection.is_watched.load(std::memory_order_acquire) ? &connection
                                                               : nullptr;
}

// Follows the `size` bytes that `message` has received.
void Follow(const msghdr& message, size_t size, HeaderBlocks* blocks) {
  for (size_t i = 0; i < message.msg_iovlen && size > 0; ++i) {
    const iovec& part = message.msg_iov[i];
    const size_t taken = std::min(size, part.iov_len);
    blocks->Follow({static_cast<const uint8_t*>(part.iov_base), taken});
    size -= taken;
  }
}

void LogClosed() {
  static OnceASecond limit;
  if (!limit.IsFirst(absl::Now())) return;
  Log(LogLevel::kWarning,
      "connections closed: headers too long, or in too many pieces");
}

ssize_t Receive(int socket, msghdr* message, int flags) {
  return syscall(SYS_recvmsg, socket, message, flags);
}

// Receives the next bytes of a connection.
ssize_t ReceiveWatched(int socket, msghdr* message, int flags,
                       HeaderBlocks* blocks) {
  // gRPC may take the first error for the end of what there is, and read again.
  if (!blocks->is_refused()) {
    const ssize_t size = Receive(socket, message, flags);
    if (size > 0) Follow(*message, size, blocks);
    if (!blocks->is_refused()) return size;
    LogClosed();
  }
  errno = ECONNRESET;
  return -1;
}

}  // namespace

void WatchReads(int connection) {
  if (!IsInTable(connection)) return;
  auto& [is_watched, blocks] = connections[connection];
  is_watched.load(std::memory_order_acquire);
  blocks = {};
  is_watched.store(true, std::memory_order_release);
}

}  // namespace reductor

// In place of the C library's, for the libraries of this program.
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name)
extern "C" ssize_t recvmsg(int socket, msghdr* message, int flags) {
  // What these ask for is not the next bytes of the connection.
  constexpr int kAside = MSG_ERRQUEUE | MSG_OOB | MSG_PEEK;
  reductor::Connection* const connection =
      (flags & kAside) != 0 ? nullptr : reductor::FindWatched(socket);
  if (connection == nullptr) return reductor::Receive(socket, message, flags);
  const ssize_t size =
      reductor::ReceiveWatched(socket, message, flags, &connection->blocks);
  connection->is_watched.store(true, std::memory_order_release);
  return size;
}

// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name)
extern "C" int close(int descriptor) {
  // Before the system gives the number to another.
  if (reductor::Connection* const connection =
          reductor::FindWatched(descriptor)) {
    connection->is_watched.store(false, std::memory_order_release);
  }
  return static_cast<int>(syscall(SYS_close, descriptor));
}
