// A server of the test's own on a free port of 127.0.0.1, with a client, for as
// long as the object lives.
#ifndef REDUCTOR_TESTS_SERVICE_RUNNING_SERVER_H_
#define REDUCTOR_TESTS_SERVICE_RUNNING_SERVER_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/grpcpp.h"
#include "reductor/v1/reductor.grpc.pb.h"
#include "service/config.h"
#include "service/log.h"
#include "service/server.h"

namespace reductor {

inline constexpr char kReduce[] = "/reductor.v1.ReductionService/Reduce";
inline constexpr char kReduceStream[] =
    "/reductor.v1.ReductionService/ReduceStream";

// A channel that shares its connection with no other.
inline std::shared_ptr<grpc::Channel> OwnChannel(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(),
                                   arguments);
}

class RunningServer {
 public:
  explicit RunningServer(std::vector<std::string> flags = {}) {
    SetLogLevel(LogLevel::kError);
    flags.push_back("--listen=127.0.0.1:0");
    server_ = Server::Start(ParseConfig(flags, {}).value()).value();
    channel_ = OwnChannel(server_->addresses().front());
    stub_ = v1::ReductionService::NewStub(channel_);
  }

  Server& server() { return *server_; }
  const std::shared_ptr<grpc::Channel>& channel() { return channel_; }
  v1::ReductionService::Stub& stub() { return *stub_; }

  grpc::Status Reduce(const v1::ReduceRequest& request,
                      v1::ReduceResponse* response) {
    grpc::ClientContext context;
    return stub_->Reduce(&context, request, response);
  }

  // Sends bytes as they are, as the one message of a call.
  grpc::Status Send(const std::string& method, const grpc::ByteBuffer& bytes,
                    grpc::ByteBuffer* response) {
    grpc::ClientContext context;
    grpc::Status status;
    absl::Notification done;
    grpc::GenericStub(channel_).UnaryCall(&context, method, {}, &bytes,
                                          response, [&](grpc::Status result) {
                                            status = std::move(result);
                                            done.Notify();
                                          });
    done.WaitForNotification();
    return status;
  }

  grpc::Status Send(const std::string& method, const grpc::ByteBuffer& bytes) {
    grpc::ByteBuffer ignored;
    return Send(method, bytes, &ignored);
  }

 private:
  std::unique_ptr<Server> server_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::ReductionService::Stub> stub_;
};

// ReduceL1 along axis 1 of the float32 tensor [[1, -2, 3], [4, 5, -6]].
inline v1::ReduceRequest SmallRequest() {
  v1::ReduceRequest request;
  v1::Reduction* const reduction = request.add_reductions();
  reduction->set_operator_(v1::OPERATOR_REDUCE_L1);
  reduction->add_axes(1);
  v1::Tensor* const tensor = request.mutable_tensor();
  tensor->set_data_type(v1::DATA_TYPE_FLOAT32);
  tensor->add_shape(2);
  tensor->add_shape(3);
  const float elements[] = {1, -2, 3, 4, 5, -6};
  tensor->set_data(elements, sizeof(elements));
  return request;
}

}  // namespace reductor

#endif  // REDUCTOR_TESTS_SERVICE_RUNNING_SERVER_H_
