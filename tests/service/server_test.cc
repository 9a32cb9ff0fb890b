// The server around the service: health, addresses, and its end. Health is
// spoken in bytes: its protos are not ours.
#include "service/server.h"

#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/service/error_of.h"
#include "tests/service/health_bytes.h"
#include "tests/service/open_call.h"
#include "tests/service/running_server.h"
#include "tests/service/wire_bytes.h"

namespace reductor {
namespace {

// A message whose only field is a short string.
std::string StringField(char tag, const std::string& value) {
  return absl::StrCat(std::string(1, tag),
                      std::string(1, static_cast<char>(value.size())), value);
}

std::string HealthOf(RunningServer& server, const std::string& name) {
  grpc::ByteBuffer response;
  const grpc::Status status =
      server.Send("/grpc.health.v1.Health/Check",
                  ToByteBuffer(StringField('\x0a', name)), &response);
  return status.ok()
             ? ToString(response)
             : absl::StrCat(status.error_code(), ": ", status.error_message());
}

TEST(Health, ServesUnderEveryName) {
  RunningServer server;
  for (const char* const name :
       {"", "reductor.v1.ReductionService", "liveness", "readiness"}) {
    EXPECT_EQ(HealthOf(server, name), kServing) << name;
  }
}

TEST(Health, AnswersWhenThereIsNoRoom) {
  RunningServer server({"--memory-budget=1048576",
                        "--max-message-bytes=1048576", "--upload-grace=1h"});
  OpenCall silent(server.channel(), kReduce);
  v1::ReduceResponse response;
  while (server.Reduce(SmallRequest(), &response).ok()) {
    // Until the silent call has taken the room.
  }
  EXPECT_EQ(HealthOf(server, ""), kServing);
  grpc::ClientContext context;
  v1::ListOperatorsResponse operators;
  EXPECT_TRUE(server.stub().ListOperators(&context, {}, &operators).ok());
}

TEST(Health, DoesNotKnowOtherNames) {
  RunningServer server;
  EXPECT_EQ(
      HealthOf(server, "other"),
      absl::StrCat(grpc::StatusCode::NOT_FOUND, ": no service of this name"));
}

TEST(Start, ListensOnEveryAddress) {
  const std::string path =
      absl::StrCat("unix:", testing::TempDir(), "/server_test.sock");
  const auto config =
      ParseConfig({absl::StrCat("--listen=127.0.0.1:0,", path)}, {});
  const auto both = Server::Start(config.value());
  ASSERT_TRUE(both.ok()) << both.status();
  ASSERT_EQ((*both)->addresses().size(), 2u);
  EXPECT_EQ((*both)->addresses()[1], path);
  for (const std::string& address : (*both)->addresses()) {
    const auto stub = v1::ReductionService::NewStub(OwnChannel(address));
    grpc::ClientContext context;
    v1::ReduceResponse response;
    EXPECT_TRUE(stub->Reduce(&context, SmallRequest(), &response).ok())
        << address;
  }
}

TEST(Start, RefusesATakenPort) {
  RunningServer first;
  const std::string address = first.server().addresses().front();
  const auto second = Server::Start(
      ParseConfig({absl::StrCat("--listen=127.0.0.1:0,", address)}, {})
          .value());
  EXPECT_EQ(
      second.status().message(),
      absl::StrCat("cannot listen on ", address, ": address already in use"));
}

TEST(Start, SaysWhyItCannotListen) {
  const std::string too_long = "unix:/" + std::string(200, 'x');
  for (const auto& [address, why] : std::map<std::string, std::string>{
           {"203.0.113.1:0", "cannot assign requested address"},
           {"unix:/no/such/directory", "no such file or directory"},
           {too_long, "path name should not have more than 107 characters"}}) {
    EXPECT_EQ(Server::Start(ParseConfig({"--listen=" + address}, {}).value())
                  .status()
                  .message(),
              absl::StrCat("cannot listen on ", address, ": ", why));
  }
}

TEST(MaxMessageBytes, BoundsTheWholeMessage) {
  const std::string bytes = SmallRequest().SerializeAsString();
  RunningServer exact({absl::StrCat("--max-message-bytes=", bytes.size())});
  EXPECT_TRUE(exact.Send(kReduce, ToByteBuffer(bytes)).ok());
  RunningServer less({absl::StrCat("--max-message-bytes=", bytes.size() - 1)});
  const Error error = ErrorOf(less.Send(kReduce, ToByteBuffer(bytes)));
  EXPECT_EQ(error.code, grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(error.text,
            absl::StrCat("Received message larger than max (", bytes.size(),
                         " vs. ", bytes.size() - 1, ")"));
}

grpc::Status ReduceCompressed(RunningServer& server, size_t data_bytes) {
  v1::ReduceRequest request = SmallRequest();
  request.mutable_tensor()->set_shape(1, static_cast<int64_t>(data_bytes) / 8);
  request.mutable_tensor()->set_data(std::string(data_bytes, '\0'));
  grpc::ClientContext context;
  context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
  v1::ReduceResponse response;
  return server.stub().Reduce(&context, request, &response);
}

TEST(AllowCompression, ServesCompressedRequests) {
  RunningServer server({"--allow-compression"});
  EXPECT_TRUE(ReduceCompressed(server, 4000).ok());
}

TEST(AllowCompression, LimitsTheInflatedSize) {
  RunningServer server({"--allow-compression", "--max-message-bytes=4000"});
  EXPECT_EQ(ReduceCompressed(server, 4000).error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST(MaxOutputBytes, BoundsAllResultsTogether) {
  v1::ReduceRequest request = SmallRequest();  // One result has 8 bytes.
  RunningServer server({"--max-output-bytes=8"});
  v1::ReduceResponse response;
  EXPECT_TRUE(server.Reduce(request, &response).ok());
  *request.add_reductions() = request.reductions(0);
  const Error error = ErrorOf(server.Reduce(request, &response));
  EXPECT_EQ(error.reason, "OUTPUT_TOO_LARGE");
  EXPECT_EQ(error.metadata.at("limit_bytes"), "8");
  EXPECT_EQ(error.metadata.at("size_bytes"), "16");
}

TEST(DrainTimeout, CancelsTheCallsThatTakeTooLong) {
  RunningServer server({"--drain-timeout=0s"});
  OpenCall call(server.channel(), "/reductor.v1.ReductionService/ReduceStream");
  v1::ReduceStreamRequest request;
  *request.mutable_header()->add_reductions() = SmallRequest().reductions(0);
  request.mutable_header()->set_data_type(v1::DATA_TYPE_FLOAT32);
  request.mutable_header()->add_shape(2);
  request.mutable_header()->add_shape(3);
  ASSERT_TRUE(call.Write(request.SerializeAsString()));
  ASSERT_NE(call.Read(), "");  // The server has it, and waits for more.
  server.server().Drain();
  EXPECT_EQ(call.Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
}

}  // namespace
}  // namespace reductor
