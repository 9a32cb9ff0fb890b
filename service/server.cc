// Everything that gRPC is told, and why.
#include "service/server.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "core/parallel.h"
#include "grpcpp/resource_quota.h"
#include "grpcpp/security/server_credentials.h"
#include "grpcpp/server_builder.h"
#include "service/generic_call.h"
#include "service/listen_address.h"
#include "service/process.h"

namespace reductor {
namespace {

constexpr int kMinute = 60'000;  // Milliseconds, as gRPC counts.

// How long a cancelled call may take to notice: they ask every few
// milliseconds.
constexpr absl::Duration kCancelTimeout = absl::Seconds(5);

// A stranger's connection may have that many calls open; more wait their turn
// at the client. gRPC takes memory for a call before admission sees it: with
// 1024, 64 connections took 1.2 GiB of a server with a budget of 512 MiB.
constexpr int kMaxConcurrentStreams = 256;

// What an open call takes in gRPC and here, its message aside: 18.7 KiB,
// measured with 64,000 calls that declare no bytes and send none.
constexpr int64_t kCallBytes = 20 << 10;

// Calls that wait may overdraw the budget by a part of it: 64,000 at once took
// 1.1 GiB beside a budget of 512 MiB.
int64_t MostWaiting(const Config& config) {
  return *config.memory_budget / 16 / kCallBytes;
}

// What gRPC may have above the budget. Without it calls would be reset at
// random when admission gives out all the budget; measured with 64 clients of
// 9 to 64 MiB each, none is. Connections alone take a part of it, whatever the
// budget: hence the least.
int64_t QuotaFor(int64_t budget) {
  constexpr int64_t kLeastMargin = 32 << 20;
  return budget + std::max(budget / 16, kLeastMargin);
}

void SetLimits(const Config& config, grpc::ServerBuilder* builder) {
  builder->SetMaxReceiveMessageSize(
      static_cast<int>(*config.max_message_bytes));
  builder->SetMaxSendMessageSize(-1);  // Ours to limit: --max-output-bytes.
  builder->AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS,
                              kMaxConcurrentStreams);
  // gRPC checks a message's size only when it has buffered all of it. The quota
  // is what stops it on the way.
  grpc::ResourceQuota quota("reductor");
  quota.Resize(static_cast<size_t>(QuotaFor(*config.memory_budget)));
  builder->SetResourceQuota(quota);
  // gRPC inflates whole before it checks any limit: a bomb of a few hundred KiB
  // would take as much memory as it likes.
  for (const auto algorithm : {GRPC_COMPRESS_DEFLATE, GRPC_COMPRESS_GZIP}) {
    builder->SetCompressionAlgorithmSupportStatus(algorithm,
                                                  config.allow_compression);
  }
}

void SetConnections(grpc::ServerBuilder* builder) {
  // A taken port is an error, not a share of another server's calls.
  builder->AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  // Clients may ask every 10 s whether the server lives, idle ones too.
  builder->AddChannelArgument(
      GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 10'000);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  // Connections end now and then, so that balancers spread them anew.
  // With no limit to the grace, as a stream may take as long as its tensor
  // does. If its client stops, --idle-timeout ends it, and --upload-timeout a
  // Reduce; a watcher of health stays as long as its client does.
  builder->AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS, 30 * kMinute);
}

// `address` with the bound port in place of the wanted one.
std::string BoundAddress(const std::string& address, int port) {
  if (IsUnixAddress(address)) return address;
  return absl::StrCat(address.substr(0, address.rfind(':')), ":", port);
}

// gRPC binds in order and leaves 0 where it failed, if it came that far.
absl::Status CannotListen(const Addresses& addresses,
                          const std::vector<int>& ports,
                          const std::string& cause) {
  const std::string why = absl::StrCat(cause.empty() ? "" : ": ", cause);
  for (size_t i = 0; i < ports.size(); ++i) {
    if (ports[i] != 0) continue;
    return absl::UnavailableError(
        absl::StrCat("cannot listen on ", addresses[i], why));
  }
  return absl::UnavailableError(absl::StrCat("cannot start gRPC", why));
}

Admission::Limits LimitsOf(const Config& config) {
  return {.budget_bytes = *config.memory_budget,
          .call_bytes = kCallBytes,
          .most_waiting = MostWaiting(config),
          .wait = config.admission_wait,
          .upload_grace = config.upload_grace,
          .upload_timeout = config.upload_timeout,
          .idle_timeout = config.idle_timeout};
}

Clock ClockOf(Ticker* ticker) {
  return {.now = MonotonicNow,
          .wake_by = [ticker](absl::Time time) { ticker->WakeBy(time); }};
}

}  // namespace

