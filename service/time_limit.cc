// One limit for all calls: the first that entered is the first to be late.
#include "service/time_limit.h"

#include <utility>

namespace reductor {

TimeLimit::TimeLimit(absl::Duration limit, absl::Status why, Clock clock)
    : limit_(limit), why_(std::move(why)), clock_(std::move(clock)) {}

void TimeLimit::Enter(Call* call) {
  absl::Time entered;
  {
    const std::lock_guard lock(mutex_);
    entered = call->entered_ = clock_.now();
    calls_.PushBack(call);
    call->OnEntered();
  }
  clock_.wake_by(entered + limit_);
}

bool TimeLimit::Leave(Call* call) {
  const std::lock_guard lock(mutex_);
  return calls_.Remove(call);
}

bool TimeLimit::EndOldest(absl::Duration least, const absl::Status& why) {
  Call* call;
  {
    const std::lock_guard lock(mutex_);
    if (calls_.empty()) return false;
    if (clock_.now() - calls_.front().entered_ < least) return false;
    call = calls_.PopFront();
    if (call->Hasten(why)) return true;
  }
  call->OnTimeUp(why);
  return true;
}

int64_t TimeLimit::size() const {
  const std::lock_guard lock(mutex_);
  return calls_.size();
}

absl::Time TimeLimit::oldest() const {
  const std::lock_guard lock(mutex_);
  return calls_.empty() ? absl::InfiniteFuture() : calls_.front().entered_;
}

absl::Time TimeLimit::Tick() {
  while (EndOldest(limit_, why_)) continue;
  return oldest() + limit_;
}

}  // namespace reductor
