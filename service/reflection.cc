#include "service/reflection.h"

#include <set>
#include <utility>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "grpcpp/support/status.h"

namespace reductor {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::DescriptorPool;
using google::protobuf::FieldDescriptor;
using google::protobuf::FileDescriptor;
using grpc::reflection::v1::ServerReflectionRequest;
using grpc::reflection::v1::ServerReflectionResponse;

const DescriptorPool& Pool() { return *DescriptorPool::generated_pool(); }

void SetError(grpc::StatusCode code, const std::string& message,
              ServerReflectionResponse* response) {
  response->mutable_error_response()->set_error_code(code);
  response->mutable_error_response()->set_error_message(message);
}

// The file and all that it imports, each once.
void AddFiles(const FileDescriptor& file, std::set<std::string>* added,
              ServerReflectionResponse* response) {
  if (!added->insert(file.name()).second) return;
  google::protobuf::FileDescriptorProto proto;
  file.CopyTo(&proto);
  response->mutable_file_descriptor_response()->add_file_descriptor_proto(
      proto.SerializeAsString());
  for (int i = 0; i < file.dependency_count(); ++i) {
    AddFiles(*file.dependency(i), added, response);
  }
}

// `file` may be null.
void SetFile(const FileDescriptor* file, ServerReflectionResponse* response) {
  if (file == nullptr) {
    return SetError(grpc::StatusCode::NOT_FOUND, "no such file or symbol",
                    response);
  }
  std::set<std::string> added;
  AddFiles(*file, &added, response);
}

const FileDescriptor* FileOf(
    const grpc::reflection::v1::ExtensionRequest& request) {
  const Descriptor* const type =
      Pool().FindMessageTypeByName(request.containing_type());
  if (type == nullptr) return nullptr;
  const FieldDescriptor* const extension =
      Pool().FindExtensionByNumber(type, request.extension_number());
  return extension == nullptr ? nullptr : extension->file();
}

void SetExtensions(const std::string& type_name,
                   ServerReflectionResponse* response) {
  const Descriptor* const type = Pool().FindMessageTypeByName(type_name);
  if (type == nullptr) {
    return SetError(grpc::StatusCode::NOT_FOUND, "no such message", response);
  }
  std::vector<const FieldDescriptor*> extensions;
  Pool().FindAllExtensions(type, &extensions);
  auto* const numbers = response->mutable_all_extension_numbers_response();
  numbers->set_base_type_name(type_name);
  for (const FieldDescriptor* const extension : extensions) {
    numbers->add_extension_number(extension->number());
  }
}

}  // namespace

Reflection::Reflection(std::vector<std::string> services, Turns* turns)
    : services_(std::move(services)),
      turns_(turns),
      method_{.answer = AnswerTo<ServerReflectionRequest>(
                  [this](const auto& request) {
                    return absl::StatusOr<ServerReflectionResponse>(
                        Answer(request));
                  }),
              .is_stream = true,
              .log_level = LogLevel::kDebug} {}

void Reflection::Register(Methods* methods) {
  for (const char* const path :
       {"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"}) {
    (*methods)[path] = [this](AsyncCall* call) {
      return ServeShortCall(call, method_, turns_, calls_.Admit());
    };
  }
}

ServerReflectionResponse Reflection::Answer(
    const ServerReflectionRequest& request) const {
  ServerReflectionResponse response;
  response.set_valid_host(request.host());
  *response.mutable_original_request() = request;
  switch (request.message_request_case()) {
    case ServerReflectionRequest::kFileByFilename:
      SetFile(Pool().FindFileByName(request.file_by_filename()), &response);
      break;
    case ServerReflectionRequest::kFileContainingSymbol:
      SetFile(Pool().FindFileContainingSymbol(request.file_containing_symbol()),
              &response);
      break;
    case ServerReflectionRequest::kFileContainingExtension:
      SetFile(FileOf(request.file_containing_extension()), &response);
      break;
    case ServerReflectionRequest::kAllExtensionNumbersOfType:
      SetExtensions(request.all_extension_numbers_of_type(), &response);
      break;
    case ServerReflectionRequest::kListServices:
      for (const std::string& service : services_) {
        response.mutable_list_services_response()->add_service()->set_name(
            service);
      }
      break;
    case ServerReflectionRequest::MESSAGE_REQUEST_NOT_SET:
      SetError(grpc::StatusCode::UNIMPLEMENTED, "not a known question",
               &response);
      break;
  }
  return response;
}

}  // namespace reductor
