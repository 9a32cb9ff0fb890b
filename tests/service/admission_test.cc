// Room given out, waited for, taken back; the test's own time.
#include "service/admission.h"

#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "service/status.h"

namespace reductor {
namespace {

class FakeWaiter final : public Admission::Waiter {
 public:
  void OnAdmitted(Admission::Ticket admitted) override {
    ticket = std::move(admitted);
  }
  void OnRefused(const absl::Status& status) override { refusal = status; }

  Admission::Ticket ticket;
  absl::Status refusal;
};

class FakeUpload final : public TimeLimit::Call {
 public:
  explicit FakeUpload(Admission::Ticket room) : room_(std::move(room)) {}
  void OnEntered() override {}
  void OnTimeUp(const absl::Status& status) override {
    room_.Release();
    end = status;
  }

  absl::Status end;

 private:
  Admission::Ticket room_;
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

  // A call in the limit has its room for so long, and then loses it to a
  // waiter.
  void ExpectLeaves(TimeLimit* limit, absl::Duration time) {
    FakeUpload upload(AdmitNow(100));
    limit->Enter(&upload);
    Pass(time - absl::Seconds(5));
    FakeWaiter waiter;
    EXPECT_FALSE(admission_.Admit(50, &waiter));
    EXPECT_EQ(next_, now_ + absl::Seconds(5));
    Pass(absl::Seconds(4));
    EXPECT_TRUE(upload.end.ok());
    Pass(absl::Seconds(1));
    EXPECT_EQ(ReasonOf(upload.end), "BUSY");
    EXPECT_TRUE(waiter.ticket);
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

TEST_F(AdmissionTest, GivesATicketUpToTheBudget) {
  {
    const Admission::Ticket some = AdmitNow(60);
    const Admission::Ticket rest = AdmitNow(40);
    EXPECT_EQ(rest.bytes(), 40);
    EXPECT_EQ(admission_.used_bytes(), 100);
  }
  EXPECT_EQ(admission_.used_bytes(), 0);
}

TEST_F(AdmissionTest, CountsWhatTheCallsThemselvesTake) {
  Admission admission(
      {.budget_bytes = 100, .call_bytes = 10, .wait = absl::Seconds(10)},
      {.now = absl::UnixEpoch, .wake_by = [](absl::Time) {}});
  FakeWaiter waiter;
  Admission::Ticket first = admission.Admit(0, &waiter);
  EXPECT_EQ(admission.used_bytes(), 10);
  EXPECT_FALSE(admission.Admit(100, &waiter));
  first.Release();
  EXPECT_EQ(waiter.ticket.bytes(), 100);
  EXPECT_EQ(admission.used_bytes(), 110);
  waiter.ticket.Release();
  EXPECT_EQ(admission.used_bytes(), 0);
}

TEST_F(AdmissionTest, CountsAMovedTicketOnce) {
  Admission::Ticket ticket = AdmitNow(60);
  Admission::Ticket moved = std::move(ticket);
  EXPECT_FALSE(ticket);
  EXPECT_EQ(admission_.used_bytes(), 60);
  moved = AdmitNow(10);
  EXPECT_EQ(admission_.used_bytes(), 10);
}

TEST_F(AdmissionTest, AdmitsAWaiterWhenThereIsRoom) {
  Admission::Ticket ticket = AdmitNow(60);
  FakeWaiter waiter;
  EXPECT_FALSE(admission_.Admit(50, &waiter));
  EXPECT_FALSE(waiter.ticket);
  ticket.Release();
  EXPECT_EQ(waiter.ticket.bytes(), 50);
}

TEST_F(AdmissionTest, AdmitsInTheOrderOfComing) {
  Admission::Ticket ticket = AdmitNow(60);
  FakeWaiter large;
  FakeWaiter small;
  EXPECT_FALSE(admission_.Admit(100, &large));
  EXPECT_FALSE(admission_.Admit(1, &small));
  EXPECT_FALSE(small.ticket);
  ticket.Release();
  EXPECT_TRUE(large.ticket);
  EXPECT_FALSE(small.ticket);
  large.ticket.Release();
  EXPECT_TRUE(small.ticket);
}

TEST_F(AdmissionTest, RefusesAWaiterWhenItHasWaitedLongEnough) {
  const Admission::Ticket ticket = AdmitNow(60);
  FakeWaiter waiter;
  EXPECT_FALSE(admission_.Admit(50, &waiter));
  EXPECT_EQ(next_, now_ + absl::Seconds(10));
  Pass(absl::Seconds(9));
  EXPECT_TRUE(waiter.refusal.ok());
  EXPECT_EQ(next_, now_ + absl::Seconds(1));
  Pass(absl::Seconds(1));
  EXPECT_EQ(ReasonOf(waiter.refusal), "BUSY");
  EXPECT_GE(RetryDelayOf(waiter.refusal), absl::Milliseconds(100));
  EXPECT_LE(RetryDelayOf(waiter.refusal), absl::Milliseconds(300));
}

TEST_F(AdmissionTest, AdmitsTheNextWhenTheFirstIsRefused) {
  const Admission::Ticket ticket = AdmitNow(60);
  FakeWaiter large;
  EXPECT_FALSE(admission_.Admit(50, &large));
  now_ += absl::Seconds(5);
  FakeWaiter small;
  EXPECT_FALSE(admission_.Admit(40, &small));
  Pass(absl::Seconds(5));
  EXPECT_FALSE(large.refusal.ok());
  EXPECT_TRUE(small.ticket);
}

TEST_F(AdmissionTest, AdmitsTheNextWhenTheFirstWithdraws) {
  const Admission::Ticket ticket = AdmitNow(60);
  FakeWaiter large;
  FakeWaiter small;
  EXPECT_FALSE(admission_.Admit(50, &large));
  EXPECT_FALSE(admission_.Admit(40, &small));
  EXPECT_TRUE(admission_.Withdraw(&large));
  EXPECT_FALSE(large.ticket);
  EXPECT_TRUE(small.ticket);
  EXPECT_FALSE(admission_.Withdraw(&small));
}

TEST_F(AdmissionTest, GrowsATicketBeforeThoseWhoWait) {
  Admission::Ticket ticket = AdmitNow(60);
  FakeWaiter waiter;
  EXPECT_FALSE(admission_.Admit(50, &waiter));
  EXPECT_TRUE(ticket.Grow(40).ok());
  EXPECT_EQ(admission_.used_bytes(), 100);
}

TEST_F(AdmissionTest, LetsResultsOverdrawTheBudgetByASixteenth) {
  Admission::Ticket ticket = AdmitNow(60);
  const Admission::Ticket other = AdmitNow(40);
  EXPECT_TRUE(ticket.Grow(6).ok());
  EXPECT_EQ(ReasonOf(ticket.Grow(1)), "BUSY");
  EXPECT_EQ(ticket.bytes(), 66);
}

TEST_F(AdmissionTest, TellsWhatATicketCouldEverGrowBy) {
  const Admission::Ticket ticket = AdmitNow(60);
  const Admission::Ticket other = AdmitNow(40);
  EXPECT_EQ(ticket.headroom(), 40);
}

TEST_F(AdmissionTest, AdmitsAWaiterIntoTheRoomThatATicketDoesNotNeed) {
  Admission::Ticket ticket = AdmitNow(100);
  FakeWaiter waiter;
  EXPECT_FALSE(admission_.Admit(50, &waiter));
  ticket.Resize(10);
  EXPECT_TRUE(waiter.ticket);
  EXPECT_EQ(admission_.used_bytes(), 60);
}

TEST_F(AdmissionTest, ResizesToWhatIsThereWhateverTheBudget) {
  Admission::Ticket ticket = AdmitNow(60);
  ticket.Resize(200);
  EXPECT_EQ(admission_.used_bytes(), 200);
}

TEST_F(AdmissionTest, EndsTheOldestSlowUploadForAWaiter) {
  FakeUpload first(AdmitNow(50));
  FakeUpload second(AdmitNow(50));
  admission_.undeclared_uploads().Enter(&first);
  admission_.undeclared_uploads().Enter(&second);
  Pass(absl::Minutes(1));
  EXPECT_TRUE(first.end.ok());  // Nobody waits.
  FakeWaiter waiter;
  EXPECT_FALSE(admission_.Admit(50, &waiter));
  EXPECT_EQ(next_, now_);
  Pass(absl::ZeroDuration());
  EXPECT_EQ(ReasonOf(first.end), "BUSY");
  EXPECT_TRUE(waiter.ticket);
  EXPECT_TRUE(second.end.ok());
}

TEST_F(AdmissionTest, LeavesUploadsTheirGrace) {
  ExpectLeaves(&admission_.undeclared_uploads(), absl::Minutes(1));
}

TEST_F(AdmissionTest, LeavesAllOthersTenTimesTheGrace) {
  for (TimeLimit* const limit :
       {&admission_.declared_uploads(), &admission_.silent_streams(),
        &admission_.untaken_answers()}) {
    ExpectLeaves(limit, absl::Minutes(10));
  }
}

TEST_F(AdmissionTest, EndsUndeclaredUploadsFirst) {
  FakeUpload declared(AdmitNow(50));
  admission_.declared_uploads().Enter(&declared);
  FakeUpload undeclared(AdmitNow(50));
  admission_.undeclared_uploads().Enter(&undeclared);
  Pass(absl::Minutes(10));
  FakeWaiter waiter;
  EXPECT_FALSE(admission_.Admit(50, &waiter));
  Pass(absl::ZeroDuration());
  EXPECT_FALSE(undeclared.end.ok());
  EXPECT_TRUE(declared.end.ok());
}

}  // namespace
}  // namespace reductor
