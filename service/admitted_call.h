// What calls have in common that ask before they read, and wait for room or for
// their clients no longer than they may.
#ifndef REDUCTOR_SERVICE_ADMITTED_CALL_H_
#define REDUCTOR_SERVICE_ADMITTED_CALL_H_

#include <utility>

#include "absl/status/status.h"
#include "service/admission.h"
#include "service/async_call.h"
#include "service/calls.h"
#include "service/served_call.h"
#include "service/time_limit.h"

namespace reductor {

class AdmittedCall : public ServedCall,
                     public Admission::Waiter,
                     public TimeLimit::Call {
 public:
  void OnOpened() final {
    const absl::Status opened = is_admitted() ? Open() : DrainingError();
    if (!opened.ok()) FinishWith(opened);
  }

  void OnAdmitted(Admission::Ticket room) final {
    room_ = std::move(room);
    WriteOpening(log());
    Begin();
  }

  void OnRefused(const absl::Status& why) final { FinishWith(why); }

  void OnCancel() final {
    if (admission_->Withdraw(this)) {
      FinishWith(absl::CancelledError("cancelled before there was room"));
    } else {
      OnCancelled();
    }
  }

 protected:
  // All of them outlive the call.
  AdmittedCall(AsyncCall* call, Admission* admission, Calls::Ticket ticket)
      : ServedCall(call, std::move(ticket)), admission_(admission) {}

  // Calls AskFor() with what the call needs to begin. An error ends the call.
  virtual absl::Status Open() = 0;

  // There is room: room() has it.
  virtual void Begin() = 0;

  // Nobody waits for the answer any more. May come beside anything else.
  virtual void OnCancelled() {}

  // Frees what the room is for, where it could outlast the room.
  virtual void Forget() {}

  // Begin() follows, now or later, or the call ends.
  void AskFor(int64_t bytes) {
    Admission::Ticket room = admission_->Admit(bytes, this);
    if (room) OnAdmitted(std::move(room));
  }

  // Gives the room back, for somebody else, and ends the call.
  void EndWith(const absl::Status& status) {
    Forget();
    room_.Release();
    FinishWith(status);
  }

  Admission& admission() { return *admission_; }
  Admission::Ticket& room() { return room_; }

 private:
  Admission* const admission_;
  Admission::Ticket room_;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_ADMITTED_CALL_H_
