// Waiters are told without the admission's lock: what they do then may come
// back here. A limit's may be held, for Hasten() gives room back; limits are
// locked before the admission, and one of answers before one of uploads.
#include "service/admission.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "service/status.h"

namespace reductor {
namespace {

// How many graces a message has that declared its size, or a stream's next one,
// or as many bytes as a stream has room for: with the default of 1 s, 128 MiB
// then come at 13 MB/s or faster, and streams at 0.8.
constexpr int kPatience = 10;

// Between these two, so that those who were refused together do not come back
// together.
constexpr int kLeastRetryMillis = 100;
constexpr int kMostRetryMillis = 300;

absl::Status TooSlowError(absl::string_view what, absl::string_view flag,
                          absl::Duration limit) {
  return absl::DeadlineExceededError(
      absl::StrCat(what, " did not come within ", flag, " (",
                   absl::FormatDuration(limit), ")"));
}

}  // namespace

Admission::Ticket::Ticket(Ticket&& other) noexcept
    : admission_(std::exchange(other.admission_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

Admission::Ticket& Admission::Ticket::operator=(Ticket&& other) noexcept {
  std::swap(admission_, other.admission_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

int64_t Admission::Ticket::headroom() const {
  return admission_->limits_.budget_bytes - bytes_;
}

absl::Status Admission::Ticket::Grow(int64_t more) {
  if (!admission_->TryGrow(more)) {
    return admission_->BusyError("no room for the results now");
  }
  bytes_ += more;
  return absl::OkStatus();
}

void Admission::Ticket::Resize(int64_t bytes) {
  admission_->Return(bytes_ - bytes);
  bytes_ = bytes;
}

void Admission::Ticket::Release() {
  if (admission_ == nullptr) return;
  Admission* const admission = std::exchange(admission_, nullptr);
  admission->Return(std::exchange(bytes_, 0) + admission->limits_.call_bytes);
}

Admission::Admission(const Limits& limits, const Clock& clock)
    : limits_(limits),
      clock_(clock),
      undeclared_uploads_(limits.upload_timeout,
                          TooSlowError("the message", "--upload-timeout",
                                       limits.upload_timeout),
                          clock),
      declared_uploads_(limits.upload_timeout,
                        TooSlowError("the message", "--upload-timeout",
                                     limits.upload_timeout),
                        clock),
      silent_streams_(limits.idle_timeout,
                      TooSlowError("the next message", "--idle-timeout",
                                   limits.idle_timeout),
                      clock),
      untaken_answers_(limits.upload_timeout,
                       absl::DeadlineExceededError(
                           "the client did not take the answer in time"),
                       clock) {}

Admission::Ticket Admission::Admit(int64_t bytes, Waiter* waiter) {
  Waiter* one_too_many = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (queue_.empty() && Fits(bytes)) {
      used_bytes_ += bytes + limits_.call_bytes;
      return Ticket(this, bytes);
    }
    waiter->wanted_bytes_ = bytes;
    waiter->since_ = clock_.now();
    queue_.PushBack(waiter);
    if (queue_.size() > limits_.most_waiting) {
      one_too_many = limits_.newest_first ? queue_.PopFront() : waiter;
      if (one_too_many == waiter) queue_.Remove(waiter);
    }
  }
  if (one_too_many != nullptr) {
    one_too_many->OnRefused(BusyError("too many calls wait for room"));
  }
  if (one_too_many != waiter) {
    clock_.wake_by(std::min(clock_.now() + limits_.wait, NextEviction()));
  }
  return Ticket();
}

bool Admission::Withdraw(Waiter* waiter) {
  bool withdrawn;
  {
    const std::lock_guard lock(mutex_);
    withdrawn = queue_.Remove(waiter);
  }
  if (withdrawn) Return(0);  // Those behind it may fit.
  return withdrawn;
}

absl::Status Admission::MayGoOn(const Pace& pace) {
  if (pace.waited() < patience()) return absl::OkStatus();
  {
    const std::lock_guard lock(mutex_);
    const absl::Duration ago = clock_.now() - refused_;
    const bool is_wanted =
        !queue_.empty() || ago < absl::Milliseconds(kMostRetryMillis);
    if (!is_wanted) return absl::OkStatus();
    refused_ = absl::InfinitePast();  // One stream's room for one caller.
  }
  return BusyError(
      "others wait for the room of this stream, whose client is "
      "slow");
}

absl::Time Admission::Tick() {
  absl::Time next = RefuseOverdue();
  while (IsAnyoneWaiting() && EvictOldest()) continue;
  if (IsAnyoneWaiting()) next = std::min(next, NextEviction());
  return std::min({next, undeclared_uploads_.Tick(), declared_uploads_.Tick(),
                   silent_streams_.Tick(), untaken_answers_.Tick()});
}

int64_t Admission::used_bytes() const {
  const std::lock_guard lock(mutex_);
  return used_bytes_;
}

bool Admission::TryGrow(int64_t more) {
  const std::lock_guard lock(mutex_);
  if (!Fits(more - overdraft_bytes())) return false;
  used_bytes_ += more;
  return true;
}

void Admission::Return(int64_t bytes) {
  while (Waiter* const waiter = PopFitting(bytes)) {
    waiter->OnAdmitted(Ticket(this, waiter->wanted_bytes_));
    bytes = 0;
  }
}

// Takes `returned` bytes back. The next in the queue if it fits now, its bytes
// taken; else null.
Admission::Waiter* Admission::PopFitting(int64_t returned) {
  const std::lock_guard lock(mutex_);
  used_bytes_ -= returned;
  if (queue_.empty()) return nullptr;
  Waiter& next = limits_.newest_first ? queue_.back() : queue_.front();
  if (!Fits(next.wanted_bytes_)) return nullptr;
  used_bytes_ += next.wanted_bytes_ + limits_.call_bytes;
  queue_.Remove(&next);
  return &next;
}

bool Admission::IsAnyoneWaiting() const {
  const std::lock_guard lock(mutex_);
  return !queue_.empty();
}

// The first in the queue if it has waited long enough; else null.
Admission::Waiter* Admission::PopOverdue() {
  const std::lock_guard lock(mutex_);
  if (queue_.empty()) return nullptr;
  const absl::Time now = clock_.now();
  if (now - queue_.front().since_ < limits_.wait) return nullptr;
  refused_ = now;
  return queue_.PopFront();
}

// Refuses those who have waited long enough; when the next one will have.
absl::Time Admission::RefuseOverdue() {
  while (Waiter* const waiter = PopOverdue()) {
    waiter->OnRefused(BusyError("no room for the message now"));
  }
  Return(0);  // Those behind them may fit.
  const std::lock_guard lock(mutex_);
  return queue_.empty() ? absl::InfiniteFuture()
                        : queue_.front().since_ + limits_.wait;
}

// Takes the room of one that has had it for long; false if there is none.
bool Admission::EvictOldest() {
  return undeclared_uploads_.EndOldest(
             limits_.upload_grace,
             BusyError("others wait for the room of this message, which takes "
                       "long; declare its size in reductor-message-bytes, or "
                       "send it by ReduceStream")) ||
         declared_uploads_.EndOldest(
             patience(),
             BusyError("others wait for the room of this message, which takes "
                       "long; send it by ReduceStream")) ||
         silent_streams_.EndOldest(
             patience(),
             BusyError("others wait for the room of this call, whose client "
                       "neither sends nor takes a message")) ||
         untaken_answers_.EndOldest(
             patience(), BusyError("others wait for the room of this answer"));
}

absl::Time Admission::NextEviction() const {
  const absl::Time patient =
      std::min({declared_uploads_.oldest(), silent_streams_.oldest(),
                untaken_answers_.oldest()}) +
      patience();
  return std::min(undeclared_uploads_.oldest() + limits_.upload_grace, patient);
}

absl::Duration Admission::patience() const {
  return kPatience * limits_.upload_grace;
}

absl::Status Admission::BusyError(absl::string_view what) {
  const std::lock_guard lock(mutex_);
  std::uniform_int_distribution<int> millis(kLeastRetryMillis,
                                            kMostRetryMillis);
  return reductor::BusyError(what, absl::Milliseconds(millis(random_)));
}

}  // namespace reductor
