// A server in the test's own process that answers what the test says, on a free
// port of 127.0.0.1; it is SERVING by the health protocol.
#ifndef REDUCTOR_TESTS_CLIENT_FAKE_SERVER_H_
#define REDUCTOR_TESTS_CLIENT_FAKE_SERVER_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "grpcpp/grpcpp.h"
#include "grpcpp/health_check_service_interface.h"
#include "reductor/v1/reductor.grpc.pb.h"

namespace reductor {

using ServedStream =
    grpc::ServerReaderWriter<v1::ReduceStreamResponse, v1::ReduceStreamRequest>;

class FakeServer final : public v1::ReductionService::Service {
 public:
  FakeServer() {
    grpc::EnableDefaultHealthCheckService(true);
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                             &port);
    builder.SetMaxReceiveMessageSize(-1);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
    address_ = absl::StrCat("127.0.0.1:", port);
  }
  ~FakeServer() override { server_->Shutdown(); }

  const std::string& address() const { return address_; }

  grpc::HealthCheckServiceInterface& health() {
    return *server_->GetHealthCheckService();
  }

  // Sees every call before it is answered, and may give it metadata.
  std::function<void(grpc::ServerContext&)> on_call = [](auto&) {};

  // What the methods do; set before the call.
  std::function<grpc::Status(const v1::ReduceRequest&, v1::ReduceResponse*)>
      on_reduce;
  std::function<grpc::Status(ServedStream&)> on_stream;
  v1::ListOperatorsResponse operators;

 private:
  grpc::Status Reduce(grpc::ServerContext* context,
                      const v1::ReduceRequest* request,
                      v1::ReduceResponse* response) override {
    on_call(*context);
    return on_reduce(*request, response);
  }
  grpc::Status ReduceStream(grpc::ServerContext* context,
                            ServedStream* stream) override {
    on_call(*context);
    return on_stream(*stream);
  }
  grpc::Status ListOperators(grpc::ServerContext* context,
                             const v1::ListOperatorsRequest*,
                             v1::ListOperatorsResponse* response) override {
    on_call(*context);
    *response = operators;
    return grpc::Status::OK;
  }

  std::unique_ptr<grpc::Server> server_;
  std::string address_;
};

// Reads the header of a stream and answers, as the types of as many results as
// there are reductions, that of the tensor itself.
inline v1::ReduceStreamHeader AnswerTypes(ServedStream& stream) {
  v1::ReduceStreamRequest request;
  stream.Read(&request);
  v1::ReduceStreamResponse response;
  response.mutable_results();
  for (int i = 0; i < request.header().reductions_size(); ++i) {
    v1::Tensor& result = *response.mutable_results()->add_results();
    result.set_data_type(request.header().data_type());
    *result.mutable_shape() = request.header().shape();
  }
  stream.Write(response);
  return request.header();
}

// Every result is the tensor itself; it leaves as it comes.
inline grpc::Status Echo(ServedStream& stream) {
  const v1::ReduceStreamHeader header = AnswerTypes(stream);
  v1::ReduceStreamRequest request;
  while (stream.Read(&request)) {
    for (int i = 0; i < header.reductions_size(); ++i) {
      v1::ReduceStreamResponse response;
      response.mutable_piece()->set_reduction(i);
      response.mutable_piece()->set_data(request.data());
      stream.Write(response);
    }
  }
  return grpc::Status::OK;
}

// A refusal as reductor words it: one axis out of range, one repeated.
inline grpc::Status TwoViolations() {
  google::rpc::ErrorInfo info;
  info.set_domain("reductor");
  info.set_reason("AXIS_OUT_OF_RANGE");
  google::rpc::BadRequest bad_request;
  auto* first = bad_request.add_field_violations();
  first->set_field("reductions[0].axes[1]");
  first->set_reason("AXIS_OUT_OF_RANGE");
  first->set_description("7 is out of range for rank 2");
  auto* second = bad_request.add_field_violations();
  second->set_field("reductions[0].axes[2]");
  second->set_reason("AXIS_REPEATED");
  second->set_description("axis 0 is given twice");
  google::rpc::Status details;
  details.add_details()->PackFrom(info);
  details.add_details()->PackFrom(bad_request);
  return grpc::Status(grpc::StatusCode::INVALID_ARGUMENT,
                      "reductions[0].axes[1]: 7 is out of range for rank 2",
                      details.SerializeAsString());
}

// A refusal by a server that is busy for so long.
inline grpc::Status Busy(int64_t milliseconds) {
  google::rpc::ErrorInfo info;
  info.set_domain("reductor");
  info.set_reason("BUSY");
  google::rpc::RetryInfo retry;
  retry.mutable_retry_delay()->set_seconds(milliseconds / 1000);
  retry.mutable_retry_delay()->set_nanos(
      static_cast<int32_t>(milliseconds % 1000 * 1'000'000));
  google::rpc::Status details;
  details.add_details()->PackFrom(info);
  details.add_details()->PackFrom(retry);
  return grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "no room now",
                      details.SerializeAsString());
}

}  // namespace reductor

#endif  // REDUCTOR_TESTS_CLIENT_FAKE_SERVER_H_
