// Reads protobuf's wire format field by field, and accepts exactly what
// protobuf's own parser accepts.
//
// It stands on CodedInputStream, which is more lenient in places: tags and
// lengths of up to ten bytes, and lengths beyond the enclosing message.
#ifndef REDUCTOR_SERVICE_WIRE_READER_H_
#define REDUCTOR_SERVICE_WIRE_READER_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/wire_format_lite.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/proto_buffer_reader.h"

namespace reductor {

// Methods that return bool: false is for bytes that protobuf refuses; nothing
// more can be read then.
class WireReader {
 public:
  // How deep messages and groups may nest: protobuf's default.
  static constexpr int kMaxDepth = 100;

  // The tag of a field of wire type 2: bytes and messages.
  static constexpr uint32_t BytesTag(int field_number) {
    using google::protobuf::internal::WireFormatLite;
    return WireFormatLite::MakeTag(field_number,
                                   WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
  }

  // RESOURCE_EXHAUSTED MESSAGE_TOO_LARGE: protobuf counts in int.
  static absl::Status CheckLength(const grpc::ByteBuffer& bytes);

  // Shares the memory of `bytes`. REQUIRES: CheckLength(bytes) is OK.
  explicit WireReader(const grpc::ByteBuffer& bytes);

  // Calls on_field(tag) for each field up to the end of the message, while it
  // returns true; it reads the field's value by one of the methods below.
  template <class OnField>
  bool ReadFields(OnField on_field) {
    while (in_.BytesUntilLimit() > 0) {
      uint32_t tag;
      if (!ReadTag(&tag) || !on_field(tag)) return false;
    }
    return true;
  }

  // The same for the sub-message that is the value of the current field.
  template <class OnField>
  bool ReadMessage(OnField on_field) {
    int size;
    if (!ReadLength(&size)) return false;
    const auto outer = in_.PushLimit(size);
    const bool ok = ReadFields(on_field);
    in_.PopLimit(outer);
    return ok;
  }

  bool ReadVarint(uint64_t* value) { return in_.ReadVarint64(value); }

  // The size of a value of wire type 2, whose bytes come next and are there.
  bool ReadLength(int* size);

  // The next bytes. REQUIRES: ReadLength() gave `size`.
  bool SkipBytes(int size) { return in_.Skip(size); }
  bool AppendBytes(int size, std::string* out);

  // Skips the value of an unknown field, in which groups may nest `depth` deep.
  bool SkipValue(uint32_t tag, int depth);

  // `size` of all the bytes, from `begin` on, sharing their memory.
  absl::Cord Share(int begin, int size) const;

  // The number of bytes read.
  int position() const { return in_.CurrentPosition(); }

 private:
  bool ReadTag(uint32_t* tag);
  bool ReadShortVarint(uint64_t* value);
  bool SkipGroup(uint32_t start, int depth);

  grpc::ByteBuffer bytes_;
  grpc::ProtoBufferReader stream_;
  google::protobuf::io::CodedInputStream in_;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_WIRE_READER_H_
