#include "service/descriptors.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>

#include "absl/time/clock.h"
#include "service/log.h"
#include "service/once_a_second.h"
#include "service/watched_reads.h"

namespace reductor {
namespace {

// What a connection takes without a call: 11 KiB, measured with 1,000 of them.
constexpr int64_t kConnectionBytes = 12 << 10;
constexpr int64_t kLeastDescriptors = 1024;

int Accept(int listener, sockaddr* address, socklen_t* length, int flags) {
  return static_cast<int>(
      syscall(SYS_accept4, listener, address, length, flags));
}

// A descriptor in reserve: giving it up for a moment is the only way to take a
// connection out of the queue when there is no other.
class Reserve {
 public:
  // Takes the next connection and closes it; false if there was none.
  bool TurnAway(int listener) {
    const std::lock_guard lock(mutex_);
    if (descriptor_ >= 0) close(descriptor_);
    const int connection = Accept(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection >= 0) close(connection);
    descriptor_ = Open();
    return connection >= 0;
  }

 private:
  static int Open() { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

  std::mutex mutex_;  // Guards the descriptor.
  int descriptor_ = Open();
};

Reserve& TheReserve() {
  // Never destroyed: connections come while the process exits.
  static Reserve& reserve = *new Reserve;
  return reserve;
}

// Those who are turned away may come back at once.
void LogTurnedAway() {
  static OnceASecond limit;
  if (!limit.IsFirst(absl::Now())) return;
  Log(LogLevel::kWarning, "connections turned away: no descriptor is left");
}

// Whether accept4() fails with what has befallen the connection that is next,
// rather than the listener: accept(2).
bool IsOfTheConnection(int error) {
  switch (error) {
    case ECONNABORTED:
    case EHOSTDOWN:
    case EHOSTUNREACH:
    case ENETDOWN:
    case ENETUNREACH:
    case ENONET:
    case ENOPROTOOPT:
    case EOPNOTSUPP:
    case EPERM:
    case EPROTO:
      return true;
    default:
      return false;
  }
}

}  // namespace

int64_t LimitDescriptors(int64_t budget_bytes) {
  TheReserve();
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return kLeastDescriptors;
  const int64_t wanted = std::clamp(budget_bytes / 16 / kConnectionBytes,
                                    kLeastDescriptors, kMostWatchedDescriptors);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, wanted);
  setrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<int64_t>(limit.rlim_cur);
}

}  // namespace reductor

// In place of the C library's, for the libraries of this program.
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name)
extern "C" int accept4(int listener, sockaddr* address, socklen_t* length,
                       int flags) {
  while (true) {
    const int connection = reductor::Accept(listener, address, length, flags);
    if (connection >= 0) {
      reductor::WatchReads(connection);
      return connection;
    }
    if (errno == EMFILE || errno == ENFILE) {
      reductor::LogTurnedAway();
      if (reductor::TheReserve().TurnAway(listener)) continue;
      errno = EAGAIN;
    } else if (reductor::IsOfTheConnection(errno)) {
      continue;
    } else if (errno == ENOBUFS || errno == ENOMEM) {
      errno = EAGAIN;
    }
    return -1;
  }
}
