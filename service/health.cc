// A watcher is told one thing at a time: what has changed meanwhile, it is told
// when it has taken the one before.
#include "service/health.h"

#include <optional>

#include "grpcpp/support/slice.h"

namespace reductor {
namespace {

using grpc::health::v1::HealthCheckRequest;
using grpc::health::v1::HealthCheckResponse;

grpc::ByteBuffer Serialize(const HealthCheckResponse& response) {
  const grpc::Slice bytes(response.SerializeAsString());
  return grpc::ByteBuffer(&bytes, 1);
}

bool Parse(const grpc::ByteBuffer& bytes, HealthCheckRequest* request) {
  grpc::ByteBuffer shared = bytes;
  return grpc::SerializationTraits<HealthCheckRequest>::Deserialize(&shared,
                                                                    request)
      .ok();
}

}  // namespace

// Reads whom to watch, then watches until it is cancelled: by its caller, or
// by a server that ends.
class Health::WatchCall final : public AsyncReactor {
 public:
  WatchCall(AsyncCall* call, Health* health)
      : AsyncReactor(call), health_(*health) {}

  void OnOpened() override { StartRead(&message_); }

  void OnReadDone(bool ok) override {
    HealthCheckRequest request;
    const bool understood = ok && Parse(message_, &request);
    const std::lock_guard lock(health_.mutex_);
    if (!understood) {
      End({grpc::StatusCode::INVALID_ARGUMENT, "no HealthCheckRequest"});
      return;
    }
    if (has_ended_) return;
    name_ = request.service();
    health_.watchers_.insert(this);
    Tell();
  }

  void OnWriteDone(bool ok) override {
    const std::lock_guard lock(health_.mutex_);
    is_writing_ = false;
    if (ok) Tell();
  }

  void OnCancel() override {
    const std::lock_guard lock(health_.mutex_);
    End(grpc::Status::CANCELLED);
  }

  void OnDone() override { delete this; }

  // Writes the status, unless it is the one that was told last. REQUIRES: the
  // lock.
  void Tell() {
    const Status status = health_.StatusOf(name_);
    if (has_ended_ || is_writing_ || told_ == status) return;
    told_ = status;
    is_writing_ = true;
    HealthCheckResponse response;
    response.set_status(status);
    StartWrite(Serialize(response));
  }

 private:
  // REQUIRES: the lock.
  void End(const grpc::Status& status) {
    if (has_ended_) return;
    has_ended_ = true;
    health_.watchers_.erase(this);
    Finish(status);
  }

  Health& health_;
  grpc::ByteBuffer message_;
  std::string name_;
  bool has_ended_ = false;
  bool is_writing_ = false;
  std::optional<Status> told_;
};

void Health::SetServing(const std::string& name, bool serving) {
  const std::lock_guard lock(mutex_);
  statuses_[name] =
      serving ? HealthCheckResponse::SERVING : HealthCheckResponse::NOT_SERVING;
  for (WatchCall* const watcher : watchers_) watcher->Tell();
}

grpc::Status Health::Check(grpc::ServerContext*,
                           const HealthCheckRequest* request,
                           HealthCheckResponse* response) {
  const std::lock_guard lock(mutex_);
  const Status status = StatusOf(request->service());
  if (status == HealthCheckResponse::SERVICE_UNKNOWN) {
    return {grpc::StatusCode::NOT_FOUND, "no service of this name"};
  }
  response->set_status(status);
  return grpc::Status::OK;
}

AsyncReactor* Health::Watch(AsyncCall* call) {
  return new WatchCall(call, this);
}

Health::Status Health::StatusOf(const std::string& name) const {
  const auto found = statuses_.find(name);
  return found == statuses_.end() ? HealthCheckResponse::SERVICE_UNKNOWN
                                  : found->second;
}

}  // namespace reductor
