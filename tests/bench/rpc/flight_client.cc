// The bench's client of flight_server: Flight's own client, uploading a tensor
// as one record batch ("unary") or as batches of kPieceBytes ("stream").
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "arrow/array.h"
#include "arrow/builder.h"
#include "arrow/flight/api.h"
#include "arrow/record_batch.h"
#include "arrow/type.h"
#include "tests/bench/rpc/command.h"

namespace reductor::bench {
namespace {

namespace flight = arrow::flight;

using Connections =
    std::map<std::string, std::unique_ptr<flight::FlightClient>>;

arrow::Result<flight::FlightClient*> Connect(const std::string& address,
                                             Connections* connections) {
  std::unique_ptr<flight::FlightClient>& client = (*connections)[address];
  if (client == nullptr) {
    ARROW_ASSIGN_OR_RAISE(const auto location,
                          flight::Location::Parse("grpc+tcp://" + address));
    ARROW_ASSIGN_OR_RAISE(client, flight::FlightClient::Connect(location));
  }
  return client.get();
}

arrow::Result<std::shared_ptr<arrow::RecordBatch>> MakeBatch(int64_t bytes) {
  const int64_t count = bytes / static_cast<int64_t>(sizeof(float));
  arrow::FloatBuilder builder;
  ARROW_RETURN_NOT_OK(builder.Reserve(count));
  for (int64_t i = 0; i < count; ++i) {
    builder.UnsafeAppend(static_cast<float>(i % 1000) - 300.0f);
  }
  ARROW_ASSIGN_OR_RAISE(auto column, builder.Finish());
  return arrow::RecordBatch::Make(
      arrow::schema({arrow::field("x", arrow::float32(), /*nullable=*/false)}),
      count, {std::move(column)});
}

arrow::Status Put(flight::FlightClient* client, const arrow::RecordBatch& batch,
                  int64_t batches) {
  ARROW_ASSIGN_OR_RAISE(
      flight::FlightClient::DoPutResult call,
      client->DoPut(flight::FlightDescriptor::Command("sum"), batch.schema()));
  for (int64_t i = 0; i < batches; ++i) {
    ARROW_RETURN_NOT_OK(call.writer->WriteRecordBatch(batch));
  }
  ARROW_RETURN_NOT_OK(call.writer->DoneWriting());
  std::shared_ptr<arrow::Buffer> answer;
  ARROW_RETURN_NOT_OK(call.reader->ReadMetadata(&answer));
  if (answer == nullptr) return arrow::Status::IOError("no answer");
  return call.writer->Close();
}

// Its own calls of the batch, one after the other.
arrow::Status PutRepeatedly(const Command& command,
                            flight::FlightClient* client,
                            const arrow::RecordBatch& batch, int64_t batches,
                            std::atomic<int64_t>* calls) {
  const Clock::time_point start = Clock::now();
  std::chrono::duration<double> time;
  do {
    ARROW_RETURN_NOT_OK(Put(client, batch, batches));
    ++*calls;
    time = Clock::now() - start;
  } while (time.count() < command.seconds);
  return arrow::Status::OK();
}

arrow::Result<Batch> Run(const Command& command, Connections* connections) {
  ARROW_ASSIGN_OR_RAISE(flight::FlightClient* const client,
                        Connect(command.address, connections));
  const bool in_pieces = command.kind == "stream";
  ARROW_ASSIGN_OR_RAISE(const auto batch,
                        MakeBatch(in_pieces ? kPieceBytes : command.bytes));
  const int64_t batches = in_pieces ? command.bytes / kPieceBytes : 1;
  std::atomic<int64_t> calls = 0;
  std::vector<arrow::Status> statuses(command.in_flight);
  std::vector<std::thread> callers;
  const Clock::time_point start = Clock::now();
  for (arrow::Status& status : statuses) {
    callers.emplace_back([&] {
      status = PutRepeatedly(command, client, *batch, batches, &calls);
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (const arrow::Status& status : statuses) ARROW_RETURN_NOT_OK(status);
  return Batch{.calls = calls, .time = Clock::now() - start};
}

void Main() {
  Connections connections;
  ServeCommands([&](const Command& command) -> absl::StatusOr<Batch> {
    const arrow::Result<Batch> batch = Run(command, &connections);
    if (!batch.ok()) return absl::UnknownError(batch.status().ToString());
    return *batch;
  });
}

}  // namespace
}  // namespace reductor::bench

int main() { reductor::bench::Main(); }
