// The stock server: what one writes in an afternoon with the same tools. The
// generated callback service, glibc's allocator as it is, and a loop that sums
// absolute values; it checks nothing.
#include <cmath>
#include <cstring>
#include <memory>
#include <string>

#include "grpcpp/security/server_credentials.h"
#include "grpcpp/server.h"
#include "grpcpp/server_builder.h"
#include "reductor/v1/reductor.grpc.pb.h"
#include "tests/bench/rpc/serving.h"

namespace reductor::bench {
namespace {

float SumOfAbsolutes(const std::string& data) {
  // Eight sums, so that the compiler may use vectors.
  constexpr size_t kLanes = 8;
  float sums[kLanes] = {};
  const auto* const elements = reinterpret_cast<const float*>(data.data());
  const size_t count = data.size() / sizeof(float) / kLanes * kLanes;
  for (size_t i = 0; i < count; i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      sums[lane] += std::fabs(elements[i + lane]);
    }
  }
  float sum = 0;
  for (const float lane : sums) sum += lane;
  return sum;
}

class Stock final : public v1::ReductionService::CallbackService {
  grpc::ServerUnaryReactor* Reduce(grpc::CallbackServerContext* context,
                                   const v1::ReduceRequest* request,
                                   v1::ReduceResponse* response) override {
    const float sum = SumOfAbsolutes(request->tensor().data());
    v1::Tensor* const result = response->add_results();
    result->set_data_type(v1::DATA_TYPE_FLOAT32);
    result->set_data(&sum, sizeof(sum));
    grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }
};

void Main() {
  Stock stock;
  grpc::ServerBuilder builder;
  int port = 0;
  builder.SetMaxReceiveMessageSize(-1);
  builder.RegisterService(&stock);
  builder.AddListeningPort(kAnyPort, grpc::InsecureServerCredentials(), &port);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  SayAddress(port);
  AwaitEndOfInput();
}

}  // namespace
}  // namespace reductor::bench

int main() { reductor::bench::Main(); }
