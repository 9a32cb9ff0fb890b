#include "service/header_blocks.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/service/frames.h"

namespace reductor {
namespace {

constexpr uint32_t kFrameHeaderBytes = 9;

// Whether the connection is still allowed after these.
bool Follow(const std::string& bytes, HeaderBlocks* blocks) {
  blocks->Follow(
      {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  return !blocks->is_refused();
}

// The answer to all of them at once.
bool Allows(const std::string& bytes) {
  HeaderBlocks blocks;
  return Follow(bytes, &blocks);
}

// How many bytes are taken before one is refused, when they come in pieces.
size_t AllowedBytes(const std::string& bytes, size_t piece) {
  HeaderBlocks blocks;
  for (size_t begin = 0; begin < bytes.size(); begin += piece) {
    if (!Follow(bytes.substr(begin, piece), &blocks)) return begin;
  }
  return bytes.size();
}

std::string Connection(const std::string& frames) {
  return absl::StrCat(kPreface, Frame(kSettings, 0, "", 0), frames);
}

// A block of `bytes`, its frames' headers among them, in frames as long as a
// server allows at first.
std::string Block(uint32_t bytes) {
  constexpr uint32_t kLongest = 16384 + kFrameHeaderBytes;
  std::string block;
  while (bytes > 0) {
    const uint32_t frame = std::min(bytes, kLongest);
    bytes -= frame;
    absl::StrAppend(&block, Frame(block.empty() ? kHeaders : kContinuation,
                                  bytes == 0 ? kEndHeaders : 0,
                                  std::string(frame - kFrameHeaderBytes, 'a')));
  }
  return block;
}

TEST(HeaderBlocks, AllowABlockOfTheLimit) {
  EXPECT_TRUE(Allows(Connection(Block(kMostBlockBytes))));
}

TEST(HeaderBlocks, RefuseABlockAboveTheLimit) {
  EXPECT_FALSE(Allows(Connection(Block(kMostBlockBytes + 1))));
}

TEST(HeaderBlocks, RefuseOneFrameAboveTheLimit) {
  EXPECT_TRUE(Allows(Connection(
      FrameHeader(kHeaders, 0, kMostBlockBytes - kFrameHeaderBytes))));
  EXPECT_FALSE(Allows(Connection(
      FrameHeader(kHeaders, 0, kMostBlockBytes - kFrameHeaderBytes + 1))));
}

TEST(HeaderBlocks, RefuseAContinuationBeforeItsPayloadHasCome) {
  const std::string first =
      Connection(Frame(kHeaders, 0, std::string(16384, 'a')));
  EXPECT_TRUE(Allows(first + FrameHeader(kContinuation, 0, 40000)));
  EXPECT_FALSE(Allows(first + FrameHeader(kContinuation, 0, 50000)));
}

TEST(HeaderBlocks, StayRefused) {
  HeaderBlocks blocks;
  EXPECT_FALSE(Follow(Connection(FrameHeader(kHeaders, 0, 1 << 20)), &blocks));
  EXPECT_FALSE(Follow(Frame(kPing, 0, "12345678", 0), &blocks));
}

TEST(HeaderBlocks, AreCountedOneByOne) {
  std::string frames;
  for (int i = 0; i < 10; ++i) {
    absl::StrAppend(&frames, Block(kMostBlockBytes),
                    Frame(kData, 0, std::string(100, 'd')));
  }
  EXPECT_TRUE(Allows(Connection(frames)));
}

TEST(HeaderBlocks, AreFoundHoweverTheBytesAreCut) {
  // The last frame is refused by its header.
  const std::string bytes = Connection(absl::StrCat(
      Frame(kHeaders, kEndHeaders, "short"),
      Frame(kData, 0, std::string(100, 'd')), Frame(kHeaders, 0, "start"),
      FrameHeader(kContinuation, 0, 1 << 16)));
  for (size_t piece = 1; piece < bytes.size(); ++piece) {
    EXPECT_EQ(AllowedBytes(bytes, piece), (bytes.size() - 1) / piece * piece)
        << piece;
  }
}

TEST(HeaderBlocks, AreNotSeenInThePayloadOfOtherFrames) {
  const std::string block = Block(kMostBlockBytes + 1);
  EXPECT_TRUE(Allows(Connection(Frame(kData, 0, block))));
  EXPECT_TRUE(Allows(Connection(Frame(kPing, 0, block))));
}

TEST(HeaderBlocks, AreFoundBehindTheLongestOfOtherFrames) {
  constexpr uint32_t kLongest = (1 << 24) - 1;
  HeaderBlocks blocks;
  ASSERT_TRUE(Follow(Connection(FrameHeader(kData, 0, kLongest)), &blocks));
  ASSERT_TRUE(Follow(std::string(kLongest - 1, '\xff'), &blocks));
  EXPECT_FALSE(Follow("\xff" + FrameHeader(kHeaders, 0, 1 << 20), &blocks));
}

TEST(HeaderBlocks, AreOfNoInterestWhereTheProtocolIsAnother) {
  const std::string frames = Frame(kHeaders, 0, std::string(1 << 20, 'a'));
  EXPECT_TRUE(Allows("GET / HTTP/1.1\r\n\r\n" + frames));
  EXPECT_TRUE(Allows(frames));
  // To its last byte it is like HTTP/2.
  EXPECT_TRUE(Allows("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\r" + frames));
}

// gRPC parses what it has of a block with each piece that comes.
TEST(HeaderBlocks, MayComeInPiecesOfPackets) {
  const std::string bytes = Connection(Block(kMostBlockBytes));
  EXPECT_EQ(AllowedBytes(bytes, 1460), bytes.size());
  std::string short_ones = Connection("");
  for (int i = 0; i < 1000; ++i) short_ones += Block(8 << 10);
  EXPECT_EQ(AllowedBytes(short_ones, 1460), short_ones.size());
  const std::string shortest = Connection(Block(200) + Block(200));
  EXPECT_EQ(AllowedBytes(shortest, 1), shortest.size());
}

TEST(HeaderBlocks, MayNotComeInPiecesOfAByte) {
  EXPECT_LT(AllowedBytes(Connection(Block(16 << 10)), 1), 4u << 10);
}

TEST(HeaderBlocks, MayNotGoOnInEmptyFrames) {
  const std::string first =
      Connection(Frame(kHeaders, 0, std::string(7000, 'a')));
  std::string frames;
  for (int i = 0; i < 200; ++i) frames += Frame(kContinuation, 0, "");
  EXPECT_TRUE(Allows(first + frames));
  EXPECT_FALSE(Allows(first + frames + frames));
}

TEST(HeaderBlocks, MayNotComeInManyEmptyFramesOverAndOver) {
  std::string block = Frame(kHeaders, 0, std::string(7000, 'a'));
  for (int i = 0; i < 100; ++i) block += Frame(kContinuation, 0, "");
  block += Frame(kContinuation, kEndHeaders, "");
  EXPECT_TRUE(Allows(Connection(block + block)));
  EXPECT_FALSE(Allows(Connection(block + block + block + block)));
}

}  // namespace
}  // namespace reductor
