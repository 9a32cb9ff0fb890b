// The rules that CodedInputStream does not enforce by itself.
#include "service/wire_reader.h"

#include <algorithm>
#include <climits>
#include <vector>

#include "absl/strings/string_view.h"
#include "grpcpp/support/slice.h"
#include "service/status.h"
#include "service/wire.h"

namespace reductor {

using google::protobuf::internal::WireFormatLite;

namespace {

// Keeps a received slice until a Cord is done with it. gRPC takes memory back
// only within its own calls: the last reference has to go with a byte buffer.
// Where it goes with a slice, gRPC 1.51 crashes once its quota is used up.
struct ReceivedSlice {
  void operator()() {
    const grpc::ByteBuffer last(&slice, 1);
    slice = grpc::Slice();
  }

  grpc::Slice slice;
};

}  // namespace

absl::Status WireReader::CheckLength(const grpc::ByteBuffer& bytes) {
  if (bytes.Length() <= INT_MAX) return absl::OkStatus();
  return MessageTooLargeError("the message", INT_MAX,
                              static_cast<int64_t>(bytes.Length()));
}

WireReader::WireReader(const grpc::ByteBuffer& bytes)
    : bytes_(bytes), stream_(&bytes_), in_(&stream_) {
  in_.PushLimit(static_cast<int>(bytes_.Length()));
}

bool WireReader::ReadLength(int* size) {
  uint64_t value;
  if (!ReadShortVarint(&value)) return false;
  *size = static_cast<int>(value);
  return value <= static_cast<uint64_t>(in_.BytesUntilLimit());
}

bool WireReader::AppendBytes(int size, std::string* out) {
  const size_t begin = out->size();
  out->resize(begin + size);
  return in_.ReadRaw(out->data() + begin, size);
}

absl::Cord WireReader::Share(int begin, int size) const {
  absl::Cord bytes;
  std::vector<grpc::Slice> slices;
  if (size == 0 || !bytes_.Dump(&slices).ok()) return bytes;
  auto skipped = static_cast<size_t>(begin);
  auto left = static_cast<size_t>(size);
  for (const grpc::Slice& slice : slices) {
    if (skipped >= slice.size()) {
      skipped -= slice.size();
      continue;
    }
    const size_t taken = std::min(left, slice.size() - skipped);
    const absl::string_view piece(
        reinterpret_cast<const char*>(slice.begin()) + skipped, taken);
    if (taken < kMinSharedBytes) {
      bytes.Append(piece);
    } else {
      bytes.Append(absl::MakeCordFromExternal(piece, ReceivedSlice{slice}));
    }
    left -= taken;
    if (left == 0) break;
    skipped = 0;
  }
  return bytes;
}

bool WireReader::SkipValue(uint32_t tag, int depth) {
  uint64_t varint;
  int size;
  switch (WireFormatLite::GetTagWireType(tag)) {
    case WireFormatLite::WIRETYPE_VARINT:
      return in_.ReadVarint64(&varint);
    case WireFormatLite::WIRETYPE_FIXED64:
      return in_.Skip(8);
    case WireFormatLite::WIRETYPE_LENGTH_DELIMITED:
      return ReadLength(&size) && in_.Skip(size);
    case WireFormatLite::WIRETYPE_START_GROUP:
      return depth > 0 && SkipGroup(tag, depth - 1);
    case WireFormatLite::WIRETYPE_END_GROUP:
      return false;
    case WireFormatLite::WIRETYPE_FIXED32:
      return in_.Skip(4);
  }
  return false;  // Wire types 6 and 7 do not exist.
}

bool WireReader::SkipGroup(uint32_t start, int depth) {
  const uint32_t end =
      WireFormatLite::MakeTag(WireFormatLite::GetTagFieldNumber(start),
                              WireFormatLite::WIRETYPE_END_GROUP);
  uint32_t tag;
  while (ReadTag(&tag)) {
    if (tag == end) return true;
    if (!SkipValue(tag, depth)) return false;
  }
  return false;
}

bool WireReader::ReadTag(uint32_t* tag) {
  uint64_t value;
  if (!ReadShortVarint(&value)) return false;
  *tag = static_cast<uint32_t>(value);
  return WireFormatLite::GetTagFieldNumber(*tag) != 0;
}

// Tags and lengths: at most five bytes.
bool WireReader::ReadShortVarint(uint64_t* value) {
  const int begin = in_.CurrentPosition();
  return in_.ReadVarint64(value) && in_.CurrentPosition() - begin <= 5;
}

}  // namespace reductor
