// Who loses its room to those who wait, and when.
#include <utility>

#include "gtest/gtest.h"
#include "service/admission.h"
#include "service/pace.h"
#include "service/status.h"
#include "tests/service/admission_fixture.h"

namespace reductor {
namespace {

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

class Eviction : public AdmissionTest {
 protected:
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
};

TEST_F(Eviction, EndsTheOldestSlowUploadForAWaiter) {
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

TEST_F(Eviction, LeavesUploadsTheirGrace) {
  ExpectLeaves(&admission_.undeclared_uploads(), absl::Minutes(1));
}

TEST_F(Eviction, LeavesAllOthersTenTimesTheGrace) {
  for (TimeLimit* const limit :
       {&admission_.declared_uploads(), &admission_.silent_streams(),
        &admission_.untaken_answers()}) {
    ExpectLeaves(limit, absl::Minutes(10));
  }
}

TEST_F(Eviction, EndsUndeclaredUploadsFirst) {
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

TEST_F(Eviction, TakesTheRoomOfASlowStreamForThoseWhoWait) {
  FakeWaiter waiter;  // Until the end of the room, which admits it.
  const Admission::Ticket room = AdmitNow(100);
  Pace pace(10);
  pace.Note(absl::Minutes(9), 9);
  EXPECT_FALSE(admission_.Admit(50, &waiter));
  EXPECT_TRUE(admission_.MayGoOn(pace).ok());
  pace.Note(absl::Minutes(1), 0);
  EXPECT_EQ(ReasonOf(admission_.MayGoOn(pace)), "BUSY");
}

TEST_F(Eviction, LeavesAStreamItsRoomThatBringsWhatItIsAskedFor) {
  FakeWaiter waiter;  // Until the end of the room, which admits it.
  const Admission::Ticket room = AdmitNow(100);
  EXPECT_FALSE(admission_.Admit(50, &waiter));
  Pace pace(10);
  for (int i = 0; i < 3; ++i) {
    pace.Note(absl::Minutes(9), 5);
    EXPECT_TRUE(admission_.MayGoOn(pace).ok());
    pace.Note(absl::Minutes(9), 5);
    EXPECT_TRUE(admission_.MayGoOn(pace).ok());
  }
}

TEST_F(Eviction, LeavesASlowStreamItsRoomWhileNobodyWantsIt) {
  const Admission::Ticket room = AdmitNow(100);
  Pace pace(10);
  pace.Note(absl::Hours(1), 1);
  EXPECT_TRUE(admission_.MayGoOn(pace).ok());
  FakeWaiter waiter;
  EXPECT_FALSE(admission_.Admit(50, &waiter));
  Pass(absl::Seconds(10));
  EXPECT_FALSE(waiter.refusal.ok());
  EXPECT_FALSE(admission_.MayGoOn(pace).ok());  // It may come back.
  Pass(absl::Seconds(1));
  EXPECT_TRUE(admission_.MayGoOn(pace).ok());
}

}  // namespace
}  // namespace reductor
