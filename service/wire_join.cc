// Join(): headers are written by the generated code, the data field by hand,
// so that the results' memory goes to gRPC as it is.
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/wire_format_lite.h"
#include "grpcpp/support/slice.h"
#include "service/wire.h"

namespace reductor {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedOutputStream;

void AppendLengthPrefix(int field_number, uint64_t size, std::string* out) {
  uint8_t bytes[15];
  uint8_t* end = CodedOutputStream::WriteTagToArray(
      WireFormatLite::MakeTag(field_number,
                              WireFormatLite::WIRETYPE_LENGTH_DELIMITED),
      bytes);
  end = CodedOutputStream::WriteVarint64ToArray(size, end);
  out->append(bytes, end);
}

// The chunk as a slice that keeps `owner`, which holds it, alive.
grpc::Slice ShareChunk(absl::string_view chunk, const absl::Cord& owner) {
  return grpc::Slice(
      const_cast<char*>(chunk.data()), chunk.size(),
      [](void* cord) { delete static_cast<absl::Cord*>(cord); },
      new absl::Cord(owner));
}

// Collects small pieces in one slice, until a shared one comes between.
class SliceWriter {
 public:
  std::string* small() { return &small_; }

  void Append(const absl::Cord& data) {
    for (const absl::string_view chunk : data.Chunks()) {
      if (chunk.size() < kMinSharedBytes) {
        small_.append(chunk.data(), chunk.size());
        continue;
      }
      Flush();
      slices_.push_back(ShareChunk(chunk, data));
    }
  }

  grpc::ByteBuffer Finish() {
    Flush();
    return grpc::ByteBuffer(slices_.data(), slices_.size());
  }

 private:
  void Flush() {
    if (small_.empty()) return;
    slices_.emplace_back(small_);
    small_.clear();
  }

  std::string small_;
  std::vector<grpc::Slice> slices_;
};

}  // namespace

grpc::ByteBuffer Join(absl::Span<const v1::Tensor> results,
                      absl::Span<const absl::Cord> data) {
  SliceWriter writer;
  for (size_t i = 0; i < results.size(); ++i) {
    std::string fields = results[i].SerializeAsString();
    if (!data[i].empty()) {
      AppendLengthPrefix(v1::Tensor::kDataFieldNumber, data[i].size(), &fields);
    }
    AppendLengthPrefix(v1::ReduceResponse::kResultsFieldNumber,
                       fields.size() + data[i].size(), writer.small());
    writer.small()->append(fields);
    writer.Append(data[i]);
  }
  return writer.Finish();
}

}  // namespace reductor
