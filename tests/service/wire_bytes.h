// Bytes as gRPC hands them over: cut into slices.
#ifndef REDUCTOR_TESTS_SERVICE_WIRE_BYTES_H_
#define REDUCTOR_TESTS_SERVICE_WIRE_BYTES_H_

#include <algorithm>
#include <string>
#include <vector>

#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/slice.h"

namespace reductor {

// `bytes` in slices of `slice_size` each, the last one shorter.
inline grpc::ByteBuffer ToByteBuffer(const std::string& bytes,
                                     size_t slice_size = 1 << 16) {
  std::vector<grpc::Slice> slices;
  for (size_t begin = 0; begin < bytes.size(); begin += slice_size) {
    slices.emplace_back(bytes.substr(begin, slice_size));
  }
  return grpc::ByteBuffer(slices.data(), slices.size());
}

inline std::string ToString(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  std::string bytes;
  if (!buffer.Dump(&slices).ok()) return bytes;
  for (const grpc::Slice& slice : slices) {
    bytes.append(slice.begin(), slice.end());
  }
  return bytes;
}

}  // namespace reductor

#endif  // REDUCTOR_TESTS_SERVICE_WIRE_BYTES_H_
