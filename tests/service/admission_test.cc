// Room given out, waited for, taken back.
#include "service/admission.h"

#include "gtest/gtest.h"
#include "service/status.h"
#include "tests/service/admission_fixture.h"

namespace reductor {
namespace {

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
      {.budget_bytes = 160, .call_bytes = 10, .wait = absl::Seconds(10)},
      {.now = absl::UnixEpoch, .wake_by = [](absl::Time) {}});
  FakeWaiter waiter;
  Admission::Ticket first = admission.Admit(0, &waiter);
  EXPECT_EQ(admission.used_bytes(), 10);
  EXPECT_FALSE(admission.Admit(160, &waiter));
  first.Release();
  EXPECT_EQ(waiter.ticket.bytes(), 160);
  EXPECT_EQ(admission.used_bytes(), 170);
  waiter.ticket.Release();
  EXPECT_EQ(admission.used_bytes(), 0);
}

TEST_F(AdmissionTest, LetsNoMoreCallsWaitThanItMay) {
  Admission admission(
      {.budget_bytes = 320, .most_waiting = 2, .wait = absl::Seconds(10)},
      {.now = absl::UnixEpoch, .wake_by = [](absl::Time) {}});
  FakeWaiter waiters[3];
  Admission::Ticket all = admission.Admit(320, &waiters[0]);
  for (FakeWaiter& waiter : waiters) EXPECT_FALSE(admission.Admit(1, &waiter));
  EXPECT_TRUE(waiters[1].refusal.ok());
  EXPECT_EQ(ReasonOf(waiters[2].refusal), "BUSY");
  EXPECT_TRUE(RetryDelayOf(waiters[2].refusal).has_value());
  // It never waited.
  EXPECT_FALSE(admission.Withdraw(&waiters[2]));
  // Whoever ends waiting makes a place.
  EXPECT_TRUE(admission.Withdraw(&waiters[0]));
  EXPECT_FALSE(admission.Admit(1, &waiters[0]));
  EXPECT_TRUE(waiters[0].refusal.ok());
  all.Release();
  EXPECT_TRUE(waiters[0].ticket);
  EXPECT_TRUE(waiters[1].ticket);
}

TEST_F(AdmissionTest, RefusesTheOldestOfTooManyWhereTheNewestIsFirst) {
  Admission admission({.budget_bytes = 1,
                       .most_waiting = 2,
                       .wait = absl::Seconds(10),
                       .newest_first = true},
                      {.now = absl::UnixEpoch, .wake_by = [](absl::Time) {}});
  FakeWaiter waiters[3];
  Admission::Ticket all = admission.Admit(1, &waiters[0]);
  for (FakeWaiter& waiter : waiters) EXPECT_FALSE(admission.Admit(1, &waiter));
  EXPECT_EQ(ReasonOf(waiters[0].refusal), "BUSY");
  EXPECT_TRUE(waiters[1].refusal.ok());
  all.Release();
  EXPECT_TRUE(waiters[2].ticket);
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

TEST_F(AdmissionTest, AdmitsTheNewestFirstWhereThatIsTheRule) {
  Admission admission(
      {.budget_bytes = 1, .wait = absl::Seconds(10), .newest_first = true},
      {.now = absl::UnixEpoch, .wake_by = [](absl::Time) {}});
  FakeWaiter waiters[3];
  Admission::Ticket first = admission.Admit(1, &waiters[0]);
  EXPECT_FALSE(admission.Admit(1, &waiters[1]));
  EXPECT_FALSE(admission.Admit(1, &waiters[2]));
  first.Release();
  EXPECT_TRUE(waiters[2].ticket);
  EXPECT_FALSE(waiters[1].ticket);
  waiters[2].ticket.Release();
  EXPECT_TRUE(waiters[1].ticket);
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
  FakeWaiter waiter;  // Until the ticket's end, which admits it.
  Admission::Ticket ticket = AdmitNow(60);
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

}  // namespace
}  // namespace reductor