Server::Server(const Config& config)
    : drain_delay_(config.drain_delay),
      drain_timeout_(config.drain_timeout),
      admission_(LimitsOf(config), ClockOf(&ticker_)),
      turns_(config.idle_timeout, MostWaiting(config), ClockOf(&ticker_)),
      ticker_([this] { return std::min(admission_.Tick(), turns_.Tick()); }),
      workers_(Threads()),
      service_({.max_message_bytes = *config.max_message_bytes,
                .max_output_bytes = *config.max_output_bytes},
               &admission_, &turns_, &workers_, &calls_),
      idle_trim_(&calls_),
      health_(&turns_),
      reflection_({kReductionService, "grpc.health.v1.Health",
                   "grpc.reflection.v1.ServerReflection"},
                  &turns_) {
  service_.Register(&methods_);
  health_.Register(&methods_);
  if (config.reflection) reflection_.Register(&methods_);
  SetServing(false);
}

Server::~Server() {
  if (server_ != nullptr) server_->Shutdown(std::chrono::system_clock::now());
  queue_.reset();  // Its last events are still the server's.
}

absl::StatusOr<std::unique_ptr<Server>> Server::Start(const Config& config) {
  const KeptMessages messages;  // To the end of a server that does not start.
  std::unique_ptr<Server> server(new Server(config));
  const absl::Status listening = server->Listen(config, messages);
  if (!listening.ok()) return listening;
  server->SetServing(true);
  return server;
}

absl::Status Server::Listen(const Config& config,
                            const KeptMessages& messages) {
  grpc::ServerBuilder builder;
  SetLimits(config, &builder);
  SetConnections(&builder);
  queue_ = std::make_unique<CallQueue>(
      &builder, [this](AsyncCall* call) { return Serve(call); });
  for (const std::string& address : config.listen) {
    if (IsServedUnixAddress(address)) {
      return absl::UnavailableError(
          absl::StrCat("cannot listen on ", address, ": a server is there"));
    }
  }
  std::vector<int> ports(config.listen.size(), 0);
  for (size_t i = 0; i < ports.size(); ++i) {
    builder.AddListeningPort(config.listen[i],
                             grpc::InsecureServerCredentials(), &ports[i]);
  }
  server_ = builder.BuildAndStart();
  if (server_ == nullptr) {
    return CannotListen(config.listen, ports, messages.LastCause());
  }
  queue_->Start(PollersFor(Threads()));
  for (size_t i = 0; i < ports.size(); ++i) {
    addresses_.push_back(BoundAddress(config.listen[i], ports[i]));
  }
  return absl::OkStatus();
}

AsyncReactor* Server::Serve(AsyncCall* call) {
  const auto method = methods_.find(call->context().method());
  return method == methods_.end() ? RefuseUnknownMethod(call)
                                  : method->second(call);
}

// "liveness" says that the process works: it stays true while draining.
void Server::SetServing(bool serving) {
  health_.SetServing("liveness", true);
  for (const char* const name : {"", kReductionService, "readiness"}) {
    health_.SetServing(name, serving);
  }
}

void Server::Drain() {
  SetServing(false);
  absl::SleepFor(drain_delay_);
  calls_.RefuseNew();
  calls_.WaitUntilNone(drain_timeout_);
  // What is left, health watchers among it, is cancelled; but gRPC does not
  // wait until we know.
  server_->Shutdown(std::chrono::system_clock::now());
  calls_.WaitUntilNone(kCancelTimeout);
}

}  // namespace reductor
