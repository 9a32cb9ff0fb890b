// What clients send is looked at before gRPC sees it.
//
// Headers without end bring gRPC 1.51 to a halt. So its calls of recvmsg() and
// close() meet ours, in the same program: a connection whose headers are above
// the limits of service/header_blocks.h reads as one that its client has reset.
#ifndef REDUCTOR_SERVICE_WATCHED_READS_H_
#define REDUCTOR_SERVICE_WATCHED_READS_H_

#include <cstdint>

namespace reductor {

// Descriptors at or above this are not watched.
inline constexpr int64_t kMostWatchedDescriptors = 1 << 18;

// Watches a connection of which nothing has been read, until close() takes it.
// One thread at a time may read it, and none while another closes it. Other
// descriptors, such as connections to servers, are left alone.
void WatchReads(int connection);

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_WATCHED_READS_H_
