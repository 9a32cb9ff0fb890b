// Headers without end cost a client its connection, and nobody else anything.
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/service/frames.h"
#include "tests/service/raw_connection.h"
#include "tests/service/running_server.h"
#include "tests/service/server_process.h"

namespace reductor {
namespace {

constexpr char kClosed[] =
    "connections closed: headers too long, or in too many pieces";

// The start of a header foo, whose value is said to have a billion bytes.
const std::string kEndless = {'\0',   '\x03', 'f',    'o',    'o',   '\x7f',
                              '\x81', '\x93', '\xeb', '\xdc', '\x03'};

class EndlessHeaders : public testing::Test {
 protected:
  bool Serves(const std::string& metadata = "short") {
    grpc::ClientContext context;
    context.AddMetadata("x-test", metadata);
    v1::ReduceResponse response;
    return stub_->Reduce(&context, SmallRequest(), &response).ok();
  }

  ServerProcess process_{{"--listen=127.0.0.1:0"}};
  const std::string address_ = process_.AwaitAddress();
  const std::unique_ptr<v1::ReductionService::Stub> stub_ =
      v1::ReductionService::NewStub(OwnChannel(address_));
  RawConnection stranger_{address_};
};

TEST_F(EndlessHeaders, AreCutOffWhileOthersAreServed) {
  ASSERT_TRUE(stranger_.Send(absl::StrCat(kPreface, Frame(kSettings, 0, "", 0),
                                          Frame(kSettings, kAck, "", 0),
                                          Frame(kHeaders, 0, kEndless))));
  const std::string more = Frame(kContinuation, 0, std::string(16384, 'a'));
  ASSERT_TRUE(stranger_.Send(more));
  EXPECT_TRUE(Serves());
  int sent = 0;
  while (sent < 4000 && stranger_.Send(more)) ++sent;
  EXPECT_LT(sent, 4000);
  EXPECT_TRUE(Serves());
  EXPECT_EQ(process_.AwaitLine(kClosed)["level"], "warning");
}

// Until then gRPC allows 16 MiB of metadata.
TEST_F(EndlessHeaders, AreCutOffBeforeTheSettingsAreAcknowledged) {
  std::string frames = absl::StrCat(kPreface, Frame(kSettings, 0, "", 0),
                                    Frame(kHeaders, 0, kEndless));
  for (int i = 0; i < 4; ++i) {
    frames += Frame(kContinuation, 0, std::string(16384, 'a'));
  }
  stranger_.Send(frames);
  stranger_.AwaitEnd();
  EXPECT_EQ(process_.AwaitLine(kClosed)["level"], "warning");
}

TEST_F(EndlessHeaders, AreCutOffWhereTheyAreOfManyEmptyFrames) {
  std::string frames =
      absl::StrCat(kPreface, Frame(kSettings, 0, "", 0),
                   Frame(kHeaders, 0, kEndless + std::string(7000, 'a')));
  for (int i = 0; i < 1000; ++i) frames += Frame(kContinuation, 0, "");
  stranger_.Send(frames);
  stranger_.AwaitEnd();
  EXPECT_EQ(process_.AwaitLine(kClosed)["level"], "warning");
}

TEST_F(EndlessHeaders, AreNotWhatIsBelowTheLimitOfMetadata) {
  EXPECT_TRUE(Serves(std::string(7000, 'a')));
}

}  // namespace
}  // namespace reductor
