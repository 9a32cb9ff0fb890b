// What the calls that bring tensors have in common: what takes long is left to
// the workers, and not begun once nobody waits for it.
#ifndef REDUCTOR_SERVICE_TENSOR_CALL_H_
#define REDUCTOR_SERVICE_TENSOR_CALL_H_

#include <utility>

#include "absl/status/status.h"
#include "service/admitted_call.h"
#include "service/workers.h"

namespace reductor {

class TensorCall : public AdmittedCall, public Workers::Task {
 protected:
  // All of them outlive the call.
  TensorCall(AsyncCall* call, Admission* admission, Workers* workers,
             Calls::Ticket ticket)
      : AdmittedCall(call, admission, std::move(ticket)), workers_(workers) {}

  // Leaves what is next to a worker: OnTurn().
  void AwaitTurn() { workers_->Run(this); }

  void OnCancelled() final {
    if (workers_->Withdraw(this)) {
      EndWith(absl::CancelledError("cancelled before its turn"));
    }
  }

 private:
  Workers* const workers_;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_TENSOR_CALL_H_
