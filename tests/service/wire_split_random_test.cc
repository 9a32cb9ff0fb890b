// Split() and SplitStream() against protobuf's own parser, on random damage to
// valid messages: both accept the same bytes and read the same from them.
#include <random>
#include <string>

#include "gtest/gtest.h"
#include "service/wire.h"
#include "tests/service/damage.h"
#include "tests/service/wire_bytes.h"

namespace reductor {
namespace {

constexpr int kRounds = 200'000;

TEST(SplitRandom, AgreesWithProtobufOnDamagedRequests) {
  const unsigned seed = std::random_device()();
  Damage damage(seed);
  int accepted = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::string bytes = damage.Request().SerializeAsString();
    for (int i = damage.UpTo(4); i > 0; --i) damage.Apply(&bytes);
    v1::ReduceRequest parsed;
    const bool acceptable = parsed.ParseFromString(bytes);
    auto split = Split(ToByteBuffer(bytes, 1 + damage.UpTo(30)));
    ASSERT_EQ(split.ok(), acceptable)
        << "seed " << seed << ": " << testing::PrintToString(bytes);
    if (!acceptable) continue;
    ++accepted;
    const bool had_tensor = parsed.has_tensor();
    // A field of a known number and a strange type may be kept as unknown.
    parsed.DiscardUnknownFields();
    split->message.DiscardUnknownFields();
    ASSERT_EQ(split->message.has_tensor(), had_tensor);
    const std::string data = parsed.tensor().data();
    if (had_tensor) parsed.mutable_tensor()->clear_data();
    ASSERT_EQ(split->message.SerializeAsString(), parsed.SerializeAsString())
        << "seed " << seed << ": " << testing::PrintToString(bytes);
    ASSERT_EQ(split->data, data)
        << "seed " << seed << ": " << testing::PrintToString(bytes);
  }
  // Neither all nor none: the damage tests both answers.
  EXPECT_GT(accepted, kRounds / 10);
  EXPECT_LT(accepted, kRounds * 9 / 10);
}

TEST(SplitRandom, AgreesWithProtobufOnDamagedMessagesOfStreams) {
  const unsigned seed = std::random_device()();
  Damage damage(seed);
  int accepted = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::string bytes = damage.StreamRequest().SerializeAsString();
    // Fields of several messages in one: the last of a oneof wins.
    if (damage.UpTo(2) == 0)
      bytes += damage.StreamRequest().SerializeAsString();
    for (int i = damage.UpTo(4); i > 0; --i) damage.Apply(&bytes);
    v1::ReduceStreamRequest parsed;
    const bool acceptable = parsed.ParseFromString(bytes);
    auto split = SplitStream(ToByteBuffer(bytes, 1 + damage.UpTo(30)));
    ASSERT_EQ(split.ok(), acceptable)
        << "seed " << seed << ": " << testing::PrintToString(bytes);
    if (!acceptable) continue;
    ++accepted;
    ASSERT_EQ(split->header.has_value(), parsed.has_header())
        << "seed " << seed << ": " << testing::PrintToString(bytes);
    ASSERT_EQ(split->data, parsed.data())
        << "seed " << seed << ": " << testing::PrintToString(bytes);
    if (!parsed.has_header()) continue;
    ASSERT_EQ(split->header->SerializeAsString(),
              parsed.header().SerializeAsString())
        << "seed " << seed << ": " << testing::PrintToString(bytes);
  }
  EXPECT_GT(accepted, kRounds / 10);
  EXPECT_LT(accepted, kRounds * 9 / 10);
}

}  // namespace
}  // namespace reductor
