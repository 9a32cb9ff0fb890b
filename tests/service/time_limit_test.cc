// Who is late, in what order, and who may still leave.
#include "service/time_limit.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reductor {
namespace {

class FakeCall final : public TimeLimit::Call {
 public:
  void OnEntered() override { started = true; }
  void OnTimeUp(const absl::Status& why) override { end = why; }
  bool Hasten(const absl::Status& why) override {
    if (ends_by_itself) hastened = why;
    return ends_by_itself;
  }

  bool started = false;
  bool ends_by_itself = false;
  absl::Status end;
  absl::Status hastened;
};

// One minute.
class TimeLimitTest : public testing::Test {
 protected:
  absl::Time Pass(absl::Duration time) {
    now_ += time;
    return limit_.Tick();
  }

  absl::Time now_ = absl::UnixEpoch();
  absl::Time next_ = absl::InfiniteFuture();
  TimeLimit limit_{
      absl::Minutes(1),
      absl::DeadlineExceededError("late"),
      {.now = [this] { return now_; },
       .wake_by = [this](absl::Time time) { next_ = std::min(next_, time); }}};
};

TEST_F(TimeLimitTest, StartsACallThatEnters) {
  FakeCall call;
  limit_.Enter(&call);
  EXPECT_TRUE(call.started);
  EXPECT_EQ(next_, now_ + absl::Minutes(1));
  EXPECT_EQ(limit_.oldest(), now_);
}

TEST_F(TimeLimitTest, EndsACallWhenItsTimeIsUp) {
  FakeCall call;
  limit_.Enter(&call);
  const absl::Time late = now_ + absl::Minutes(1);
  EXPECT_EQ(Pass(absl::Seconds(59)), late);
  EXPECT_TRUE(call.end.ok());
  EXPECT_EQ(Pass(absl::Seconds(1)), absl::InfiniteFuture());
  EXPECT_EQ(call.end.message(), "late");
  EXPECT_FALSE(limit_.Leave(&call));
}

TEST_F(TimeLimitTest, HastensACallThatEndsByItself) {
  FakeCall call;
  call.ends_by_itself = true;
  limit_.Enter(&call);
  Pass(absl::Minutes(1));
  EXPECT_EQ(call.hastened.message(), "late");
  EXPECT_TRUE(call.end.ok());
  EXPECT_FALSE(limit_.Leave(&call));
}

TEST_F(TimeLimitTest, LetsACallLeaveInTime) {
  FakeCall first;
  FakeCall middle;
  FakeCall last;
  for (FakeCall* const call : {&first, &middle, &last}) limit_.Enter(call);
  EXPECT_TRUE(limit_.Leave(&middle));
  EXPECT_FALSE(limit_.Leave(&middle));
  EXPECT_TRUE(limit_.Leave(&first));
  Pass(absl::Minutes(1));
  EXPECT_TRUE(first.end.ok());
  EXPECT_TRUE(middle.end.ok());
  EXPECT_FALSE(last.end.ok());
}

TEST_F(TimeLimitTest, GivesACallThatEntersAgainItsTimeAnew) {
  FakeCall call;
  limit_.Enter(&call);
  Pass(absl::Seconds(40));
  EXPECT_TRUE(limit_.Leave(&call));
  limit_.Enter(&call);
  Pass(absl::Seconds(40));
  EXPECT_TRUE(call.end.ok());
  EXPECT_TRUE(limit_.Leave(&call));
}

TEST_F(TimeLimitTest, EndsTheOldestThatHasBeenInForLongEnough) {
  FakeCall first;
  FakeCall second;
  limit_.Enter(&first);
  now_ += absl::Seconds(5);
  limit_.Enter(&second);
  now_ += absl::Seconds(5);
  const absl::Status why = absl::ResourceExhaustedError("want of room");
  EXPECT_TRUE(limit_.EndOldest(absl::Seconds(10), why));
  EXPECT_EQ(first.end, why);
  EXPECT_FALSE(limit_.EndOldest(absl::Seconds(10), why));
  EXPECT_TRUE(second.end.ok());
  EXPECT_TRUE(limit_.Leave(&second));
}

TEST_F(TimeLimitTest, HasNoOldestWhenNobodyIsIn) {
  EXPECT_EQ(limit_.oldest(), absl::InfiniteFuture());
  EXPECT_EQ(limit_.Tick(), absl::InfiniteFuture());
}

}  // namespace
}  // namespace reductor
