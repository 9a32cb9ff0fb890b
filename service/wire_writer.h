// Writes messages that carry tensors: small fields are copied, large data is
// shared.
#ifndef REDUCTOR_SERVICE_WIRE_WRITER_H_
#define REDUCTOR_SERVICE_WIRE_WRITER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/cord.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/slice.h"

namespace reductor {

// Appends the tag and the length of a field of wire type 2.
void AppendLengthPrefix(int field_number, uint64_t size, std::string* out);

// Collects small pieces in one slice, until a shared one comes between.
class WireWriter {
 public:
  // Where to append small pieces.
  std::string* small() { return &small_; }

  // Appends the bytes; the slices share the memory of what is not small.
  void Append(const absl::Cord& data);

  grpc::ByteBuffer Finish();

 private:
  void Flush();

  std::string small_;
  std::vector<grpc::Slice> slices_;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_WIRE_WRITER_H_
