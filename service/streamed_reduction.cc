#include "service/streamed_reduction.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "core/footprint.h"
#include "core/violations.h"
#include "service/codec.h"
#include "service/room.h"
#include "service/work.h"

namespace reductor {
namespace {

// How much of a long message is consumed before its results are sent: little
// enough to bound the results.
constexpr size_t kConsumedBytes = 4 << 20;

// The most bytes of a result in one message.
constexpr size_t kPieceBytes = 1 << 20;

absl::Status Refuse(absl::string_view field, absl::string_view reason,
                    absl::string_view description) {
  Violations violations;
  violations.Add(field, reason, description);
  return violations.ToStatus();
}

// core speaks of a request with a tensor; of these a stream has a header.
absl::Status InHeader(const absl::Status& status) {
  return Violations::FromStatus(status)
      .Renamed([](absl::string_view field) {
        return absl::StrCat("header.", absl::StripPrefix(field, "tensor."));
      })
      .ToStatus();
}

absl::Status DataSizeMismatch(absl::string_view received, int64_t declared) {
  return Refuse(
      "data", "DATA_SIZE_MISMATCH",
      absl::StrCat(received, " bytes, but the header declares ", declared));
}

}  // namespace

absl::Status StreamedReduction::Take(const grpc::ByteBuffer& message) {
  const absl::StatusOr<StreamPart> part = SplitStream(message);
  if (!part.ok()) return part.status();
  return part->header.has_value() ? TakeHeader(*part->header)
                                  : TakeData(part->data);
}

absl::StatusOr<std::optional<grpc::ByteBuffer>> StreamedReduction::NextAnswer(
    IsCancelled is_cancelled) {
  if (!reduce_.has_value()) return std::nullopt;
  if (!has_described_results_) {
    has_described_results_ = true;
    return JoinStreamResults(DescribeResults(plans_));
  }
  std::optional<grpc::ByteBuffer> piece = NextPiece();
  while (!piece.has_value() && !data_.empty()) {
    const absl::Status consumed = ConsumeNext(is_cancelled);
    if (!consumed.ok()) return consumed;
    piece = NextPiece();
  }
  return piece;
}

bool StreamedReduction::MayTakeLong(int64_t bytes) const {
  return !reduce_.has_value() || bytes > kLongMessageBytes ||
         TakesLong(plans_, bytes, /*output_bytes=*/0);
}

absl::Status StreamedReduction::End() const {
  if (!reduce_.has_value()) {
    return Refuse("header", "HEADER_MISSING", "the stream has no header");
  }
  const int64_t declared = plans_.front().input_bytes();
  if (received_bytes_ == declared) return absl::OkStatus();
  return DataSizeMismatch(absl::StrCat(received_bytes_), declared);
}

absl::Status StreamedReduction::TakeHeader(
    const v1::ReduceStreamHeader& header) {
  if (reduce_.has_value()) {
    return Refuse("header", "HEADER_REPEATED", "the stream has had its header");
  }
  const RequestSpec spec = DecodeHeader(header);
  Describe(spec, log_);
  absl::StatusOr<std::vector<Plan>> plans = MakePlans(spec);
  if (!plans.ok()) return InHeader(plans.status());
  plans_ = *std::move(plans);
  const absl::Status made =
      MakeRoom(OpenResultBytes(plans_), PiecewiseWorkingBytes(plans_),
               max_output_bytes_, room_);
  if (!made.ok()) return made;
  reduce_.emplace(plans_);
  // What no elements give is there already.
  for (size_t i = 0; i < plans_.size(); ++i) {
    ready_.push_back(reduce_->TakeResults(i));
  }
  return absl::OkStatus();
}

absl::Status StreamedReduction::TakeData(const absl::Cord& data) {
  if (!reduce_.has_value()) {
    return Refuse("header", "HEADER_MISSING",
                  "the stream's first message is not a header");
  }
  received_bytes_ += static_cast<int64_t>(data.size());
  const int64_t declared = plans_.front().input_bytes();
  if (received_bytes_ > declared) {
    return DataSizeMismatch(absl::StrCat("at least ", received_bytes_),
                            declared);
  }
  data_ = data;
  return absl::OkStatus();
}

absl::Status StreamedReduction::ConsumeNext(IsCancelled is_cancelled) {
  const size_t size = std::min(data_.size(), kConsumedBytes);
  const absl::Time start = absl::Now();
  const absl::Status consumed =
      reduce_->Consume(data_.Subcord(0, size), is_cancelled);
  log_->compute_time += absl::Now() - start;
  if (!consumed.ok()) return consumed;
  data_.RemovePrefix(size);
  for (size_t i = 0; i < ready_.size(); ++i) {
    ready_[i] = reduce_->TakeResults(i);
  }
  return absl::OkStatus();
}

std::optional<grpc::ByteBuffer> StreamedReduction::NextPiece() {
  for (size_t i = 0; i < ready_.size(); ++i) {
    if (ready_[i].empty()) continue;
    const size_t size = std::min(ready_[i].size(), kPieceBytes);
    const absl::Cord piece = ready_[i].Subcord(0, size);
    ready_[i].RemovePrefix(size);
    return JoinStreamPiece(static_cast<int32_t>(i), piece);
  }
  return std::nullopt;
}

}  // namespace reductor
