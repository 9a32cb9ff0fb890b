// What tools are told about the protos.
#include "service/reflection.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "google/protobuf/descriptor.pb.h"
#include "gtest/gtest.h"
#include "tests/service/open_call.h"
#include "tests/service/running_server.h"

namespace reductor {
namespace {

using ::grpc::reflection::v1::ServerReflectionRequest;
using ::grpc::reflection::v1::ServerReflectionResponse;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

constexpr char kReflection[] =
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
constexpr char kOlderReflection[] =
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";

ServerReflectionResponse AnswerTo(const ServerReflectionRequest& request) {
  return Reflection({"a.B", "c.D"}, nullptr).Answer(request);
}

ServerReflectionRequest AskForSymbol(const std::string& name) {
  ServerReflectionRequest request;
  request.set_file_containing_symbol(name);
  return request;
}

// The names of the files in an answer, in order.
std::vector<std::string> FilesOf(const ServerReflectionResponse& response) {
  std::vector<std::string> names;
  for (const std::string& bytes :
       response.file_descriptor_response().file_descriptor_proto()) {
    google::protobuf::FileDescriptorProto file;
    EXPECT_TRUE(file.ParseFromString(bytes));
    names.push_back(file.name());
  }
  return names;
}

std::vector<std::string> ServicesOf(const ServerReflectionResponse& response) {
  std::vector<std::string> names;
  for (const auto& service : response.list_services_response().service()) {
    names.push_back(service.name());
  }
  return names;
}

TEST(Reflection, ListsTheServicesThatItWasTold) {
  ServerReflectionRequest request;
  request.set_list_services("*");
  EXPECT_THAT(ServicesOf(AnswerTo(request)), ElementsAre("a.B", "c.D"));
}

TEST(Reflection, RepeatsTheQuestion) {
  ServerReflectionRequest request = AskForSymbol("x");
  request.set_host("here");
  const ServerReflectionResponse response = AnswerTo(request);
  EXPECT_EQ(response.valid_host(), "here");
  EXPECT_EQ(response.original_request().file_containing_symbol(), "x");
}

TEST(Reflection, GivesAFileWithAllThatItImports) {
  ServerReflectionRequest request;
  request.set_file_by_filename("google/rpc/status.proto");
  EXPECT_THAT(
      FilesOf(AnswerTo(request)),
      ElementsAre("google/rpc/status.proto", "google/protobuf/any.proto"));
}

TEST(Reflection, FindsTheFileOfAnySymbol) {
  for (const char* const symbol :
       {"reductor.v1.ReductionService", "reductor.v1.ReductionService.Reduce",
        "reductor.v1.Tensor", "reductor.v1.Tensor.data"}) {
    EXPECT_THAT(FilesOf(AnswerTo(AskForSymbol(symbol))),
                ElementsAre("reductor/v1/reductor.proto"))
        << symbol;
  }
  // Whoever wants to read the details of an error.
  EXPECT_THAT(FilesOf(AnswerTo(AskForSymbol("google.rpc.BadRequest"))),
              ElementsAre("google/rpc/error_details.proto",
                          "google/protobuf/duration.proto"));
}

TEST(Reflection, TellsTheExtensionsOfAMessage) {
  ServerReflectionRequest request;
  request.set_all_extension_numbers_of_type("google.protobuf.FieldOptions");
  const ServerReflectionResponse response = AnswerTo(request);
  const auto& numbers = response.all_extension_numbers_response();
  EXPECT_EQ(numbers.base_type_name(), "google.protobuf.FieldOptions");
  EXPECT_EQ(numbers.extension_number_size(), 0);
}

TEST(Reflection, SaysWhatItDoesNotKnow) {
  std::vector<ServerReflectionRequest> requests(5);
  requests[0].set_file_by_filename("no/such.proto");
  requests[1].set_file_containing_symbol("no.Such");
  requests[2].set_all_extension_numbers_of_type("no.Such");
  requests[3].mutable_file_containing_extension()->set_containing_type("no");
  auto* const extension = requests[4].mutable_file_containing_extension();
  extension->set_containing_type("google.protobuf.FieldOptions");
  extension->set_extension_number(7);
  for (const ServerReflectionRequest& request : requests) {
    EXPECT_EQ(AnswerTo(request).error_response().error_code(),
              grpc::StatusCode::NOT_FOUND)
        << request.DebugString();
  }
}

TEST(Reflection, SaysThatItDoesNotUnderstand) {
  EXPECT_EQ(AnswerTo({}).error_response().error_code(),
            grpc::StatusCode::UNIMPLEMENTED);
}

TEST(Reflection, AnswersEachQuestionOfAStreamInOrder) {
  RunningServer server;
  for (const char* const method : {kReflection, kOlderReflection}) {
    OpenCall call(server.channel(), method);
    ServerReflectionRequest services;
    services.set_list_services("");
    EXPECT_TRUE(call.Write(services.SerializeAsString()));
    ServerReflectionResponse response;
    ASSERT_TRUE(response.ParseFromString(call.Read()));
    EXPECT_THAT(ServicesOf(response),
                UnorderedElementsAre("grpc.health.v1.Health",
                                     "grpc.reflection.v1.ServerReflection",
                                     "reductor.v1.ReductionService"));
    for (const std::string& service : ServicesOf(response)) {
      EXPECT_TRUE(call.Write(AskForSymbol(service).SerializeAsString()));
      ASSERT_TRUE(response.ParseFromString(call.Read()));
      EXPECT_EQ(FilesOf(response).size(), 1u) << service;
    }
    call.WritesDone();
    EXPECT_TRUE(call.Finish().ok());
  }
}

TEST(Reflection, IsGoneWhenTurnedOff) {
  RunningServer server({"--noreflection"});
  EXPECT_EQ(server.Send(kReflection, ToByteBuffer("\x3a")).error_message(),
            "unknown method");
}

}  // namespace
}  // namespace reductor
