// The channel to a reductor server: the settings that every client shares.
#ifndef REDUCTOR_CLIENT_CHANNEL_H_
#define REDUCTOR_CLIENT_CHANNEL_H_

#include <memory>
#include <string>

#include "absl/time/time.h"
#include "grpcpp/channel.h"

namespace reductor {

// A channel to "host:port", "unix:path" or any other gRPC target, in plain
// text. Messages of any size pass. Calls of one message that find the service
// UNAVAILABLE are retried, because every method is idempotent; streams are not
// (channel.cc). It connects at the first call.
std::shared_ptr<grpc::Channel> Connect(const std::string& address);

// True once the channel is connected; false after the first failed attempt or
// when `deadline` passes.
bool WaitUntilConnected(grpc::Channel& channel, absl::Time deadline);

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_CHANNEL_H_
