#include "client/channel.h"

#include <limits>

#include "grpc/grpc.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/support/channel_arguments.h"

namespace reductor {
namespace {

// Four attempts within about a second: a server that restarts or drains is
// replaced meanwhile, and one that is not there is reported soon. But not for
// streams: where the first attempt fails while the header is being written,
// gRPC 1.51 may never send it again, and both sides wait; see client_stream.cc.
constexpr char kServiceConfig[] = R"({
  "methodConfig": [{
    "name": [{
      "service": "reductor.v1.ReductionService",
      "method": "ReduceStream"
    }]
  }, {
    "name": [{"service": "reductor.v1.ReductionService"}],
    "retryPolicy": {
      "maxAttempts": 4,
      "initialBackoff": "0.1s",
      "maxBackoff": "1s",
      "backoffMultiplier": 2,
      "retryableStatusCodes": ["UNAVAILABLE"]
    }
  }]
})";

// Without it the attempts above would all find that the first connection has
// failed: gRPC tries another one after a second.
constexpr int kReconnectAfterMs = 100;

// The server allows pings from 10 s.
constexpr int kKeepaliveTimeMs = 30'000;
constexpr int kKeepaliveTimeoutMs = 10'000;

// With a reference that is never given back, gRPC is not shut down with the
// last channel: that can take 10 s after a large message has filled a socket,
// while gRPC's backup poller waits for it.
void KeepGrpcInitialised() {
  [[maybe_unused]] static const bool is_kept = (grpc_init(), true);
}

}  // namespace

std::shared_ptr<grpc::Channel> Connect(const std::string& address) {
  KeepGrpcInitialised();
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetMaxSendMessageSize(-1);
  arguments.SetServiceConfigJSON(kServiceConfig);
  // A request above this is sent once: the default of 256 KiB would exclude
  // tensors from retries. What is kept is a reference, not a copy.
  arguments.SetInt(GRPC_ARG_PER_RPC_RETRY_BUFFER_SIZE,
                   std::numeric_limits<int>::max());
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kReconnectAfterMs);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveTimeMs);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  // A proxy for the web, set in the environment, is no way to this server.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(),
                                   arguments);
}

bool WaitUntilConnected(grpc::Channel& channel, absl::Time deadline) {
  while (true) {
    const grpc_connectivity_state state =
        channel.GetState(/*try_to_connect=*/true);
    if (state == GRPC_CHANNEL_READY) return true;
    if (state == GRPC_CHANNEL_TRANSIENT_FAILURE ||
        state == GRPC_CHANNEL_SHUTDOWN) {
      return false;
    }
    if (!channel.WaitForStateChange(state, absl::ToChronoTime(deadline))) {
      return false;
    }
  }
}

}  // namespace reductor
