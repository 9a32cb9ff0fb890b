// Split(): copies the known small fields for the generated code to parse, skips
// unknown ones, and notes where the last tensor.data lies.
#include <string>
#include <utility>

#include "google/protobuf/wire_format_lite.h"
#include "service/status.h"
#include "service/wire.h"
#include "service/wire_reader.h"

namespace reductor {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedOutputStream;

void AppendVarint(uint64_t value, std::string* out) {
  uint8_t bytes[10];
  uint8_t* const end = CodedOutputStream::WriteVarint64ToArray(value, bytes);
  out->append(bytes, end);
}

class Splitter {
 public:
  explicit Splitter(const grpc::ByteBuffer& bytes) : reader_(bytes) {}

  absl::StatusOr<SplitRequest> Run() {
    if (!ReadRequest()) {
      return MalformedMessageError(
          "the bytes are not a reductor.v1.ReduceRequest");
    }
    if (kept_bytes_ > kMaxRequestBytesWithoutData) {
      return MessageTooLargeError("the request without its tensor's data",
                                  kMaxRequestBytesWithoutData, kept_bytes_);
    }
    request_.data = reader_.Share(data_begin_, data_size_);
    return std::move(request_);
  }

 private:
  bool ReadRequest() {
    return reader_.ReadFields([this](uint32_t tag) {
      return ReadRequestField(tag);
    }) && (!has_tensor_ ||
           request_.message.mutable_tensor()->ParseFromString(tensor_fields_));
  }

  bool ReadRequestField(uint32_t tag) {
    switch (tag) {
      case WireReader::BytesTag(v1::ReduceRequest::kReductionsFieldNumber):
        return ReadReduction();
      case WireReader::BytesTag(v1::ReduceRequest::kTensorFieldNumber):
        return ReadTensor();
      default:
        return reader_.SkipValue(tag, WireReader::kMaxDepth);
    }
  }

  bool ReadReduction() {
    std::string fields;
    if (!reader_.ReadMessage([&](uint32_t tag) {
          return ReadSmallField(v1::Reduction::descriptor(), tag, &fields);
        })) {
      return false;
    }
    // A tag and a length: even empty reductions add up.
    return !Keep(2) ||
           request_.message.add_reductions()->ParseFromString(fields);
  }

  // A tensor may come in several pieces, which merge.
  bool ReadTensor() {
    has_tensor_ = true;
    return reader_.ReadMessage([this](uint32_t tag) {
      return tag == WireReader::BytesTag(v1::Tensor::kDataFieldNumber)
                 ? NoteData()
                 : ReadSmallField(v1::Tensor::descriptor(), tag,
                                  &tensor_fields_);
    });
  }

  bool NoteData() {
    int size;
    if (!reader_.ReadLength(&size)) return false;
    data_begin_ = reader_.position();
    data_size_ = size;
    return reader_.SkipBytes(size);
  }

  // Appends the field to `out` if `message` knows it; skips it otherwise.
  bool ReadSmallField(const Descriptor* message, uint32_t tag,
                      std::string* out) {
    if (message->FindFieldByNumber(WireFormatLite::GetTagFieldNumber(tag))) {
      const auto wire_type = WireFormatLite::GetTagWireType(tag);
      if (wire_type == WireFormatLite::WIRETYPE_VARINT) {
        return CopyVarint(tag, out);
      }
      if (wire_type == WireFormatLite::WIRETYPE_LENGTH_DELIMITED) {
        return CopyBytes(tag, out);
      }
    }
    return reader_.SkipValue(tag, WireReader::kMaxDepth - 1);
  }

  bool CopyVarint(uint32_t tag, std::string* out) {
    uint64_t value;
    if (!reader_.ReadVarint(&value)) return false;
    if (!Keep(CodedOutputStream::VarintSize32(tag) +
              CodedOutputStream::VarintSize64(value))) {
      return true;
    }
    AppendVarint(tag, out);
    AppendVarint(value, out);
    return true;
  }

  bool CopyBytes(uint32_t tag, std::string* out) {
    int size;
    if (!reader_.ReadLength(&size)) return false;
    if (!Keep(CodedOutputStream::VarintSize32(tag) +
              CodedOutputStream::VarintSize32(size) + int64_t{size})) {
      return reader_.SkipBytes(size);
    }
    AppendVarint(tag, out);
    AppendVarint(size, out);
    return reader_.AppendBytes(size, out);
  }

  // Counts bytes of known fields; false once they are too many to be kept.
  bool Keep(int64_t bytes) {
    kept_bytes_ += bytes;
    return kept_bytes_ <= kMaxRequestBytesWithoutData;
  }

  WireReader reader_;

  SplitRequest request_;
  bool has_tensor_ = false;
  std::string tensor_fields_;
  int64_t kept_bytes_ = 0;
  int data_begin_ = 0;
  int data_size_ = 0;
};

}  // namespace

absl::StatusOr<SplitRequest> Split(const grpc::ByteBuffer& bytes) {
  const absl::Status length = WireReader::CheckLength(bytes);
  if (!length.ok()) return length;
  return Splitter(bytes).Run();
}

}  // namespace reductor
