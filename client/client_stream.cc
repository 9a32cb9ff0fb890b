// Streams: the part of the client that sends and receives piece by piece.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/client.h"
#include "client/codec.h"
#include "client/download.h"
#include "client/retry.h"
#include "client/stream_call.h"
#include "client/upload.h"

namespace reductor {
namespace {

// A message has less than 2 GiB.
constexpr int64_t kMostPieceBytes = int64_t{1} << 30;

// Fills `results` with what comes. Memory grows with that, never with what the
// server promises.
ResultSink SinkInto(std::vector<Tensor>& results) {
  return {.on_types =
              [&results](const std::vector<TensorType>& types) {
                for (const TensorType& type : types) {
                  results.push_back({type.dtype, type.shape});
                }
                return absl::OkStatus();
              },
          .on_bytes =
              [&results](int64_t result, absl::string_view bytes) {
                results[result].data.append(bytes.data(), bytes.size());
                return absl::OkStatus();
              }};
}

}  // namespace

absl::Status Client::ReduceStream(const TensorType& type,
                                  absl::Span<const Reduction> reductions,
                                  const PieceSource& source,
                                  const ResultSink& sink,
                                  const StreamOptions& options) const {
  if (options.piece_bytes < 1 || options.piece_bytes > kMostPieceBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("piece_bytes: ", options.piece_bytes, " is not in 1 to ",
                     kMostPieceBytes));
  }
  const absl::Time now = absl::Now();
  const absl::Time deadline = now + options.timeout;
  const absl::Time start_deadline =
      std::min(deadline, now + options.start_timeout);
  const v1::ReduceStreamHeader header = ToWire(type, reductions);
  // Whether a type is one that can be sent is for the server to say.
  Upload upload(source, ByteCount(type).value_or(0), options.piece_bytes);
  Download download(sink, reductions.size());
  absl::Status status;
  const auto attempt = [&] {
    status = StreamCall(channel_, upload, download)
                 .Run(header, start_deadline, deadline);
    // What the source gave and the sink took cannot be had again.
    return download.has_types() ? absl::OkStatus() : status;
  };
  RetryWhileBusy(start_deadline, [&] {
    return RetryWhileUnavailable(start_deadline, attempt);
  }).IgnoreError();
  return status;
}

absl::StatusOr<std::vector<Tensor>> Client::ReduceStream(
    Tensor tensor, absl::Span<const Reduction> reductions,
    const StreamOptions& options) const {
  const TensorType type = {tensor.dtype, std::move(tensor.shape)};
  absl::Cord data(std::move(tensor.data));
  std::vector<Tensor> results;
  const absl::Status status = ReduceStream(
      type, reductions,
      [&data]() -> absl::StatusOr<absl::Cord> {
        return std::exchange(data, absl::Cord());
      },
      SinkInto(results), options);
  if (!status.ok()) return status;
  return results;
}

}  // namespace reductor
