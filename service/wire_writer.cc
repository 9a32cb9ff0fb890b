#include "service/wire_writer.h"

#include "absl/strings/string_view.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/wire_format_lite.h"
#include "service/wire.h"

namespace reductor {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedOutputStream;

// The chunk as a slice that keeps `owner`, which holds it, alive.
grpc::Slice ShareChunk(absl::string_view chunk, const absl::Cord& owner) {
  return grpc::Slice(
      const_cast<char*>(chunk.data()), chunk.size(),
      [](void* cord) { delete static_cast<absl::Cord*>(cord); },
      new absl::Cord(owner));
}

}  // namespace

void AppendLengthPrefix(int field_number, uint64_t size, std::string* out) {
  uint8_t bytes[15];
  uint8_t* end = CodedOutputStream::WriteTagToArray(
      WireFormatLite::MakeTag(field_number,
                              WireFormatLite::WIRETYPE_LENGTH_DELIMITED),
      bytes);
  end = CodedOutputStream::WriteVarint64ToArray(size, end);
  out->append(bytes, end);
}

void WireWriter::Append(const absl::Cord& data) {
  for (const absl::string_view chunk : data.Chunks()) {
    if (chunk.size() < kMinSharedBytes) {
      small_.append(chunk.data(), chunk.size());
      continue;
    }
    Flush();
    slices_.push_back(ShareChunk(chunk, data));
  }
}

grpc::ByteBuffer WireWriter::Finish() {
  Flush();
  return grpc::ByteBuffer(slices_.data(), slices_.size());
}

void WireWriter::Flush() {
  if (small_.empty()) return;
  slices_.emplace_back(small_);
  small_.clear();
}

}  // namespace reductor
