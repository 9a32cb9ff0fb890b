// Many unary calls at once, in one process and without a thread each.
#ifndef REDUCTOR_TESTS_SERVICE_MANY_CALLS_H_
#define REDUCTOR_TESTS_SERVICE_MANY_CALLS_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/synchronization/blocking_counter.h"
#include "absl/time/time.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/grpcpp.h"
#include "reductor/v1/reductor.pb.h"
#include "tests/service/running_server.h"
#include "tests/service/wire_bytes.h"

namespace reductor {

struct ManyCall {
  explicit ManyCall(std::shared_ptr<grpc::Channel> channel)
      : stub(std::move(channel)) {}

  // The milliseconds after which the server would be asked again.
  std::optional<int> Pushback() const {
    const auto& trailers = context.GetServerTrailingMetadata();
    const auto found = trailers.find("grpc-retry-pushback-ms");
    if (found == trailers.end()) return std::nullopt;
    return std::stoi(std::string(found->second.begin(), found->second.end()));
  }

  v1::ReduceResponse Response() const {
    v1::ReduceResponse message;
    message.ParseFromString(ToString(response));
    return message;
  }

  grpc::GenericStub stub;
  grpc::ClientContext context;
  grpc::ByteBuffer response;
  grpc::Status status;
};

// A channel with a connection of its own for each of `count` clients.
inline std::vector<std::shared_ptr<grpc::Channel>> OwnChannels(
    const std::string& address, size_t count) {
  std::vector<std::shared_ptr<grpc::Channel>> channels;
  while (channels.size() < count) channels.push_back(OwnChannel(address));
  return channels;
}

// A channel whose calls come back after the time that a busy server names, up
// to four times.
inline std::shared_ptr<grpc::Channel> RetryingChannel(
    const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetServiceConfigJSON(R"({"methodConfig": [{
      "name": [{}],
      "retryPolicy": {
        "maxAttempts": 5, "initialBackoff": "1s", "maxBackoff": "1s",
        "backoffMultiplier": 1,
        "retryableStatusCodes": ["RESOURCE_EXHAUSTED"]}}]})");
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(),
                                   arguments);
}

// Sends `request` once over each channel, all at once, and waits for all
// answers; with the size declared if there is one.
inline std::deque<ManyCall> SendAtOnce(
    const std::vector<std::shared_ptr<grpc::Channel>>& channels,
    const std::string& method, const grpc::ByteBuffer& request,
    std::optional<size_t> declared = std::nullopt) {
  std::deque<ManyCall> calls;
  absl::BlockingCounter open(static_cast<int>(channels.size()));
  for (const auto& channel : channels) {
    ManyCall& call = calls.emplace_back(channel);
    call.context.set_wait_for_ready(true);
    if (declared.has_value()) {
      call.context.AddMetadata("reductor-message-bytes",
                               std::to_string(*declared));
    }
    call.stub.UnaryCall(&call.context, method, {}, &request, &call.response,
                        [&](grpc::Status status) {
                          call.status = std::move(status);
                          open.DecrementCount();
                        });
  }
  open.Wait();
  return calls;
}

inline std::deque<ManyCall> ReduceAtOnce(
    const std::vector<std::shared_ptr<grpc::Channel>>& channels,
    const grpc::ByteBuffer& request,
    std::optional<size_t> declared = std::nullopt) {
  return SendAtOnce(channels, kReduce, request, declared);
}

}  // namespace reductor

#endif  // REDUCTOR_TESTS_SERVICE_MANY_CALLS_H_
