// SplitStream(): a oneof, so the last of its fields wins; headers in a row
// merge.
#include <string>
#include <utility>

#include "google/protobuf/io/coded_stream.h"
#include "service/status.h"
#include "service/wire.h"
#include "service/wire_reader.h"

namespace reductor {
namespace {

class StreamSplitter {
 public:
  explicit StreamSplitter(const grpc::ByteBuffer& bytes) : reader_(bytes) {}

  absl::StatusOr<StreamPart> Run() {
    const bool ok = reader_.ReadFields([this](uint32_t tag) {
      switch (tag) {
        case WireReader::BytesTag(v1::ReduceStreamRequest::kHeaderFieldNumber):
          return ReadHeader();
        case WireReader::BytesTag(v1::ReduceStreamRequest::kDataFieldNumber):
          return NoteData();
        default:
          return reader_.SkipValue(tag, WireReader::kMaxDepth);
      }
    });
    if (!ok) {
      return MalformedMessageError(
          "the bytes are not a reductor.v1.ReduceStreamRequest");
    }
    if (header_bytes_ > kMaxRequestBytesWithoutData) {
      return MessageTooLargeError("the header", kMaxRequestBytesWithoutData,
                                  header_bytes_);
    }
    part_.data = reader_.Share(data_begin_, data_size_);
    return std::move(part_);
  }

 private:
  bool ReadHeader() {
    int size;
    if (!reader_.ReadLength(&size)) return false;
    data_size_ = 0;
    header_bytes_ += size;
    if (header_bytes_ > kMaxRequestBytesWithoutData) {
      return reader_.SkipBytes(size);
    }
    std::string bytes;
    return reader_.AppendBytes(size, &bytes) && MergeHeader(bytes);
  }

  bool MergeHeader(const std::string& bytes) {
    if (!part_.header.has_value()) part_.header.emplace();
    google::protobuf::io::CodedInputStream in(
        reinterpret_cast<const uint8_t*>(bytes.data()),
        static_cast<int>(bytes.size()));
    // One level is the message that the header lies in.
    in.SetRecursionLimit(WireReader::kMaxDepth - 1);
    return part_.header->MergeFromCodedStream(&in) &&
           in.ConsumedEntireMessage();
  }

  bool NoteData() {
    if (!reader_.ReadLength(&data_size_)) return false;
    part_.header.reset();
    data_begin_ = reader_.position();
    return reader_.SkipBytes(data_size_);
  }

  WireReader reader_;
  StreamPart part_;
  int64_t header_bytes_ = 0;
  int data_begin_ = 0;
  int data_size_ = 0;
};

}  // namespace

absl::StatusOr<StreamPart> SplitStream(const grpc::ByteBuffer& bytes) {
  const absl::Status length = WireReader::CheckLength(bytes);
  if (!length.ok()) return length;
  return StreamSplitter(bytes).Run();
}

}  // namespace reductor
