// The bench's client of every gRPC server: generic calls of bytes made before,
// so that little of the machine goes to it.
#include <map>
#include <string>

#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/support/channel_arguments.h"
#include "tests/bench/rpc/command.h"
#include "tests/bench/rpc/stream_calls.h"
#include "tests/bench/rpc/unary_calls.h"

namespace reductor::bench {
namespace {

std::shared_ptr<grpc::Channel> NewConnection(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(),
                                   arguments);
}

void Main() {
  std::map<std::string, Channels> connections;
  ServeCommands([&](const Command& command) -> absl::StatusOr<Batch> {
    Channels& channels = connections[command.address];
    while (std::ssize(channels) < command.connections) {
      channels.push_back(NewConnection(command.address));
    }
    if (command.kind == "stream") {
      return RunStreamCalls(command, channels.front());
    }
    const Channels used(channels.begin(),
                        channels.begin() + command.connections);
    return RunUnaryCalls(command, used);
  });
}

}  // namespace
}  // namespace reductor::bench

int main() { reductor::bench::Main(); }
