// Join(): the bytes are those of the generated code, and large results are not
// copied into them.
#include <cstddef>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "service/wire.h"
#include "tests/service/wire_bytes.h"

namespace reductor {
namespace {

v1::Tensor Result(std::vector<int64_t> shape) {
  v1::Tensor tensor;
  tensor.set_data_type(v1::DATA_TYPE_UINT8);
  tensor.mutable_shape()->Add(shape.begin(), shape.end());
  return tensor;
}

TEST(Join, GivesTheBytesOfTheGeneratedMessage) {
  const std::vector<v1::Tensor> results = {Result({}), Result({0, 7}),
                                           Result({70'000}), Result({300})};
  const std::vector<std::string> data = {"x", "", std::string(70'000, 'y'),
                                         std::string(300, 'z')};
  v1::ReduceResponse expected;
  for (size_t i = 0; i < results.size(); ++i) {
    *expected.add_results() = results[i];
    expected.mutable_results(i)->set_data(data[i]);
  }
  std::vector<ResultBytes> bytes(4);
  // The first as a small tensor's, the others as larger ones' results.
  *bytes[0].MakeWithin(1) = std::byte{'x'};
  for (size_t i = 1; i < data.size(); ++i) {
    bytes[i] = ResultBytes(absl::Cord(data[i]));
  }
  EXPECT_EQ(ToString(Join(results, bytes)), expected.SerializeAsString());
}

TEST(Join, GivesNoBytesForNoResults) { EXPECT_EQ(ToString(Join({}, {})), ""); }

TEST(Join, SharesTheMemoryOfALargeResult) {
  const std::string memory(100'000, 'm');
  const ResultBytes data(absl::MakeCordFromExternal(memory, [] {}));
  std::vector<grpc::Slice> slices;
  const std::vector<v1::Tensor> results = {Result({100'000})};
  const grpc::ByteBuffer joined = Join(results, {data});
  ASSERT_TRUE(joined.Dump(&slices).ok());
  ASSERT_EQ(slices.size(), 2u);
  EXPECT_EQ(static_cast<const void*>(slices[1].begin()), memory.data());
}

TEST(Join, KeepsTheResultAliveWhileItsBytesAre) {
  bool released = false;
  const std::string memory(1000, 'm');
  {
    grpc::ByteBuffer joined;
    {
      const ResultBytes data(
          absl::MakeCordFromExternal(memory, [&released] { released = true; }));
      const std::vector<v1::Tensor> results = {Result({1000})};
      joined = Join(results, {data});
    }
    EXPECT_FALSE(released);
  }
  EXPECT_TRUE(released);
}

TEST(JoinStreamResults, GivesTheBytesOfTheGeneratedMessage) {
  v1::ReduceStreamResponse expected;
  *expected.mutable_results()->add_results() = Result({3});
  *expected.mutable_results()->add_results() = Result({});
  const std::vector<v1::Tensor> results = {Result({3}), Result({})};
  EXPECT_EQ(ToString(JoinStreamResults(results)), expected.SerializeAsString());
}

TEST(JoinStreamPiece, GivesTheBytesOfTheGeneratedMessage) {
  for (const size_t size : {1, 127, 128, 70'000}) {
    v1::ReduceStreamResponse expected;
    expected.mutable_piece()->set_reduction(63);
    expected.mutable_piece()->set_data(std::string(size, 'p'));
    EXPECT_EQ(ToString(JoinStreamPiece(63, absl::Cord(std::string(size, 'p')))),
              expected.SerializeAsString());
  }
  EXPECT_EQ(ToString(JoinStreamPiece(0, absl::Cord("p"))), "\x12\x03\x7a\x01p");
}

}  // namespace
}  // namespace reductor
