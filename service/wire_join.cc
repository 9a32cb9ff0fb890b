// Join...(): headers are written by the generated code, the data field by hand,
// so that the results' memory goes to gRPC as it is.
#include <string>

#include "absl/strings/str_cat.h"
#include "service/wire.h"
#include "service/wire_writer.h"

namespace reductor {

grpc::ByteBuffer Join(absl::Span<const v1::Tensor> results,
                      absl::Span<const ResultBytes> data) {
  WireWriter writer;
  for (size_t i = 0; i < results.size(); ++i) {
    std::string fields = results[i].SerializeAsString();
    const size_t size = data[i].size();
    if (size > 0) {
      AppendLengthPrefix(v1::Tensor::kDataFieldNumber, size, &fields);
    }
    AppendLengthPrefix(v1::ReduceResponse::kResultsFieldNumber,
                       fields.size() + size, writer.small());
    writer.small()->append(fields);
    absl::StrAppend(writer.small(), data[i].within());
    if (data[i].cord() != nullptr) writer.Append(*data[i].cord());
  }
  return writer.Finish();
}

grpc::ByteBuffer JoinStreamResults(absl::Span<const v1::Tensor> results) {
  v1::ReduceStreamResponse response;
  response.mutable_results()->mutable_results()->Add(results.begin(),
                                                     results.end());
  WireWriter writer;
  response.AppendToString(writer.small());
  return writer.Finish();
}

grpc::ByteBuffer JoinStreamPiece(int32_t reduction, const absl::Cord& data) {
  v1::ReduceStreamPiece piece;
  piece.set_reduction(reduction);
  std::string fields = piece.SerializeAsString();
  AppendLengthPrefix(v1::ReduceStreamPiece::kDataFieldNumber, data.size(),
                     &fields);
  WireWriter writer;
  AppendLengthPrefix(v1::ReduceStreamResponse::kPieceFieldNumber,
                     fields.size() + data.size(), writer.small());
  writer.small()->append(fields);
  writer.Append(data);
  return writer.Finish();
}

}  // namespace reductor
