// Counting calls, refusing new ones, waiting for the last.
#include "service/calls.h"

#include <thread>
#include <utility>

#include "gtest/gtest.h"

namespace reductor {
namespace {

TEST(Calls, CountsATicketWhileItLives) {
  Calls calls;
  {
    const Calls::Ticket ticket = calls.Admit();
    EXPECT_TRUE(ticket);
    EXPECT_EQ(calls.counts().in_flight, 1);
  }
  EXPECT_EQ(calls.counts().in_flight, 0);
  EXPECT_EQ(calls.counts().admitted, 1);
}

TEST(Calls, CountsAMovedTicketOnce) {
  Calls calls;
  {
    Calls::Ticket ticket = calls.Admit();
    const Calls::Ticket moved = std::move(ticket);
    EXPECT_EQ(calls.counts().in_flight, 1);
  }
  EXPECT_EQ(calls.counts().in_flight, 0);
}

TEST(Calls, AdmitsNoneOnceRefusing) {
  Calls calls;
  calls.RefuseNew();
  EXPECT_FALSE(calls.Admit());
  EXPECT_EQ(calls.counts().admitted, 0);
}

TEST(Calls, WaitsForTheLastCall) {
  Calls calls;
  std::thread last([ticket = calls.Admit()]() mutable {
    const Calls::Ticket done = std::move(ticket);
  });
  EXPECT_TRUE(calls.WaitUntilNone(absl::Hours(1)));
  last.join();
}

TEST(Calls, GivesUpWaitingAfterTheTimeout) {
  Calls calls;
  const Calls::Ticket ticket = calls.Admit();
  EXPECT_FALSE(calls.WaitUntilNone(absl::ZeroDuration()));
}

}  // namespace
}  // namespace reductor
