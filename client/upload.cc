#include "client/upload.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/wire_format_lite.h"
#include "reductor/v1/reductor.pb.h"

namespace reductor {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedOutputStream;

// Below this a copy is cheaper than a reference. A cord keeps its shortest
// texts in itself, where nobody could refer to them.
constexpr size_t kMaxCopied = 256;

// What stands before the data in the message.
grpc::Slice PieceHead(size_t data_bytes) {
  uint8_t head[10];
  uint8_t* end = CodedOutputStream::WriteTagToArray(
      WireFormatLite::MakeTag(v1::ReduceStreamRequest::kDataFieldNumber,
                              WireFormatLite::WIRETYPE_LENGTH_DELIMITED),
      head);
  end = CodedOutputStream::WriteVarint32ToArray(
      static_cast<uint32_t>(data_bytes), end);
  return grpc::Slice(head, end - head);
}

// A slice of `data`, which lives as long as the slice does.
grpc::Slice Share(const absl::Cord& data, absl::string_view chunk) {
  if (chunk.size() <= kMaxCopied) return {chunk.data(), chunk.size()};
  return grpc::Slice(
      const_cast<char*>(chunk.data()), chunk.size(),
      [](void* owner) { delete static_cast<absl::Cord*>(owner); },
      new absl::Cord(data));
}

}  // namespace

absl::StatusOr<absl::Cord> Upload::Next() {
  const int64_t size = std::min(left_, piece_bytes_);
  while (std::ssize(held_) < size) {
    absl::StatusOr<absl::Cord> more = source_();
    if (!more.ok()) return more.status();
    if (more->empty()) {
      return absl::InvalidArgumentError(
          absl::StrFormat("the source ended after %d of the tensor's %d bytes",
                          bytes_ - left_ + std::ssize(held_), bytes_));
    }
    held_.Append(*std::move(more));
  }
  if (std::ssize(held_) > left_) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "the source has more than the tensor's %d bytes", bytes_));
  }
  absl::Cord piece = held_.Subcord(0, size);
  held_.RemovePrefix(size);
  left_ -= size;
  return piece;
}

grpc::ByteBuffer PieceMessage(const absl::Cord& data) {
  std::vector<grpc::Slice> slices = {PieceHead(data.size())};
  for (const absl::string_view chunk : data.Chunks()) {
    slices.push_back(Share(data, chunk));
  }
  return grpc::ByteBuffer(slices.data(), slices.size());
}

}  // namespace reductor
