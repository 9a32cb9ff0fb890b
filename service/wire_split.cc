// Split(): copies the known small fields for the generated code to parse, skips
// unknown ones, and notes where the last tensor.data lies.
#include <algorithm>
#include <climits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "google/protobuf/wire_format_lite.h"
#include "grpcpp/support/slice.h"
#include "service/status.h"
#include "service/wire.h"
#include "service/wire_reader.h"

namespace reductor {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedOutputStream;

constexpr uint32_t BytesTag(int field_number) {
  return WireFormatLite::MakeTag(field_number,
                                 WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
}

void AppendVarint(uint64_t value, std::string* out) {
  uint8_t bytes[10];
  uint8_t* const end = CodedOutputStream::WriteVarint64ToArray(value, bytes);
  out->append(bytes, end);
}

// `size` bytes of the buffer from `begin` on, sharing its memory.
absl::Cord ShareBytes(const grpc::ByteBuffer& buffer, size_t begin,
                      size_t size) {
  absl::Cord bytes;
  std::vector<grpc::Slice> slices;
  if (size == 0 || !buffer.Dump(&slices).ok()) return bytes;
  for (const grpc::Slice& slice : slices) {
    if (begin >= slice.size()) {
      begin -= slice.size();
      continue;
    }
    const size_t taken = std::min(size, slice.size() - begin);
    const absl::string_view piece(
        reinterpret_cast<const char*>(slice.begin()) + begin, taken);
    if (taken < kMinSharedBytes) {
      bytes.Append(piece);
    } else {
      bytes.Append(absl::MakeCordFromExternal(piece, [slice] {}));
    }
    size -= taken;
    if (size == 0) break;
    begin = 0;
  }
  return bytes;
}

class Splitter {
 public:
  explicit Splitter(const grpc::ByteBuffer& bytes)
      : bytes_(bytes), reader_(bytes) {}

  absl::StatusOr<SplitRequest> Run() {
    if (!ReadRequest()) {
      return MalformedMessageError(
          "the bytes are not a reductor.v1.ReduceRequest");
    }
    if (kept_bytes_ > kMaxRequestBytesWithoutData) {
      return MessageTooLargeError("the request without its tensor's data",
                                  kMaxRequestBytesWithoutData, kept_bytes_);
    }
    request_.data = ShareBytes(bytes_, data_begin_, data_size_);
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
      case BytesTag(v1::ReduceRequest::kReductionsFieldNumber):
        return ReadReduction();
      case BytesTag(v1::ReduceRequest::kTensorFieldNumber):
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
      return tag == BytesTag(v1::Tensor::kDataFieldNumber)
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

  const grpc::ByteBuffer& bytes_;
  WireReader reader_;

  SplitRequest request_;
  bool has_tensor_ = false;
  std::string tensor_fields_;
  int64_t kept_bytes_ = 0;
  size_t data_begin_ = 0;
  size_t data_size_ = 0;
};

}  // namespace

absl::StatusOr<SplitRequest> Split(const grpc::ByteBuffer& bytes) {
  // protobuf counts in int.
  if (bytes.Length() > INT_MAX) {
    return MessageTooLargeError("the request", INT_MAX, bytes.Length());
  }
  return Splitter(bytes).Run();
}

}  // namespace reductor
