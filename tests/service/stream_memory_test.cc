// How much memory a stream takes, as the system sees it, however long it is and
// however slow its client.
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "grpcpp/generic/generic_stub.h"
#include "gtest/gtest.h"
#include "tests/service/reduce_stream.h"
#include "tests/service/running_server.h"
#include "tests/service/server_process.h"

namespace reductor {
namespace {

constexpr int64_t kMebibyte = 1 << 20;
constexpr int64_t kMost = 64 * kMebibyte;

class StreamMemory : public testing::Test {
 protected:
  // A header for `mebibytes` bytes; axis 0 of two is as long.
  static v1::ReduceStreamHeader HeaderFor(int64_t mebibytes, v1::Operator op) {
    v1::ReduceStreamHeader header;
    header.set_data_type(v1::DATA_TYPE_UINT8);
    header.add_shape(mebibytes);
    header.add_shape(kMebibyte);
    header.add_reductions()->set_operator_(op);
    header.mutable_reductions(0)->set_openvino_opset(4);
    return header;
  }

  ServerProcess process_{{"--listen=127.0.0.1:0"}};
  const std::shared_ptr<grpc::Channel> channel_ =
      OwnChannel(process_.AwaitAddress());
  const std::unique_ptr<v1::ReductionService::Stub> stub_ =
      v1::ReductionService::NewStub(channel_);
};

TEST_F(StreamMemory, IsThatOfTheOpenResults) {
  v1::ReduceStreamHeader header = HeaderFor(1024, v1::OPERATOR_REDUCE_MEAN);
  header.mutable_reductions(0)->add_axes(0);
  header.mutable_reductions(0)->add_axes(1);
  // One result for each row, too.
  *header.add_reductions() = header.reductions(0);
  header.mutable_reductions(1)->clear_axes();
  header.mutable_reductions(1)->add_axes(1);
  ReduceStreamCall call(*stub_);
  ASSERT_TRUE(call.WriteHeader(header));
  const std::string piece(kMebibyte, '\7');
  for (int i = 0; i < 1024; ++i) ASSERT_TRUE(call.WriteData(piece));
  call.WritesDone();
  const StreamAnswer answer = call.Finish();
  ASSERT_TRUE(answer.status.ok()) << answer.status.error_message();
  EXPECT_EQ(answer.response.results(0).data(), "\7");
  EXPECT_EQ(answer.response.results(1).data(), std::string(1024, '\7'));
  EXPECT_LT(process_.PeakBytes(), kMost);
}

TEST_F(StreamMemory, DoesNotGrowWhileTheClientTakesNoAnswers) {
  constexpr int kPieces = 1024;
  // Answers as long as the tensor.
  v1::ReduceStreamRequest request;
  *request.mutable_header() = HeaderFor(kPieces, v1::OPERATOR_REDUCE_MAX);
  grpc::ClientContext context;
  grpc::CompletionQueue events;
  const auto call = stub_->PrepareAsyncReduceStream(&context, &events);
  // Whether what was started is done, or nobody takes it.
  const auto is_done = [&events] {
    void* tag;
    bool ok = false;
    return events.AsyncNext(
               &tag, &ok,
               std::chrono::system_clock::now() + std::chrono::seconds(1)) ==
               grpc::CompletionQueue::GOT_EVENT &&
           ok;
  };
  call->StartCall(nullptr);
  ASSERT_TRUE(is_done());
  call->Write(request, nullptr);
  ASSERT_TRUE(is_done());
  request.set_data(std::string(kMebibyte, 'x'));
  int taken = -1;
  do {
    ++taken;
    call->Write(request, nullptr);
  } while (taken < kPieces && is_done());
  EXPECT_LT(taken, kPieces);
  EXPECT_LT(process_.PeakBytes(), kMost);
  context.TryCancel();
  events.Shutdown();
  void* tag;
  bool ok;
  while (events.Next(&tag, &ok)) {
  }
}

}  // namespace
}  // namespace reductor
