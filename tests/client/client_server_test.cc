// The client and the program reductord together.
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "client/client.h"
#include "client/errors.h"
#include "gtest/gtest.h"
#include "tests/service/server_process.h"

namespace reductor {
namespace {

constexpr int64_t kMebibyte = 1 << 20;

Tensor Int16s(int64_t count) {
  std::vector<int16_t> elements(count);
  for (int64_t i = 0; i < count; ++i) {
    elements[i] = static_cast<int16_t>(i * 40503);
  }
  return MakeTensor<int16_t>({count / 5, 5}, elements);
}

TEST(ClientServer, AnswersAStreamAsItAnswersOneMessage) {
  ServerProcess process({"--listen=127.0.0.1:0"});
  const Client client(Connect(process.AwaitAddress()));
  const Tensor tensor = Int16s(5 * kMebibyte / 4);
  const std::vector<Reduction> reductions = {
      {.op = Operator::kReduceL1, .openvino_opset = 4, .axes = {1}},
      {.op = Operator::kReduceMax, .openvino_opset = 4},
      {.op = Operator::kArgMin, .axes = {0}}};
  const auto one = client.Reduce(tensor, reductions);
  ASSERT_TRUE(one.ok()) << one.status();
  const auto pieces =
      client.ReduceStream(tensor, reductions, {.piece_bytes = 99'991});
  ASSERT_TRUE(pieces.ok()) << pieces.status();
  EXPECT_TRUE(*one == *pieces);
}

TEST(ClientServer, CarriesAnswersAsLargeAsTheTensor) {
  ServerProcess process({"--listen=127.0.0.1:0"});
  const Client client(Connect(process.AwaitAddress()));
  const Tensor tensor = Int16s(24 * kMebibyte / 5 * 5);
  // OpenVINO reduces nothing without axes.
  const Reduction nothing = {.op = Operator::kReduceMax, .openvino_opset = 4};
  const auto results = client.ReduceStream(tensor, {&nothing, 1});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_TRUE(results->front() == tensor);
}

TEST(ClientServer, NamesTheFieldsOfARefusedHeader) {
  ServerProcess process({"--listen=127.0.0.1:0"});
  const Client client(Connect(process.AwaitAddress()));
  const Reduction reduction = {.op = Operator::kReduceL1, .axes = {2}};
  const absl::Status status =
      client.ReduceStream(Int16s(10), {&reduction, 1}).status();
  const std::vector<FieldViolation> violations = ViolationsOf(status);
  ASSERT_FALSE(violations.empty()) << status;
  EXPECT_EQ(violations.back().field, "header.reductions[0].axes[0]");
}

TEST(ClientServer, WaitsForRoomInABusyServer) {
  // There is room for a stream or for the message below.
  ServerProcess process({"--listen=127.0.0.1:0", "--admission-wait=0s",
                         "--memory-budget=67108864",
                         "--max-message-bytes=63963136"});
  const Client client(Connect(process.AwaitAddress()));
  const Reduction reduction = {.op = Operator::kReduceMax, .axes = {0, 1}};
  std::optional<std::thread> second;
  absl::Status second_status;
  const absl::Status first_status = client.ReduceStream(
      {DType::kUint8, {1, 1}}, {&reduction, 1},
      [&]() -> absl::StatusOr<absl::Cord> {
        second.emplace([&] {
          second_status = client
                              .Reduce({DType::kUint8,
                                       {60 * kMebibyte, 1},
                                       std::string(60 * kMebibyte, 'x')},
                                      {&reduction, 1})
                              .status();
        });
        EXPECT_EQ(process.AwaitLine("request").value("reason", ""), "BUSY");
        return absl::Cord("x");
      },
      {.on_types = [](const auto&) { return absl::OkStatus(); },
       .on_bytes = [](int64_t,
                      absl::string_view) { return absl::OkStatus(); }});
  EXPECT_EQ(first_status, absl::OkStatus());
  ASSERT_TRUE(second.has_value());
  second->join();
  EXPECT_EQ(second_status, absl::OkStatus());
}

}  // namespace
}  // namespace reductor
