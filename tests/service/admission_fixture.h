// An admission in the test's own time, and who waits in it.
#ifndef REDUCTOR_TESTS_SERVICE_ADMISSION_FIXTURE_H_
#define REDUCTOR_TESTS_SERVICE_ADMISSION_FIXTURE_H_

#include <algorithm>
#include <utility>

#include "gtest/gtest.h"
#include "service/admission.h"

namespace reductor {

class FakeWaiter final : public Admission::Waiter {
 public:
  void OnAdmitted(Admission::Ticket admitted) override {
    ticket = std::move(admitted);
  }
  void OnRefused(const absl::Status& status) override { refusal = status; }

  Admission::Ticket ticket;
  absl::Status refusal;
};

// 100 bytes, ten seconds of waiting, one minute of grace.
class AdmissionTest : public testing::Test {
 protected:
  void Pass(absl::Duration time) {
    now_ += time;
    next_ = admission_.Tick();
  }

  Admission::Ticket AdmitNow(int64_t bytes) {
    FakeWaiter nobody;
    Admission::Ticket ticket = admission_.Admit(bytes, &nobody);
    EXPECT_TRUE(ticket) << bytes;
    return ticket;
  }

  absl::Time now_ = absl::UnixEpoch();
  absl::Time next_ = absl::InfiniteFuture();
  Admission admission_{
      {.budget_bytes = 100,
       .wait = absl::Seconds(10),
       .upload_grace = absl::Minutes(1),
       .upload_timeout = absl::Hours(1),
       .idle_timeout = absl::Hours(1)},
      {.now = [this] { return now_; },
       .wake_by = [this](absl::Time time) { next_ = std::min(next_, time); }}};
};

}  // namespace reductor

#endif  // REDUCTOR_TESTS_SERVICE_ADMISSION_FIXTURE_H_
