#include "tests/bench/rpc/unary_calls.h"

#include <mutex>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "grpcpp/client_context.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/support/byte_buffer.h"
#include "tests/bench/rpc/requests.h"

namespace reductor::bench {
namespace {

class UnaryCalls {
 public:
  UnaryCalls(const Command& command, const Channels& channels)
      : command_(command),
        bytes_(ReduceRequestBytes(command.bytes)),
        declared_size_(absl::StrCat(bytes_.size())),
        request_(Refer(bytes_)),
        callers_(command.in_flight),
        running_(command.in_flight) {
    for (int i = 0; i < command.in_flight; ++i) {
      callers_[i].stub =
          std::make_unique<grpc::GenericStub>(channels[i % channels.size()]);
    }
  }

  absl::StatusOr<Batch> Run() {
    start_ = Clock::now();
    for (Caller& caller : callers_) Call(&caller);
    done_.WaitForNotification();
    const Clock::duration time = Clock::now() - start_;
    if (!error_.ok()) return error_;
    return Batch{.calls = calls_, .time = time};
  }

 private:
  struct Caller {
    std::unique_ptr<grpc::GenericStub> stub;
    std::optional<grpc::ClientContext> context;
    grpc::ByteBuffer response;
  };

  void Call(Caller* caller) {
    caller->context.emplace();
    caller->context->AddMetadata("reductor-message-bytes", declared_size_);
    caller->response.Clear();
    caller->stub->UnaryCall(
        &*caller->context, kReduce, {}, &request_, &caller->response,
        [this, caller](const grpc::Status& status) { End(caller, status); });
  }

  void End(Caller* caller, const grpc::Status& status) {
    if (Note(status)) {
      Call(caller);
      return;
    }
    // Once told, who waits may destroy the mutex.
    if (IsLast()) done_.Notify();
  }

  bool IsLast() {
    const std::lock_guard lock(mutex_);
    return --running_ == 0;
  }

  // Whether the caller goes on.
  bool Note(const grpc::Status& status) {
    const std::lock_guard lock(mutex_);
    ++calls_;
    if (!status.ok()) {
      error_ = absl::Status(static_cast<absl::StatusCode>(status.error_code()),
                            status.error_message());
    }
    const std::chrono::duration<double> time = Clock::now() - start_;
    return error_.ok() && time.count() < command_.seconds;
  }

  const Command& command_;
  const std::string bytes_;
  const std::string declared_size_;
  const grpc::ByteBuffer request_;
  std::vector<Caller> callers_;
  Clock::time_point start_;
  absl::Notification done_;

  std::mutex mutex_;
  int running_;
  int64_t calls_ = 0;
  absl::Status error_;
};

}  // namespace

absl::StatusOr<Batch> RunUnaryCalls(const Command& command,
                                    const Channels& channels) {
  return UnaryCalls(command, channels).Run();
}

}  // namespace reductor::bench
