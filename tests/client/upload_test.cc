#include "client/upload.h"

#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "reductor/v1/reductor.pb.h"

namespace reductor {
namespace {

// Bytes of which no two neighbours are equal.
std::string Bytes(int64_t count) {
  std::string bytes(count, '\0');
  for (int64_t i = 0; i < count; ++i) bytes[i] = static_cast<char>(i % 251);
  return bytes;
}

// Answers the pieces one after the other, then an empty one.
PieceSource SourceOf(std::vector<std::string> pieces) {
  return [pieces = std::move(pieces),
          next = size_t{0}]() mutable -> absl::StatusOr<absl::Cord> {
    if (next == pieces.size()) return absl::Cord();
    return absl::Cord(pieces[next++]);
  };
}

TEST(Upload, CutsWhatTheSourceGivesIntoPiecesOfOneSize) {
  const PieceSource source = SourceOf({"ab", "cdefghi", "j"});
  Upload upload(source, 10, 4);
  EXPECT_EQ(upload.Next().value(), "abcd");
  EXPECT_EQ(upload.Next().value(), "efgh");
  EXPECT_FALSE(upload.is_done());
  EXPECT_EQ(upload.Next().value(), "ij");
  EXPECT_TRUE(upload.is_done());
}

TEST(Upload, IsDoneWithATensorWithoutBytes) {
  const PieceSource source = SourceOf({});
  EXPECT_TRUE(Upload(source, 0, 4).is_done());
}

TEST(Upload, RefusesASourceThatEndsEarly) {
  const PieceSource source = SourceOf({"abc"});
  EXPECT_EQ(Upload(source, 4, 4).Next().status(),
            absl::InvalidArgumentError(
                "the source ended after 3 of the tensor's 4 bytes"));
}

TEST(Upload, RefusesASourceThatHasTooMuch) {
  const PieceSource source = SourceOf({"abcde"});
  EXPECT_EQ(Upload(source, 4, 4).Next().status(),
            absl::InvalidArgumentError(
                "the source has more than the tensor's 4 bytes"));
}

TEST(Upload, HandsTheErrorOfTheSourceOn) {
  const PieceSource source = [] { return absl::DataLossError("torn"); };
  EXPECT_EQ(Upload(source, 4, 4).Next().status(), absl::DataLossError("torn"));
}

std::string Joined(const grpc::ByteBuffer& message) {
  std::vector<grpc::Slice> slices;
  message.Dump(&slices).ok();
  std::string bytes;
  for (const grpc::Slice& slice : slices) {
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  return bytes;
}

TEST(PieceMessage, IsTheRequestThatProtobufWrites) {
  for (const int64_t size : {1, 15, 16, 127, 128, 256, 257, 1 << 20}) {
    const std::string data = Bytes(size);
    v1::ReduceStreamRequest request;
    request.set_data(data);
    EXPECT_EQ(Joined(PieceMessage(absl::Cord(data))),
              request.SerializeAsString())
        << size;
  }
}

TEST(PieceMessage, SharesItsDataAndOutlivesIt) {
  bool is_released = false;
  const std::string data = Bytes(1000);
  {
    grpc::ByteBuffer message;
    {
      absl::Cord cord("begin");
      cord.Append(absl::MakeCordFromExternal(
          data, [&is_released] { is_released = true; }));
      message = PieceMessage(cord);
    }
    EXPECT_FALSE(is_released);
    std::vector<grpc::Slice> slices;
    ASSERT_TRUE(message.Dump(&slices).ok());
    EXPECT_EQ(reinterpret_cast<const char*>(slices.back().begin()),
              data.data());
  }
  EXPECT_TRUE(is_released);
}

}  // namespace
}  // namespace reductor
