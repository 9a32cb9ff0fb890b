// A watcher is told one thing at a time: what has changed meanwhile, it is told
// when it has taken the one before.
#include "service/health.h"

#include <optional>

#include "service/admitted_call.h"
#include "service/status.h"

namespace reductor {
namespace {

using grpc::health::v1::HealthCheckRequest;
using grpc::health::v1::HealthCheckResponse;

// A watcher keeps no more of the name that it asked for: longer than any that
// is set, so that it stays unknown.
constexpr size_t kMostNameBytes = 128;

}  // namespace

// Reads whom to watch, then watches until it is cancelled: by its caller, or
// by a server that ends.
class Health::WatchCall final : public AdmittedCall {
 public:
  WatchCall(AsyncCall* call, Health* health)
      : AdmittedCall(call, &health->turns_->to_read(), health->calls_.Admit()),
        health_(*health) {
    log().level = LogLevel::kDebug;
  }

  void OnEntered() override { StartRead(&message_); }

  void OnTimeUp(const absl::Status& why) override { EndWith(why); }

  void OnReadDone(bool ok) override {
    if (!admission().silent_streams().Leave(this)) return;
    room().Release();
    HealthCheckRequest request;
    const absl::Status parsed =
        ok ? Parse(message_, &request)
           : MalformedMessageError("the call has no message");
    message_.Clear();
    if (!parsed.ok()) return FinishWith(parsed);
    const std::lock_guard lock(health_.mutex_);
    if (is_cancelled_) return FinishWith(Cancelled());
    if (health_.IsWatchedByMost()) {
      return FinishWith(admission().BusyError("too many watch"));
    }
    is_watching_ = true;
    name_ = request.service().substr(0, kMostNameBytes);
    health_.watchers_.insert(this);
    Tell();
  }

  void OnWriteDone(bool ok) override {
    const std::lock_guard lock(health_.mutex_);
    is_writing_ = false;
    if (ok) Tell();
  }

  // Writes the status, unless it is the one that was told last. REQUIRES: the
  // lock.
  void Tell() {
    const Status status = health_.StatusOf(name_);
    if (!is_watching_ || is_writing_ || told_ == status) return;
    told_ = status;
    is_writing_ = true;
    HealthCheckResponse response;
    response.set_status(status);
    StartWrite(Serialize(response));
  }

 private:
  static absl::Status Cancelled() {
    return absl::CancelledError("nobody watches any more");
  }

  absl::Status Open() override {
    AskFor(Turns::kTurn);
    return absl::OkStatus();
  }

  void Begin() override { admission().silent_streams().Enter(this); }

  void OnCancelled() override {
    const std::lock_guard lock(health_.mutex_);
    is_cancelled_ = true;
    if (!is_watching_) return;  // The read will end.
    is_watching_ = false;
    health_.watchers_.erase(this);
    FinishWith(Cancelled());
  }

  Health& health_;
  grpc::ByteBuffer message_;
  std::string name_;
  bool is_cancelled_ = false;
  bool is_watching_ = false;
  bool is_writing_ = false;
  std::optional<Status> told_;
};

Health::Health(Turns* turns)
    : turns_(turns),
      check_{.answer = AnswerTo<HealthCheckRequest>(
                 [this](const auto& request) { return Check(request); }),
             .log_level = LogLevel::kDebug} {}

void Health::Register(Methods* methods) {
  (*methods)["/grpc.health.v1.Health/Check"] = [this](AsyncCall* call) {
    return ServeShortCall(call, check_, turns_, calls_.Admit());
  };
  (*methods)["/grpc.health.v1.Health/Watch"] = [this](AsyncCall* call) {
    return new WatchCall(call, this);
  };
}

void Health::SetServing(const std::string& name, bool serving) {
  const std::lock_guard lock(mutex_);
  statuses_[name] =
      serving ? HealthCheckResponse::SERVING : HealthCheckResponse::NOT_SERVING;
  for (WatchCall* const watcher : watchers_) watcher->Tell();
}

absl::StatusOr<HealthCheckResponse> Health::Check(
    const HealthCheckRequest& request) {
  const std::lock_guard lock(mutex_);
  const Status status = StatusOf(request.service());
  if (status == HealthCheckResponse::SERVICE_UNKNOWN) {
    return absl::NotFoundError("no service of this name");
  }
  HealthCheckResponse response;
  response.set_status(status);
  return response;
}

// As many may watch as may wait: a watcher takes no more.
bool Health::IsWatchedByMost() const {
  return static_cast<int64_t>(watchers_.size()) >= turns_->most_waiting();
}

Health::Status Health::StatusOf(const std::string& name) const {
  const auto found = statuses_.find(name);
  return found == statuses_.end() ? HealthCheckResponse::SERVICE_UNKNOWN
                                  : found->second;
}

}  // namespace reductor
