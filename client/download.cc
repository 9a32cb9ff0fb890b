#include "client/download.h"

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "client/codec.h"

namespace reductor {

absl::Status Download::Take(const v1::ReduceStreamResponse& message) {
  switch (message.part_case()) {
    case v1::ReduceStreamResponse::kResults:
      return TakeTypes(message.results());
    case v1::ReduceStreamResponse::kPiece:
      return TakePiece(message.piece());
    case v1::ReduceStreamResponse::PART_NOT_SET:
      break;
  }
  return absl::InternalError(
      "the server answered a message that this client does not know");
}

absl::Status Download::TakeTypes(const v1::ReduceStreamResults& results) {
  if (has_types_) {
    return absl::InternalError("the server answered the results' types twice");
  }
  const absl::Status count =
      CheckResultCount(results.results_size(), expected_);
  if (!count.ok()) return count;
  std::vector<TensorType> types;
  for (const v1::Tensor& result : results.results()) {
    absl::StatusOr<TensorType> type = TypeFromWire(result);
    if (!type.ok()) return type.status();
    left_.push_back(*ByteCount(*type));
    types.push_back(*std::move(type));
  }
  has_types_ = true;
  return sink_.on_types(types);
}

absl::Status Download::TakePiece(const v1::ReduceStreamPiece& piece) {
  const int64_t result = piece.reduction();
  if (result < 0 || result >= std::ssize(left_)) {
    return absl::InternalError(absl::StrFormat(
        "the server answered bytes of result %d of %d", result, left_.size()));
  }
  left_[result] -= std::ssize(piece.data());
  if (left_[result] < 0) {
    return absl::InternalError(absl::StrFormat(
        "the server answered more bytes of result %d than it has", result));
  }
  return sink_.on_bytes(result, piece.data());
}

absl::Status Download::CheckComplete() const {
  if (!has_types_) {
    return absl::InternalError("the server ended the call without an answer");
  }
  for (size_t result = 0; result < left_.size(); ++result) {
    if (left_[result] == 0) continue;
    return absl::InternalError(
        absl::StrFormat("the server ended the call %d bytes before the end of "
                        "result %d",
                        left_[result], result));
  }
  return absl::OkStatus();
}

}  // namespace reductor
