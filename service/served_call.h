// What every call of the service has: a place among the calls in flight, one
// end, one line in the log.
#ifndef REDUCTOR_SERVICE_SERVED_CALL_H_
#define REDUCTOR_SERVICE_SERVED_CALL_H_

#include <exception>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "grpcpp/generic/async_generic_service.h"
#include "service/async_call.h"
#include "service/calls.h"
#include "service/request_log.h"
#include "service/status.h"
#include "service/ticker.h"

namespace reductor {

// Lives until gRPC is done with the call, then deletes itself.
class ServedCall : public AsyncReactor {
 public:
  void OnDone() final;

 protected:
  // The ticket's Calls outlives the call.
  ServedCall(AsyncCall* call, Calls::Ticket ticket);

  // The last that the call hears.
  virtual void OnEnding() {}

  // False: the server drains, and the call ends with DrainingError().
  bool is_admitted() const { return static_cast<bool>(ticket_); }

  // Whether nobody waits for the answer any more.
  bool is_cancelled() const { return context_.IsCancelled(); }

  grpc::GenericServerContext& context() { return context_; }
  RequestLog& log() { return log_; }

  // What `answer()` answers. The one place that catches: a bug or a failed
  // allocation ends this call, not the server.
  template <class Function>
  std::invoke_result_t<Function> Guard(const Function& answer) {
    try {
      return answer();
    } catch (const std::exception& e) {
      return InternalError(e.what());
    } catch (...) {
      return InternalError("unknown exception");
    }
  }

  // Notes for the log why a cancelled call was: in place of the status that it
  // is finished with.
  void NoteRefusal(const absl::Status& refusal) { refusal_ = refusal; }

  // Cancels a call whose client would not take a status; notes why.
  void CancelFor(const absl::Status& why) {
    NoteRefusal(why);
    context_.TryCancel();
  }

  // Whether the caller, as far as the server can know, has stopped waiting.
  bool IsDeadlineOver() const;

  // Ends the call, once.
  void FinishWith(const absl::Status& status);

 private:
  absl::Status Outcome() const;

  grpc::GenericServerContext& context_;
  const Calls::Ticket ticket_;
  const absl::Time opened_ = MonotonicNow();
  absl::Status status_;
  absl::Status refusal_;
  RequestLog log_;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_SERVED_CALL_H_
