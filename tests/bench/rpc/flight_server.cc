// Arrow Flight as the peer: DoPut takes record batches of one float32 column
// and answers the sum of absolute values as metadata, the least that Flight's
// own way of uploading a tensor needs.
#include <cmath>
#include <iostream>
#include <memory>
#include <thread>

#include "arrow/array.h"
#include "arrow/buffer.h"
#include "arrow/flight/api.h"
#include "arrow/record_batch.h"
#include "tests/bench/rpc/serving.h"

namespace reductor::bench {
namespace {

namespace flight = arrow::flight;

double SumOfAbsolutes(const arrow::RecordBatch& batch) {
  const auto& column = static_cast<const arrow::FloatArray&>(*batch.column(0));
  // Eight sums, so that the compiler may use vectors.
  constexpr int64_t kLanes = 8;
  float sums[kLanes] = {};
  const float* const elements = column.raw_values();
  const int64_t count = column.length() / kLanes * kLanes;
  for (int64_t i = 0; i < count; i += kLanes) {
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      sums[lane] += std::fabs(elements[i + lane]);
    }
  }
  double sum = 0;
  for (const float lane : sums) sum += lane;
  return sum;
}

class SummingServer final : public flight::FlightServerBase {
  arrow::Status DoPut(
      const flight::ServerCallContext&,
      std::unique_ptr<flight::FlightMessageReader> reader,
      std::unique_ptr<flight::FlightMetadataWriter> writer) override {
    double sum = 0;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const flight::FlightStreamChunk chunk,
                            reader->Next());
      if (chunk.data == nullptr) break;
      sum += SumOfAbsolutes(*chunk.data);
    }
    return writer->WriteMetadata(
        arrow::Buffer(reinterpret_cast<const uint8_t*>(&sum), sizeof(sum)));
  }
};

arrow::Status Serve() {
  ARROW_ASSIGN_OR_RAISE(const flight::Location any_port,
                        flight::Location::ForGrpcTcp("127.0.0.1", 0));
  SummingServer server;
  ARROW_RETURN_NOT_OK(server.Init(flight::FlightServerOptions(any_port)));
  SayAddress(server.port());
  std::thread end([&server] {
    AwaitEndOfInput();
    (void)server.Shutdown();
  });
  const arrow::Status status = server.Serve();
  end.join();
  return status;
}

}  // namespace
}  // namespace reductor::bench

int main() {
  const arrow::Status status = reductor::bench::Serve();
  if (!status.ok()) std::cerr << status << std::endl;
  return status.ok() ? 0 : 1;
}
