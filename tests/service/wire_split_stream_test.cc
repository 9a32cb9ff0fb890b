// SplitStream(): what it takes from legal bytes and what it refuses.
#include <dlfcn.h>

#include <optional>
#include <string>

#include "gtest/gtest.h"
#include "service/status.h"
#include "service/wire.h"
#include "tests/service/wire_bytes.h"

namespace reductor {
namespace {

StreamPart SplitBytes(const std::string& bytes) {
  const auto split = SplitStream(ToByteBuffer(bytes, 7));
  EXPECT_TRUE(split.ok()) << split.status();
  return split.ok() ? *split : StreamPart();
}

std::string ReasonOfSplit(const std::string& bytes) {
  return ReasonOf(SplitStream(ToByteBuffer(bytes)).status());
}

// A header with data_type FLOAT32, and one with shape [2].
const std::string kTypeHeader = "\x0a\x02\x10\x01";
const std::string kShapeHeader = "\x0a\x03\x1a\x01\x02";
const std::string kData =
    "\x7a\x03"
    "abc";

TEST(SplitStream, TakesAHeader) {
  v1::ReduceStreamRequest request;
  request.mutable_header()->add_reductions()->set_operator_(
      v1::OPERATOR_REDUCE_L1);
  request.mutable_header()->set_data_type(v1::DATA_TYPE_INT8);
  request.mutable_header()->add_shape(300);
  const StreamPart part = SplitBytes(request.SerializeAsString());
  ASSERT_TRUE(part.header.has_value());
  EXPECT_EQ(part.header->SerializeAsString(),
            request.header().SerializeAsString());
  EXPECT_TRUE(part.data.empty());
}

TEST(SplitStream, TakesDataAndSharesItsMemory) {
  const std::string bytes = "\x7a\xd0\x0f" + std::string(2000, 'x');
  const grpc::ByteBuffer buffer = ToByteBuffer(bytes, 3000);
  std::vector<grpc::Slice> slices;
  ASSERT_TRUE(buffer.Dump(&slices).ok());
  const auto part = SplitStream(buffer);
  ASSERT_TRUE(part.ok());
  EXPECT_FALSE(part->header.has_value());
  ASSERT_EQ(part->data, std::string(2000, 'x'));
  EXPECT_EQ(static_cast<const void*>(part->data.TryFlat()->data()),
            slices[0].begin() + 3);
}

// Whether this thread is within a call of gRPC, by gRPC's own note of it;
// absent where a version has none.
std::optional<bool> IsWithinGrpc() {
  void* const* const note = static_cast<void**>(
      dlsym(RTLD_DEFAULT, "_ZN9grpc_core7ExecCtx9exec_ctx_E"));
  if (note == nullptr) return std::nullopt;
  return *note != nullptr;
}

TEST(SplitStream, GivesTheMemoryBackWithinACallOfGrpc) {
  if (!IsWithinGrpc().has_value()) GTEST_SKIP();
  std::string bytes = "\x7a\xd0\x0f" + std::string(2000, 'x');
  std::optional<bool> within;
  const auto note = [](void* result) {
    *static_cast<std::optional<bool>*>(result) = IsWithinGrpc();
  };
  std::optional<grpc::Slice> slice(std::in_place, bytes.data(), bytes.size(),
                                   note, &within);
  std::optional<grpc::ByteBuffer> message(std::in_place, &*slice, 1);
  std::optional<StreamPart> part = SplitStream(*message).value();
  slice.reset();
  message.reset();
  EXPECT_EQ(within, std::nullopt);
  part.reset();
  EXPECT_EQ(within, true);
}

TEST(SplitStream, TakesAnEmptyMessageForAPieceWithoutBytes) {
  const StreamPart part = SplitBytes("");
  EXPECT_FALSE(part.header.has_value());
  EXPECT_TRUE(part.data.empty());
}

TEST(SplitStream, MergesHeadersInARow) {
  const StreamPart part = SplitBytes(kTypeHeader + kShapeHeader);
  ASSERT_TRUE(part.header.has_value());
  EXPECT_EQ(part.header->data_type(), v1::DATA_TYPE_FLOAT32);
  EXPECT_EQ(part.header->shape_size(), 1);
}

TEST(SplitStream, LetsTheLastOfHeaderAndDataWin) {
  EXPECT_FALSE(SplitBytes(kTypeHeader + kData).header.has_value());
  EXPECT_EQ(SplitBytes(kTypeHeader + kData).data, "abc");
  EXPECT_TRUE(SplitBytes(kData + kTypeHeader).data.empty());
  const StreamPart part = SplitBytes(kTypeHeader + kData + kShapeHeader);
  ASSERT_TRUE(part.header.has_value());
  EXPECT_EQ(part.header->data_type(), v1::DATA_TYPE_UNSPECIFIED);
}

TEST(SplitStream, RefusesBytesThatAreNotTheMessage) {
  EXPECT_EQ(ReasonOfSplit("\x7a\x04"
                          "abc"),
            "MALFORMED_MESSAGE");
  EXPECT_EQ(ReasonOfSplit("\x0a\x02\x10"), "MALFORMED_MESSAGE");
  // Though the data that follows would replace it.
  EXPECT_EQ(ReasonOfSplit("\x0a\x01\x10" + kData), "MALFORMED_MESSAGE");
}

TEST(SplitStream, RefusesAHeaderAboveTheLimit) {
  v1::ReduceStreamRequest request;
  for (int i = 0; i < 70'000; ++i) request.mutable_header()->add_shape(1 << 30);
  EXPECT_EQ(ReasonOfSplit(request.SerializeAsString()), "MESSAGE_TOO_LARGE");
}

}  // namespace
}  // namespace reductor
