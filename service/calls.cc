// The standard library's mutex rather than Abseil's: ThreadSanitizer sees it
// without a rebuilt Abseil.
#include "service/calls.h"

namespace reductor {

Calls::Ticket::~Ticket() {
  if (calls_ != nullptr) calls_->Leave();
}

Calls::Ticket Calls::Admit() {
  const std::lock_guard lock(mutex_);
  if (refusing_) return Ticket(nullptr);
  ++counts_.in_flight;
  ++counts_.admitted;
  return Ticket(this);
}

void Calls::RefuseNew() {
  const std::lock_guard lock(mutex_);
  refusing_ = true;
}

bool Calls::WaitUntilNone(absl::Duration timeout) {
  std::unique_lock lock(mutex_);
  return none_.wait_for(lock, absl::ToChronoMilliseconds(timeout),
                        [this] { return counts_.in_flight == 0; });
}

Calls::Counts Calls::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

void Calls::Leave() {
  const std::lock_guard lock(mutex_);
  // Under the lock: once a waiter sees none, the object may be gone.
  if (--counts_.in_flight == 0) none_.notify_all();
}

}  // namespace reductor
